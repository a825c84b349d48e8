/** Responses to requests with an `Idempotency-Key`: one transaction with the effect, sealed, scoped, and kept for 24 hours. */
import { expect, test } from '@jest/globals';
import { openIdempotencyStore, type Caller, type PostgresIdempotencyStore } from '@specwright/accounts';
import { connect, databaseMetrics, type Database, type Transaction } from '@specwright/postgres';
import { ALL_SCOPES, AppError, type IdempotentRequest, type UnvalidatedResponse } from '@specwright/server';
import { dumpRows, until, withFixture } from 'specwright/testing';
import { deriveSecrets } from '../src/idempotency/idempotency-store.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

type Store = PostgresIdempotencyStore;

const database = withAccountsDatabase();
const store = withFixture<Store>(
  async () => {
    await database.db.raw('CREATE TABLE notes (text text)');
    return openIdempotencyStore(database.db);
  },
  (opened) => opened.close(),
);

const callerOf = (accountId: number): Caller => ({ accountId, keyId: 1, plan: 'free', scopes: ALL_SCOPES });
const RESPONSE: UnvalidatedResponse = { status: 201, headers: { ETag: '"1"' }, type: undefined, body: { secret: 'psk_live_abc' } };

let keys = 0;
const requestOf = (given: Partial<IdempotentRequest<Caller>> = {}): IdempotentRequest<Caller> => ({
  caller: callerOf(1),
  address: 'ip:192.0.2.1',
  key: `key-${++keys}`,
  fingerprint: Buffer.from('fingerprint'),
  ...given,
});

/** Inserts a note and returns the response. */
const write =
  (text: string, response = RESPONSE) =>
  async (trx: Transaction) => {
    await trx('notes').insert({ text });
    return response;
  };
const countNotes = async (text: string) => (await database.db('notes').where({ text }).select('text')).length;

test('replays a response with status, headers, media type and body', async () => {
  const request = requestOf();
  const response = { status: 202, headers: { Location: '/x', 'X-Number': 7 }, type: 'text/plain', body: 'ré 🐕' };
  expect(await store.run(request, write('whole', response))).toEqual({ response, isReplay: false });
  expect(await store.run(request, write('whole'))).toEqual({ response, isReplay: true });
  expect(await countNotes('whole')).toBe(1);
});

test('replays bytes', async () => {
  const request = requestOf();
  const response = { status: 201, headers: {}, type: 'application/pdf', body: Buffer.from([0, 255, 10]) };
  await store.run(request, async () => response);
  expect((await store.run(request, async () => RESPONSE)).response.body).toEqual(response.body);
});

test('replays bigint, and text that looks like one', async () => {
  const request = requestOf();
  const body = { id: 9007199254740993n, list: [-1n, 1, '9007199254740993'], marker: 'm', text: '{}' };
  const response = { status: 201, headers: { 'X-Id': 9007199254740993n }, type: 'application/json', body };
  await store.run(request, async () => response);
  expect((await store.run(request, async () => RESPONSE)).response).toEqual(response);
});

test('stores neither effect nor response of work that throws', async () => {
  const request = requestOf();
  const failed = store.run(request, async (trx) => {
    await write('refused')(trx);
    throw new AppError('invalid_request', 'no');
  });
  await expect(failed).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await countNotes('refused')).toBe(0);
  expect(await store.run(request, write('refused'))).toMatchObject({ isReplay: false });
});

test('refuses a key for another request', async () => {
  const request = requestOf();
  await store.run(request, write('first'));
  const other = store.run({ ...request, fingerprint: Buffer.from('other') }, write('other'));
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect(await countNotes('other')).toBe(0);
});

test('a key of another account, or of another address, is another key', async () => {
  const request = requestOf();
  const scopes = [request, { ...request, caller: callerOf(2) }, { ...request, caller: undefined }];
  for (const scope of [...scopes, { ...request, caller: undefined, address: 'ip:192.0.2.2' }])
    expect(await store.run(scope, write('scoped'))).toMatchObject({ isReplay: false });
  // With a caller the address does not matter, nor which of its keys it calls with.
  const moved = { ...request, address: 'ip:192.0.2.9', caller: { ...callerOf(1), keyId: 2 } };
  expect(await store.run(moved, write('scoped'))).toMatchObject({ isReplay: true });
  expect(await countNotes('scoped')).toBe(4);
});

test('the database has neither the key nor the response, and the row opens with the key of its scope alone', async () => {
  const request = requestOf({ key: 'idempotency-key-to-be-found' });
  await store.run(request, write('sealed'));
  const rows = await dumpRows(database.db);
  const traces = [request.key, 'psk_live_abc'].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64'),
  ]);
  for (const trace of traces) expect(rows).not.toContain(trace);

  const { id, open } = deriveSecrets(request.key, 'account:1');
  const row = await database.db('idempotency_keys').where({ id }).first<{ response: Buffer }>('response');
  expect(open(row.response)).toContain('psk_live_abc');
  for (const [key, scope] of [
    ['other', 'account:1'],
    [request.key, 'account:2'],
  ] as const)
    expect(() => deriveSecrets(key, scope).open(row.response)).toThrow();
});

