/** Rights do not grow: whoever makes, replaces or revokes a key has its scopes, and is still valid when it happens. */
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { findCaller, getKey, issueKey, revokeKey, suspendAccount } from '@specwright/accounts';
import { ALL_SCOPES, type Scoped } from '@specwright/server';
import { createClient, withDatabase, withFixture, type JsonClient, type JsonResponse } from 'specwright/testing';
import type { OperationId } from '../../generated/contract.ts';
import { operations } from '../../generated/operations.ts';
import { newAccount, startApp } from '../support/service/app.ts';

type Scopes = Scoped['scopes'];

const database = withDatabase();
const app = withFixture(
  () => startApp(database.db),
  ({ close }) => close(),
);

/** Every subset of two scopes, and no restriction. */
const GRANTS: readonly Scopes[] = [[], ['a'], ['b'], ['a', 'b'], ALL_SCOPES];
const nameOf = (scopes: Scopes) => (scopes === ALL_SCOPES ? 'all scopes' : `scopes [${scopes.join(' ')}]`);
const includes = (granted: Scopes, required: Scopes) =>
  granted === ALL_SCOPES || (required !== ALL_SCOPES && required.every((scope) => granted.includes(scope)));

const scopesOf = async (key: string) => (await findCaller(database.db, key))?.scopes;
const newKey = (accountId: number, scopes: Scopes) => issueKey(database.db, accountId, { name: 'x', scopes }, new Date());
const clientOf = (key: string, url = app.url) => createClient(url, { Authorization: `Bearer ${key}` });
const rowsOf = (accountId: number) =>
  database.db('api_keys').where({ account_id: accountId }).orderBy('id').select('id', 'version', 'revoked_at', 'expires_at');

interface Keys {
  /** Sends requests with the caller's key. */
  readonly send: JsonClient;
  readonly targetId: number;
  readonly targetKey: string;
  readonly accountId: number;
}

/** A caller with some scopes, and a key with others. */
async function newKeys(granted: Scopes, required: Scopes): Promise<Keys> {
  const { accountId } = await newAccount(database.db);
  const caller = await newKey(accountId, granted);
  const target = await newKey(accountId, required);
  return { accountId, targetId: target.record.id, targetKey: target.apiKey, send: clientOf(caller.apiKey) };
}

function expectRefusal({ status, headers, body }: JsonResponse): void {
  expect([status, headers.get('www-authenticate')]).toEqual([403, 'Bearer realm="petstore", error="insufficient_scope"']);
  expect(body).toMatchObject({ code: 'insufficient_scope', status: 403 });
}

