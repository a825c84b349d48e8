/** An `Idempotency-Key` gives nobody what belongs to somebody else: neither a response, nor the knowledge that there is one. */
import { expect, test } from '@jest/globals';
import { createClient, withApp, withDatabase, type JsonClient, type JsonResponse } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { UNLIMITED } from '../support/service/limits.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db, { rateLimit: { plans: UNLIMITED, trustProxy: { header: 'x-forwarded-for', hops: 1 } } }));

/** Someone who happens to use, or has guessed, another one's key. */
const KEY = { 'Idempotency-Key': '1' };
const isReplayed = ({ headers }: JsonResponse) => headers.get('Idempotent-Replayed') === 'true';
const newClient = async (): Promise<JsonClient> => clientWithKey(app.url, (await newAccount(database.db)).key);

test('the same key of another account is another key, with the same body and with another', async () => {
  const [ada, bob, eve] = [await newClient(), await newClient(), await newClient()];
  const first = await ada<{ id: number }>('POST', '/categories', { name: 'Dogs' }, KEY);
  const same = await bob<{ id: number }>('POST', '/categories', { name: 'Dogs' }, KEY);
  const other = await eve('POST', '/account/keys', { name: 'Cats' }, KEY);
  expect([first, same, other].map(({ status }) => status)).toEqual([201, 201, 201]);
  expect([first, same, other].map(isReplayed)).toEqual([false, false, false]);
  expect(same.body.id).not.toBe(first.body.id);
  const retry = await ada<{ id: number }>('POST', '/categories', { name: 'Dogs' }, KEY);
  expect([isReplayed(retry), retry.body.id]).toEqual([true, first.body.id]);
});

test('the key of a sign-up is bound to its address: from another one it neither shows the API key nor that it was used', async () => {
  const from = (address: string) => createClient(app.url, { 'X-Forwarded-For': address });
  const body = { email: 'idempotency@example.com' };
  const first = await from('192.0.2.1')<{ apiKey: string }>('POST', '/accounts', body, KEY);
  expect(first.status).toBe(201);
  const guess = await from('192.0.2.2')('POST', '/accounts', body, KEY);
  expect([guess.status, (guess.body as { code: string }).code]).toEqual([409, 'email_taken']);
  const another = await from('192.0.2.2')<{ apiKey: string }>('POST', '/accounts', { email: 'idempotency-2@example.com' }, KEY);
  expect([another.status, isReplayed(another)]).toEqual([201, false]);
  const retry = await from('192.0.2.1')<{ apiKey: string }>('POST', '/accounts', body, KEY);
  expect([retry.status, isReplayed(retry), retry.body.apiKey]).toEqual([201, true, first.body.apiKey]);
});

test('credentials do not make a sign-up another one, and a sign-up is no key of an account', async () => {
  const ada = await newClient();
  const body = { email: 'idempotency-3@example.com' };
  const key = { 'Idempotency-Key': 'sign-up' };
  const first = await createClient(app.url)<{ apiKey: string }>('POST', '/accounts', body, key);
  const retry = await ada<{ apiKey: string }>('POST', '/accounts', body, key);
  expect([isReplayed(retry), retry.body.apiKey]).toEqual([true, first.body.apiKey]);
  const own = await clientWithKey(app.url, first.body.apiKey)('POST', '/categories', { name: 'x' }, key);
  expect([own.status, isReplayed(own)]).toEqual([201, false]);
});
