/** An account that is gone, while its key is still cached: 401 with its challenge, whatever the operation. */
import { expect, test } from '@jest/globals';
import { findCaller } from '@specwright/accounts';
import { ALL_SCOPES } from '@specwright/server';
import { withDatabase } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';

const database = withDatabase();

test.each([
  ['GET /account', undefined],
  ['POST /categories', { name: 'Dogs' }],
  ['POST /store/orders', {}],
  ['POST /messages', { message: 'Hello' }],
  ['POST /account/keys', { name: 'x' }],
  ['PUT /account/webhook', { url: 'https://example.com/hook' }],
])('%s is 401', async (operation, body) => {
  const { accountId, key } = await newAccount(database.db);
  const caller = await findCaller(database.db, key);
  const app = await startApp(database.db, {
    security: { bearerAuth: async () => caller ?? { accountId, keyId: 1, plan: 'free', scopes: ALL_SCOPES } },
  });
  await database.db('accounts').where({ account_id: accountId }).delete();
  const [method = '', path = ''] = operation.split(' ');
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  await app.close();
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="petstore", error="invalid_token"']);
  expect(await response.json()).toEqual({ code: 'unauthorized', message: 'the API key is not valid', status: 401 });
});