/** Makes a row as old as that. */
const age = (key: string, interval: string) =>
  database.db.raw('UPDATE idempotency_keys SET expires_at = expires_at - ?::interval, created_at = created_at - ?::interval WHERE id = ?', [
    interval,
    interval,
    deriveSecrets(key, 'account:1').id,
  ]);

test('forgets a key after 24 hours, though its row is still there', async () => {
  const request = requestOf();
  await store.run(request, write('aged'));
  await age(request.key, '23:59:50');
  expect(await store.run(request, write('aged'))).toMatchObject({ isReplay: true });
  await age(request.key, '00:00:11');
  expect(await store.run({ ...request, fingerprint: Buffer.from('new') }, write('aged'))).toMatchObject({ isReplay: false });
  expect(await store.run({ ...request, fingerprint: Buffer.from('new') }, write('aged'))).toMatchObject({ isReplay: true });
});

test('removes what is older than 24 hours, all of it, and nothing else', async () => {
  const [old, young] = [requestOf(), requestOf()];
  for (const request of [old, young]) await store.run(request, write('removed'));
  await age(old.key, '24:00:01');
  await database.db.raw(
    `INSERT INTO idempotency_keys SELECT 7, sha256(n::text::bytea), sha256('x'), NULL, now() - interval '2 days', now() - interval '1 day' FROM generate_series(1, 2500) n`,
  );
  expect(await store.removeExpired()).toBe(2501);
  expect(await store.run(young, write('removed'))).toMatchObject({ isReplay: true });
});

/** Work that ends when it is told to. */
function blockedWork(text: string) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isStarted = false;
  const work = async (trx: Transaction) => {
    isStarted = true;
    await released;
    return write(text)(trx);
  };
  return { work, release: () => release(), started: () => until(() => isStarted) };
}

/** A store of another process, whose statements wait for locks for at most 300 ms. */
async function withOtherStore(run: (other: Store, db: Database) => Promise<void>): Promise<void> {
  const db = connect({ url: database.url, pool: 2, lockTimeoutMs: 300 });
  const other = openIdempotencyStore(db);
  try {
    await run(other, db);
  } finally {
    other.close();
    await db.destroy();
  }
}

test('a request waits for one with the same key in another process, and gets its response', async () => {
  await withOtherStore(async (other) => {
    const request = requestOf();
    const { work, release, started } = blockedWork('two processes');
    const first = store.run(request, work);
    await started();
    const second = other.run(request, write('two processes'));
    release();
    expect(await first).toMatchObject({ isReplay: false });
    expect(await second).toMatchObject({ isReplay: true });
    expect(await countNotes('two processes')).toBe(1);
  });
});

test('a request whose first one does not end is refused: here and in another process', async () => {
  await withOtherStore(async (other) => {
    const request = requestOf();
    const { work, release, started } = blockedWork('held');
    const first = store.run(request, work);
    await started();
    const late = [store.run(request, write('held')), other.run(request, write('held'))];
    for (const refused of await Promise.allSettled(late))
      expect(refused).toMatchObject({ reason: { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } } });
    release();
    await first;
    expect(await countNotes('held')).toBe(1);
  });
});

test('requests that wait in a process hold no connection', async () => {
  await withOtherStore(async (other, db) => {
    const request = requestOf();
    const { work, release, started } = blockedWork('many');
    const first = other.run(request, work);
    await started();
    const others = Array.from({ length: 20 }, () => other.run(request, write('many')));
    // The pool has two.
    await db.raw('SELECT 1');
    const { values = [] } = databaseMetrics(db)().find(({ name }) => name === 'db_client_connections') ?? {};
    expect(values.map(({ labels, value }) => [labels?.['db_client_connection_state'], value])).toContainEqual(['used', 1]);
    release();
    expect((await Promise.all([first, ...others])).filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(await countNotes('many')).toBe(1);
  });
});

test('the removal leaves a row alone that has been taken over while it waited for it', async () => {
  const request = requestOf();
  await store.run(request, write('taken over'));
  await age(request.key, '24:00:01');
  const { work, release, started } = blockedWork('taken over');
  const renewed = store.run(request, work);
  await started();
  const removal = store.removeExpired();
  await until(async () => (await waiting()) === 1);
  release();
  expect(await renewed).toMatchObject({ isReplay: false });
  expect(await removal).toBe(0);
  expect(await store.run(request, write('taken over'))).toMatchObject({ isReplay: true });
});

/** How many connections wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await database.db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}
