import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTokenIssuer, type TokenOptions } from 'specwright/testing';

/** A provider on this machine, with metadata and keys. */
const issuer = await startTokenIssuer();
Object.assign(process.env, { PORT: '0', TOKEN_ISSUER: issuer.url, TOKEN_AUDIENCE: issuer.audience });
const { server, port } = await import('./server.ts');
after(async () => {
  server.close();
  await issuer.close();
});

function call(method: string, token?: TokenOptions): Promise<Response> {
  return fetch(`http://localhost:${port}/songs`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${issuer.issueToken(token)}` }) },
    ...(method === 'POST' && { body: '{"title":"So What"}' }),
  });
}

test('a caller with the scope of an operation may call it, and sees what is theirs', async () => {
  assert.equal((await call('POST', { subject: 'ada', scopes: ['songs:write'] })).status, 201);
  assert.deepEqual(await (await call('GET', { subject: 'ada', scopes: ['songs:read'] })).json(), [{ title: 'So What' }]);
  assert.deepEqual(await (await call('GET', { subject: 'bob', scopes: ['songs:read'] })).json(), []);
});

test('no token and one for another API are 401, one without the scope is 403', async () => {
  assert.equal((await call('GET')).status, 401);
  assert.equal((await call('GET', { scopes: ['songs:read'], audience: 'https://films.example.com' })).status, 401);
  assert.equal((await call('POST', { scopes: ['songs:read'] })).status, 403);
});