/** What each operation on keys does for a caller with some scopes, and a key with others. */
const EXPECTATIONS: Readonly<Record<string, (keys: Keys, granted: Scopes, required: Scopes) => Promise<void>>> = {
  async listKeys({ send, targetKey }) {
    expect(JSON.stringify((await send('GET', '/account/keys')).body)).not.toContain(targetKey);
  },
  async getKey({ send, targetId, targetKey }) {
    const { status, body } = await send('GET', `/account/keys/${targetId}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(targetKey);
  },
  async createKey({ send }, granted) {
    const { status, body } = await send<{ apiKey: string }>('POST', '/account/keys', { name: 'x' });
    expect(status).toBe(201);
    expect(await scopesOf(body.apiKey)).toEqual(granted);
  },
  async rotateKey({ send, targetId, targetKey, accountId }, granted, required) {
    const before = await getKey(database.db, accountId, targetId);
    const gracePeriod = granted === required ? 0 : 3600;
    const response = await send<{ apiKey: string }>('POST', `/account/keys/${targetId}/rotation`, { gracePeriod });
    if (includes(granted, required)) {
      expect(response.status).toBe(201);
      expect(await scopesOf(response.body.apiKey)).toEqual(required);
    } else {
      expectRefusal(response);
      expect(await getKey(database.db, accountId, targetId)).toEqual(before);
      expect(await scopesOf(targetKey)).toEqual(required);
    }
  },
  async revokeKey({ send, targetId, targetKey }, granted, required) {
    const response = await send('DELETE', `/account/keys/${targetId}`);
    if (includes(granted, required)) expect(response.status).toBe(204);
    else expectRefusal(response);
    expect((await scopesOf(targetKey)) === undefined).toBe(includes(granted, required));
  },
};

test('every operation on keys has its expectation', () => {
  const ofKeys = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].path.startsWith('/account/keys'));
  expect(ofKeys.toSorted()).toEqual(Object.keys(EXPECTATIONS).toSorted());
});

describe.each(Object.entries(EXPECTATIONS))('%s', (_, expectation) => {
  const cases = GRANTS.flatMap((granted) => GRANTS.map((required) => [nameOf(granted), nameOf(required), granted, required] as const));
  test.each(cases)('by a key with %s, of a key with %s', async (_granted, _required, granted, required) => {
    await expectation(await newKeys(granted, required), granted, required);
  });
});

test.each(GRANTS.map((scopes) => [nameOf(scopes), scopes] as const))('a key with %s replaces itself, with the same', async (_, scopes) => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await newKey(accountId, scopes);
  const send = clientOf(apiKey);
  const { status, body } = await send<{ apiKey: string }>('POST', `/account/keys/${record.id}/rotation`, { gracePeriod: 60 });
  expect(status).toBe(201);
  expect(await scopesOf(body.apiKey)).toEqual(scopes);
});

test('a key that was issued with more scopes than those of its caller is refused by the store', async () => {
  const { accountId } = await newAccount(database.db);
  const caller = { accountId, keyId: (await newKey(accountId, ['a'])).record.id, scopes: ['a'] };
  for (const scopes of [['a', 'b'], ALL_SCOPES] as const)
    await expect(issueKey(database.db, caller, { name: 'x', scopes }, new Date())).rejects.toMatchObject({ code: 'insufficient_scope' });
  expect((await issueKey(database.db, caller, { name: 'x', scopes: [] }, new Date())).record.scopes).toEqual([]);
});

test('a retry returns the new key only to a caller with its scopes', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const { accountId } = await newAccount(database.db);
  const by = async (scopes: Scopes) =>
    clientOf((await newKey(accountId, scopes)).apiKey)<{ apiKey: string }>('POST', '/account/keys', { name: 'x' }, headers);
  const first = await by(ALL_SCOPES);
  const restricted = await by(['a']);
  expect([first.status, restricted.status]).toEqual([201, 400]);
  expect(restricted.body).toMatchObject({ code: 'idempotency_key_reused' });
  expect((await by(ALL_SCOPES)).body).toEqual(first.body);
});

/** As on a server whose cache is not invalidated yet, or with a body that is received slowly. */
test.each<[string, (accountId: number, keyId: number) => Promise<void>]>([
  ['revoked', (accountId, keyId) => revokeKey(database.db, accountId, keyId, new Date())],
  ['suspended', (accountId) => suspendAccount(database.db, accountId, new Date())],
])('a caller that was %s after its authentication changes no key', async (_, end) => {
  const { accountId, targetId } = await newKeys(ALL_SCOPES, ALL_SCOPES);
  const { record, apiKey } = await newKey(accountId, ALL_SCOPES);
  const caller = await findCaller(database.db, apiKey);
  if (caller === undefined) throw new Error('the key is not valid');
  const late = await startApp(database.db, { security: { bearerAuth: async () => caller } });
  await end(accountId, record.id);
  const before = await rowsOf(accountId);
  const send = clientOf(apiKey, late.url);
  const responses = [
    await send('POST', '/account/keys', { name: 'x' }),
    await send('POST', `/account/keys/${targetId}/rotation`, { gracePeriod: 0 }),
    await send('DELETE', `/account/keys/${targetId}`),
  ];
  await late.close();
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(await rowsOf(accountId)).toEqual(before);
});
