/** Who is let in: every form of the Authorization header that is not exactly a good key is a 401 that says how. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey } from '../../src/db/keys.ts';
import { newAccount, startApp, type TestApp } from '../support/app.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

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
  return new Promise((settle, reject) => {
    // The types do not know that a field may be sent twice.
    const headers = authorization === undefined ? {} : { authorization: authorization as string };
    httpRequest(`${app.url}/account`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        settle({ status: response.statusCode, challenge: response.headers['www-authenticate'], body: JSON.parse(text) as object }),
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

test('a key never reaches the log', async () => {
  await get(`Bearer ${key}`);
  await fetch(`${app.url}/pets?limit=${key}`, { headers: { Authorization: `Bearer ${key}` } });
  await fetch(`${app.url}/${key}`);
  expect(app.log.length).toBeGreaterThan(0);
  expect(JSON.stringify(app.log)).not.toContain(key);
});
