/** Authentication: every Authorization header that is not exactly one valid key is 401 with a challenge. */
import { request as httpRequest } from 'node:http';
import { expect, test } from '@jest/globals';
import { createKey, resumeAccount, suspendAccount, issueKey, listKeys, revokeKey, rotateKey } from '@specwright/accounts';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

/** With node:http, because fetch does not let a field be sent twice. */
function get(
  authorization: string | string[] | undefined,
): Promise<{ status: number | undefined; challenge: string | undefined; body: { code?: string } }> {
  return new Promise((resolve, reject) => {
    // The types do not know that a field may be sent twice.
    const headers = authorization === undefined ? {} : { authorization: authorization as string };
    httpRequest(`${app.url}/account`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode, challenge: response.headers['www-authenticate'], body: JSON.parse(text) as object }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const refusedForm = 'Bearer realm="petstore", error="invalid_token"';

test('a request without credentials is 401 with a challenge without an error', async () => {
  expect(await get(undefined)).toMatchObject({
    status: 401,
    challenge: 'Bearer realm="petstore"',
    body: { code: 'unauthorized', status: 401 },
  });
});

test.each<[name: string, value: () => string | string[]]>([
  ['empty', () => ''],
  ['the scheme alone', () => 'Bearer'],
  ['Basic', () => `Basic ${Buffer.from(`${account.key}:`).toString('base64')}`],
  ['the key alone', () => account.key],
  ['two keys in one', () => `Bearer ${account.key} ${account.key}`],
  ['two fields', () => [`Bearer ${account.key}`, `Bearer ${account.key}`]],
  ['a list', () => `Bearer ${account.key}, Bearer ${account.key}`],
  ['a letter changed', () => `Bearer ${account.key.slice(0, 20)}${account.key[20] === 'a' ? 'b' : 'a'}${account.key.slice(21)}`],
  ['a well-formed key that does not exist', () => `Bearer ${createKey()}`],
  ['upper case', () => `Bearer ${account.key.toUpperCase()}`],
  ['very long', () => `Bearer ${'x'.repeat(8000)}`],
])('rejects with 401: %s', async (_name, value) => {
  expect(await get(value())).toMatchObject({ status: 401, challenge: refusedForm, body: { code: 'unauthorized', status: 401 } });
});

test.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme as %s', async (scheme) => {
  expect((await get(`${scheme} ${account.key}`)).status).toBe(200);
});

const refusal = {
  status: 401,
  challenge: refusedForm,
  body: { code: 'unauthorized', message: 'the API key is not valid', status: 401 },
};

/** A key of an account of its own, and what ends it. */
const ENDINGS: Record<string, (id: number, accountId: number) => Promise<unknown>> = {
  revoked: (id, accountId) => revokeKey(database.db, accountId, id, new Date()),
  expired: (id) =>
    database
      .db('api_keys')
      .where({ id })
      .update({ expires_at: new Date(Date.now() - 1) }),
  'replaced at once': (id, accountId) => rotateKey(database.db, accountId, id, 0, new Date()),
  'replaced, after the grace period': async (id, accountId) => {
    await rotateKey(database.db, accountId, id, 1, new Date());
    await database.db.raw('SELECT pg_sleep(1.05)');
  },
  'of a suspended account': (_, accountId) => suspendAccount(database.db, accountId, new Date()),
  'of a deleted account': (_, accountId) => database.db('accounts').where({ account_id: accountId }).delete(),
};

test.each(Object.entries(ENDINGS))('a key that is %s is rejected exactly as one that does not exist', async (_name, end) => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await issueKey(database.db, accountId, { name: 'x' }, new Date());
  expect((await get(`Bearer ${apiKey}`)).status).toBe(200);
  await end(record.id, accountId);
  const answer = await get(`Bearer ${apiKey}`);
  expect(answer).toEqual(refusal);
  expect(answer).toEqual(await get(`Bearer ${createKey()}`));
});

test('within the grace period of a rotation the old and the new key are valid', async () => {
  const { accountId, key: old } = await newAccount(database.db);
  const id = (await listKeys(database.db, accountId, { after: 0, limit: 1 }))[0]?.id ?? 0;
  const { apiKey } = await rotateKey(database.db, accountId, id, 60, new Date());
  expect([(await get(`Bearer ${old}`)).status, (await get(`Bearer ${apiKey}`)).status]).toEqual([200, 200]);
});

test('a key that has not expired yet, of an account that was resumed, is valid', async () => {
  const { accountId } = await newAccount(database.db);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { apiKey } = await issueKey(database.db, accountId, { name: 'x', expiresAt }, new Date());
  await suspendAccount(database.db, accountId, new Date());
  await resumeAccount(database.db, accountId);
  expect((await get(`Bearer ${apiKey}`)).status).toBe(200);
});

test('a key can revoke itself, and is rejected from then on', async () => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await issueKey(database.db, accountId, { name: 'x' }, new Date());
  const headers = { Authorization: `Bearer ${apiKey}` };
  const revoke = () => fetch(`${app.url}/account/keys/${record.id}`, { method: 'DELETE', headers });
  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 401]);
});

test('does not start if a security scheme has no authenticator', async () => {
  const starts = startApp(database.db, { security: {} as never });
  await expect(starts).rejects.toThrow(/the security scheme bearerAuth has no authenticator/);
});

test('a key never reaches the log', async () => {
  await get(`Bearer ${account.key}`);
  await fetch(`${app.url}/pets?limit=${account.key}`, { headers: { Authorization: `Bearer ${account.key}` } });
  await fetch(`${app.url}/${account.key}`);
  expect(app.log.length).toBeGreaterThan(0);
  expect(JSON.stringify(app.log)).not.toContain(account.key);
});
