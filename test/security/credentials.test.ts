/** Who is let in: every form of the Authorization header that is not exactly a good key is a 401 that says how. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey, resumeAccount, suspendAccount, issueKey, listKeys, revokeKey, rotateKey } from '@specwright/accounts';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { newAccount, startApp, type TestApp } from '../support/app.ts';

let database: TestDatabase;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db);
  ({ key } = await newAccount(database.db));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

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

test('no credentials: a challenge without an error', async () => {
  expect(await get(undefined)).toMatchObject({
    status: 401,
    challenge: 'Bearer realm="petstore"',
    body: { code: 'unauthorized', status: 401 },
  });
});

test.each<[name: string, value: () => string | string[]]>([
  ['empty', () => ''],
  ['the scheme alone', () => 'Bearer'],
  ['Basic', () => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
  ['the key alone', () => key],
  ['two keys in one', () => `Bearer ${key} ${key}`],
  ['two fields', () => [`Bearer ${key}`, `Bearer ${key}`]],
  ['a list', () => `Bearer ${key}, Bearer ${key}`],
  ['a letter changed', () => `Bearer ${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`],
  ['a good form that nobody has', () => `Bearer ${createKey()}`],
  ['upper case', () => `Bearer ${key.toUpperCase()}`],
  ['very long', () => `Bearer ${'x'.repeat(8000)}`],
])('%s: refused', async (_name, value) => {
  expect(await get(value())).toMatchObject({ status: 401, challenge: refusedForm, body: { code: 'unauthorized', status: 401 } });
});

test.each(['Bearer', 'bearer', 'BEARER'])('%s is the same scheme', async (scheme) => {
  expect((await get(`${scheme} ${key}`)).status).toBe(200);
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
  'of an account that is gone': (_, accountId) => database.db('accounts').where({ account_id: accountId }).delete(),
};

test.each(Object.entries(ENDINGS))('%s: refused as a key that nobody has, so nothing is told', async (_name, end) => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await issueKey(database.db, accountId, { name: 'x' }, new Date());
  expect((await get(`Bearer ${apiKey}`)).status).toBe(200);
  await end(record.id, accountId);
  const answer = await get(`Bearer ${apiKey}`);
  expect(answer).toEqual(refusal);
  expect(answer).toEqual(await get(`Bearer ${createKey()}`));
});

test('replaced, within the grace period: let in, and so is the new one', async () => {
  const { accountId, key: old } = await newAccount(database.db);
  const id = (await listKeys(database.db, accountId, { after: 0, limit: 1 }))[0]?.id ?? 0;
  const { apiKey } = await rotateKey(database.db, accountId, id, 60, new Date());
  expect([(await get(`Bearer ${old}`)).status, (await get(`Bearer ${apiKey}`)).status]).toEqual([200, 200]);
});

test('not expired yet, or of an account that was suspended and is no more: let in', async () => {
  const { accountId } = await newAccount(database.db);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { apiKey } = await issueKey(database.db, accountId, { name: 'x', expiresAt }, new Date());
  await suspendAccount(database.db, accountId, new Date());
  await resumeAccount(database.db, accountId);
  expect((await get(`Bearer ${apiKey}`)).status).toBe(200);
});

test('a key may revoke itself, and is refused from then on', async () => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await issueKey(database.db, accountId, { name: 'x' }, new Date());
  const headers = { Authorization: `Bearer ${apiKey}` };
  const revoke = () => fetch(`${app.url}/account/keys/${record.id}`, { method: 'DELETE', headers });
  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 401]);
});

test('does not boot if a security scheme has no authenticator', async () => {
  const starts = startApp(database.db, { security: {} as never });
  await expect(starts).rejects.toThrow(/the security scheme bearerAuth has no authenticator/);
});

test('a key never reaches the log', async () => {
  await get(`Bearer ${key}`);
  await fetch(`${app.url}/pets?limit=${key}`, { headers: { Authorization: `Bearer ${key}` } });
  await fetch(`${app.url}/${key}`);
  expect(app.log.length).toBeGreaterThan(0);
  expect(JSON.stringify(app.log)).not.toContain(key);
});
