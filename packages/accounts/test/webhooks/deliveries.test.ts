/** Deliveries and webhooks in the database: leased to one worker, one final status, and no access to those of other accounts. */
import { expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import {
  createDeliveryId,
  endDelivery,
  findDelivery,
  listDeliveries,
  queueDelivery,
  replayDeliveries,
  retryDelivery,
} from '../../src/webhooks/deliveries.ts';
import { findWaitingAccounts, leaseNext, type Lane, type LeasedDelivery } from '../../src/webhooks/queue.ts';
import {
  deleteWebhook,
  findDeliveryTarget,
  getWebhook,
  isGone,
  recordFailure,
  recordGone,
  recordSuccess,
  setWebhook,
  type DeliveryTarget,
} from '../../src/webhooks/webhooks.ts';
import { newAccount, withWebhooksDatabase } from './support/webhooks-database.ts';

const URL = 'https://example.com/hook';
const NOW = new Date('2026-11-21T09:00:00.123Z');

const database = withWebhooksDatabase();
const me = { accountId: newAccount() };
const other = { accountId: newAccount() };

/** A delivery that is queued. @returns its id. */
async function queue(accountId: number, body = '{}'): Promise<string> {
  const id = createDeliveryId(NOW);
  await queueDelivery(database.db, { accountId, id, name: 'noted', body });
  return id;
}

const LEASE_MS = 60_000;

/** Leases what is due first. */
const lease = async (accountId: number, lane: Lane = 'first') =>
  (await leaseNext(database.db, accountId, lane, LEASE_MS)) as LeasedDelivery;

const rowOf = (accountId: number, id: string) =>
  database
    .db('webhook_deliveries')
    .where({ account_id: accountId, id })
    .first<{ lane: string; leasedBy: string | null; wait: number } | undefined>(
      'lane',
      { leasedBy: 'leased_by' },
      database.db.raw('extract(epoch FROM due_at - now())::float8 AS wait'),
    );

test('a delivery is queued under a UUIDv7 of its creation time, and leased once', async () => {
  const { accountId } = me;
  const body = '{"text":"Ré 🐕\\u0000"}';
  const id = await queue(accountId, body);
  expect(id).toMatch(/^msg_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(parseInt(id.slice(4).replace('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
  expect(await findWaitingAccounts(database.db, 'first')).toContain(accountId);
  const leased = await lease(accountId);
  expect(leased).toEqual({
    accountId,
    age: expect.any(Number),
    id,
    leasedBy: expect.any(String),
    name: 'noted',
    body,
    url: null,
    secret: null,
    traceparent: null,
    attempts: 0,
  });
  expect(await findWaitingAccounts(database.db, 'first')).not.toContain(accountId);
  expect(await lease(accountId)).toBeUndefined();
  expect(await findDelivery(database.db, accountId, id)).toEqual({ status: 'queued', attempts: 0, answer: null, isDeclared: null });
});

test('a delivery whose id has been used is not queued again', async () => {
  const accountId = newAccount();
  const id = await queue(accountId);
  await endDelivery(database.db, { accountId, id, name: 'noted', status: 'sent', attempts: 0 });
  await queueDelivery(database.db, { accountId, id, name: 'other', body: '[]' });
  expect(await database.db('webhook_deliveries').where({ account_id: accountId }).select('name', 'body', 'status')).toEqual([
    { name: 'noted', body: '{}', status: 'sent' },
  ]);
  expect(await lease(accountId)).toBeUndefined();
});

test('one delivery of an account is leased in a lane, whoever asks, and those of other accounts and lanes beside it', async () => {
  const [accountId, another] = [newAccount(), newAccount()];
  const ids = [];
  for (let i = 0; i < 5; i++) ids.push(await queue(accountId));
  await queue(another);
  const asked = await Promise.all(Array.from({ length: 20 }, () => leaseNext(database.db, accountId, 'first', LEASE_MS)));
  const [leased, ...more] = asked.filter((delivery) => delivery !== undefined);
  expect([leased?.id, more]).toEqual([ids[0], []]);
  expect((await lease(another)).accountId).toBe(another);
  await retryDelivery(database.db, leased as LeasedDelivery, { attempts: 1 });
  const [first, retried] = await Promise.all([lease(accountId), lease(accountId, 'retries')]);
  expect([first.id, retried.id]).toEqual([ids[1], ids[0]]);
});

test('a second delivery of an account cannot be leased in a lane by any statement', async () => {
  const accountId = newAccount();
  for (let i = 0; i < 2; i++) await queue(accountId);
  const all = database.db('webhook_deliveries').where({ account_id: accountId });
  await expect(all.update({ leased_by: 'me', leased_until: NOW })).rejects.toMatchObject({ code: '23505' });
});

test('a delivery that a transaction holds is not waited for', async () => {
  const accountId = newAccount();
  await queue(accountId);
  const holder = await database.db.transaction();
  await holder('webhook_deliveries').where({ account_id: accountId }).update({ webhook_deleted: true });
  expect(await lease(accountId)).toBeUndefined();
  await holder.rollback();
  expect(await lease(accountId)).toBeDefined();
});

test('deliveries of one transaction are leased in the order in which it has sent them, and replayed in that of their creation', async () => {
  const accountId = newAccount();
  // As ids that a service chooses may be.
  const ids = ['c', 'a', 'e', 'b', 'd'];
  await database.db.transaction(async (trx) => {
    for (const id of ids) await queueDelivery(trx, { accountId, id, name: 'noted', body: '{}' });
  });
  const leasedInOrder = async (status: 'sent' | 'failed') => {
    const leased = [];
    for (let i = 0; i < ids.length; i++) {
      const { id, attempts } = await lease(accountId);
      leased.push(id);
      // A delivery that is replayed has all its attempts again.
      expect(attempts).toBe(0);
      await endDelivery(database.db, { accountId, id, name: 'noted', status, attempts: 3 });
    }
    return leased;
  };
  expect(await leasedInOrder('failed')).toEqual(ids);
  const byAge = ['b', 'd', 'a', 'c', 'e'];
  for (const [i, id] of byAge.entries())
    await database
      .db('webhook_deliveries')
      .where({ account_id: accountId, id })
      .update({ created_at: new Date(NOW.getTime() + i) });
  expect(await replayDeliveries(database.db, { accountId, since: NOW })).toBe(5);
  expect(await leasedInOrder('sent')).toEqual(byAge);
});

test('more deliveries than a batch are listed from the newest, and replayed from the oldest', async () => {
  const accountId = newAccount();
  // Stored from the newest to the oldest, so that neither order is that of the table.
  await database.db.raw(
    `INSERT INTO webhook_deliveries (account_id, id, name, body, status, ended_at, created_at)
     SELECT ?, lpad(n::text, 3, '0'), 'noted', '{}', 'failed', now(), now() + n * interval '1 second' FROM generate_series(501, 1, -1) n`,
    [accountId],
  );
  expect((await listDeliveries(database.db, { accountId }, 2)).map(({ id }) => id)).toEqual(['501', '500']);
  const batches: string[][] = [];
  const onReplay = async (_: unknown, replayed: readonly { id: string }[]) => void batches.push(replayed.map(({ id }) => id).sort());
  expect(await replayDeliveries(database.db, { accountId }, onReplay)).toBe(501);
  expect(batches.map((ids) => [ids.length, ids[0], ids.at(-1)])).toEqual([
    [500, '001', '500'],
    [1, '501', '501'],
  ]);
});

test('accounts that use the same id have a delivery each', async () => {
  const id = 'order-7-completed';
  const accounts = [newAccount(), newAccount(), newAccount()];
  for (const accountId of accounts) await queueDelivery(database.db, { accountId, id, name: 'noted', body: '{}' });
  const [first = 0, second = 0, third = 0] = accounts;
  await retryDelivery(database.db, await lease(second), { attempts: 1, delay: 60_000 });
  expect([await lease(second), await lease(second, 'retries')]).toEqual([undefined, undefined]);
  for (const accountId of [first, third]) expect(await lease(accountId)).toMatchObject({ accountId, id });
});

test('a delivery with a final status keeps it, is not retried, and has ended once for its service', async () => {
  const accountId = newAccount();
  const id = await queue(accountId);
  const leased = await lease(accountId);
  const ended: unknown[] = [];
  const onEnd = async (_: unknown, delivery: unknown) => void ended.push(delivery);
  const failed = { accountId, id, name: 'noted', status: 'failed', attempts: 3, answer: 500, isDeclared: false } as const;
  await endDelivery(database.db, failed, onEnd);
  await endDelivery(database.db, { ...failed, status: 'sent', attempts: 0 }, onEnd);
  await retryDelivery(database.db, leased, { attempts: 1, delay: 0 });
  expect(await findDelivery(database.db, accountId, id)).toEqual({ status: 'failed', attempts: 3, answer: 500, isDeclared: false });
  expect([await lease(accountId), await lease(accountId, 'retries')]).toEqual([undefined, undefined]);
  expect(ended).toEqual([failed]);
});

test('a delivery that cannot be queued is not there, and the reason is told', async () => {
  const { accountId } = me;
  const id = createDeliveryId(NOW);
  await database.db.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'none today'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await expect(queueDelivery(database.db, { accountId, id, name: 'noted', body: '{}' })).rejects.toThrow('none today');
  } finally {
    await database.db.raw('DROP TRIGGER refuse ON webhook_deliveries; DROP FUNCTION refuse');
  }
  expect(await findDelivery(database.db, accountId, id)).toBeUndefined();
});

test('a delivery does not end if what its service does then fails', async () => {
  const id = await queue(me.accountId);
  const ended = { accountId: me.accountId, id, name: 'noted', status: 'sent', attempts: 0 } as const;
  await expect(endDelivery(database.db, ended, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await findDelivery(database.db, me.accountId, id)).toMatchObject({ status: 'queued' });
});

test('a retry is in the other lane with a delay, and is nothing for a worker that has lost its lease', async () => {
  const accountId = newAccount();
  const id = await queue(accountId);
  const leased = await lease(accountId);
  await retryDelivery(database.db, { ...leased, leasedBy: 'another' }, { attempts: 5 });
  expect(await rowOf(accountId, id)).toMatchObject({ lane: 'first', leasedBy: leased.leasedBy });
  await retryDelivery(database.db, leased, { attempts: 1, delay: 60_000 });
  const row = await rowOf(accountId, id);
  expect(row).toMatchObject({ lane: 'retries', leasedBy: null });
  expect(row?.wait).toBeGreaterThan(50);
  expect(await findDelivery(database.db, accountId, id)).toMatchObject({ status: 'queued', attempts: 1 });
});

test("another account's delivery is not found, and cannot be ended or retried", async () => {
  const owner = newAccount();
  const id = await queue(owner);
  const leased = await lease(owner);
  const { accountId } = me;
  expect(await findDelivery(database.db, accountId, id)).toBeUndefined();
  await endDelivery(database.db, { accountId, id, name: 'noted', status: 'sent', attempts: 0 });
  await retryDelivery(database.db, { ...leased, accountId }, { attempts: 5, delay: 0 });
  expect(await findDelivery(database.db, owner, id)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('each account has its own webhook, whose secret is replaced each time it is set', async () => {
  await expect(getWebhook(database.db, me.accountId)).rejects.toMatchObject({ code: 'not_found' });
  const first = await setWebhook(database.db, me.accountId, { url: URL }, NOW);
  expect(await findDeliveryTarget(database.db, me.accountId)).toMatchObject({
    url: URL,
    secret: first.secret,
    failures: 0,
    pausedFor: 0,
  });
  expect(await getWebhook(database.db, me.accountId)).toEqual({
    version: first.version,
    record: { url: URL, createdAt: NOW.toISOString() },
  });
  const second = await setWebhook(database.db, me.accountId, { url: `${URL}/2` }, NOW);
  expect(second.secret).not.toBe(first.secret);
  expect(second.version).not.toBe(first.version);
  expect(await findDeliveryTarget(database.db, other.accountId)).toBeUndefined();
  await expect(getWebhook(database.db, other.accountId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteWebhook(database.db, other.accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findDeliveryTarget(database.db, me.accountId)).toMatchObject({
    url: `${URL}/2`,
    secret: second.secret,
    failures: 0,
    pausedFor: 0,
  });
});

test('a failed delivery, one that succeeded and a receiver that is gone count for a webhook of the account alone', async () => {
  const { accountId } = other;
  await setWebhook(database.db, accountId, { url: URL }, NOW);
  const read = async () => (await findDeliveryTarget(database.db, accountId)) as DeliveryTarget;
  const theirs = await read();
  await recordFailure(database.db, me.accountId, theirs, { threshold: 1, pause: 60_000 });
  await recordGone(database.db, me.accountId, theirs);
  expect(await read()).toEqual(theirs);
  await recordFailure(database.db, accountId, theirs, { threshold: 3, pause: 60_000 });
  await recordSuccess(database.db, me.accountId, theirs);
  expect(await read()).toEqual({ ...theirs, failures: 1 });
  await recordGone(database.db, accountId, theirs);
  expect(isGone(await read())).toBe(true);
});

test('a failure that cannot be recorded is an error', async () => {
  const { accountId } = other;
  await setWebhook(database.db, accountId, { url: URL }, NOW);
  const target = (await findDeliveryTarget(database.db, accountId)) as DeliveryTarget;
  const closed = connect({ url: database.url, pool: 1 });
  await closed.destroy();
  await expect(recordFailure(closed, accountId, target, { threshold: 3, pause: 60_000 })).rejects.toThrow();
});

test('preconditions on a webhook are checked, and no version is used twice', async () => {
  const accountId = newAccount();
  const fails = { code: 'precondition_failed' };
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, (version) => version !== undefined)).rejects.toMatchObject(fails);
  const first = await setWebhook(database.db, accountId, { url: URL }, NOW);
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, () => false)).rejects.toMatchObject(fails);
  await expect(deleteWebhook(database.db, accountId, () => false)).rejects.toMatchObject(fails);
  await deleteWebhook(database.db, accountId, (version) => version === first.version);
  await expect(deleteWebhook(database.db, accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect((await setWebhook(database.db, accountId, { url: URL }, NOW)).version).not.toBe(first.version);
});

test('webhooks that are set at once replace one another: each has a version and a secret of its own, and the last one stays', async () => {
  const accountId = newAccount();
  const set = await Promise.all(Array.from({ length: 20 }, () => setWebhook(database.db, accountId, { url: URL }, NOW)));
  expect(new Set(set.map(({ version }) => version)).size).toBe(20);
  expect(new Set(set.map(({ secret }) => secret)).size).toBe(20);
  const last = Math.max(...set.map(({ version }) => Number(version)));
  const kept = await database.db('webhooks').where({ account_id: accountId }).select('version', 'secret');
  expect(kept).toEqual([{ version: last, secret: set.find(({ version }) => Number(version) === last)?.secret }]);
});
