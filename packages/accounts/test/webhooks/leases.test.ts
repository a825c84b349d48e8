/** Leases of deliveries: renewed by their worker alone, freed when nobody renews them, and a delivery whose lease is lost is aborted. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { scaleTimeout, until } from 'specwright/testing';
import { startTcpProxy } from '../../../../test/support/tools/tcp-proxy.ts';
import { queueDelivery } from '../../src/webhooks/deliveries.ts';
import { Leases } from '../../src/webhooks/leases.ts';
import { freeExpiredLeases, leaseNext, releaseLease, type LeasedDelivery } from '../../src/webhooks/queue.ts';
import { newAccount, withWebhooksDatabase } from './support/webhooks-database.ts';

const LEASE_MS = scaleTimeout(800);

const database = withWebhooksDatabase();
const cleanups: (() => Promise<void> | void)[] = [];
beforeEach(() => database.db('webhook_deliveries').delete());
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A delivery that is leased. @param lease from now on, in ms. */
async function leasedDelivery(id: string, lease = LEASE_MS): Promise<LeasedDelivery> {
  const accountId = newAccount();
  await queueDelivery(database.db, { accountId, id, name: 'noted', body: '{}' });
  return (await leaseNext(database.db, accountId, 'first', lease)) as LeasedDelivery;
}

const holders = async () => {
  const rows = await database.db('webhook_deliveries').select<{ id: string; leased_by: string | null }[]>('id', 'leased_by');
  return Object.fromEntries(rows.map((row) => [row.id, row.leased_by]));
};

function startLeases(db = database.db, onFreed: (count: number) => void = () => undefined, lease = LEASE_MS): Leases {
  const leases = new Leases(db, { lease, onFreed });
  cleanups.push(() => leases.close());
  return leases;
}

/** What goes on until it is told to end. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const given: AbortSignal[] = [];
  return { given, end: () => end(), run: (signal: AbortSignal) => (given.push(signal), ended) };
}

test('frees leases that are over, and no others', async () => {
  const { leasedBy } = await leasedDelivery('new', 60_000);
  await leasedDelivery('old', 0);
  expect(await freeExpiredLeases(database.db)).toBe(1);
  expect(await holders()).toEqual({ new: leasedBy, old: null });
  expect(await freeExpiredLeases(database.db)).toBe(0);
});

test('a delivery that takes several leases stays with its worker, although another one frees those that are over', async () => {
  const freed: number[] = [];
  const leased = await leasedDelivery('long');
  const { run, given, end } = work();
  const running = startLeases().run(leased, performance.now(), run);
  startLeases(database.db, (count) => freed.push(count));
  await new Promise((resolve) => setTimeout(resolve, 3 * LEASE_MS));
  expect(await holders()).toEqual({ long: leased.leasedBy });
  expect([given[0]?.aborted, freed]).toEqual([false, []]);
  end();
  await running;
  // Nobody renews it any more.
  await until(async () => (await holders())['long'] === null);
});

test('a delivery that another worker has leased meanwhile is aborted, and the other keeps it', async () => {
  const leased = await leasedDelivery('taken');
  const { run, given, end } = work();
  const running = startLeases().run(leased, performance.now(), run);
  await database.db('webhook_deliveries').where({ id: 'taken' }).update({ leased_by: 'other' });
  await until(() => given[0]?.aborted === true);
  expect(given[0]?.reason).toMatchObject({ message: 'its lease is lost' });
  await releaseLease(database.db, leased, true);
  expect(await holders()).toEqual({ taken: 'other' });
  end();
  await running;
});

test('a delivery whose lease cannot be renewed is aborted before anybody else may have it', async () => {
  const proxy = await startTcpProxy(database.url);
  const db = connect({ url: proxy.url, pool: 1 });
  cleanups.push(
    () => proxy.close(),
    () => db.destroy(),
  );
  // A quarter of the lease is left when it is aborted: long enough for a busy machine to look.
  const lease = 4 * LEASE_MS;
  const began = performance.now();
  const leased = await leasedDelivery('silent', lease);
  const { run, given, end } = work();
  await proxy.refuse();
  const running = startLeases(db, () => undefined, lease).run(leased, began, run);
  const freed = await new Promise<number>((resolve, reject) => {
    given[0]?.addEventListener('abort', () => void freeExpiredLeases(database.db).then(resolve, reject), { once: true });
  });
  expect(given[0]?.reason).toMatchObject({ message: 'its lease could not be renewed' });
  expect(freed).toBe(0);
  end();
  await running;
});

test('a delivery that is released is due at once, or the later the longer it has been queued', async () => {
  const wait = async ({ id }: LeasedDelivery) => {
    const due = database.db.raw('extract(epoch FROM due_at - now())::float8 AS wait');
    return (await database.db('webhook_deliveries').where({ id, leased_by: null }).first<{ wait: number } | undefined>(due))?.wait;
  };
  const [now, soon, later, latest] = [
    await leasedDelivery('now'),
    await leasedDelivery('soon'),
    await leasedDelivery('later'),
    await leasedDelivery('latest'),
  ];
  const age = (id: string, age: string) =>
    database
      .db('webhook_deliveries')
      .where({ id })
      .update({ created_at: database.db.raw('now() - ?::interval', [age]) });
  await age('later', '10 minutes');
  await age('latest', '2 days');
  await releaseLease(database.db, now, true);
  for (const leased of [soon, later, latest]) await releaseLease(database.db, leased, false);
  expect(await wait(now)).toBeLessThanOrEqual(0);
  expect(await wait(soon)).toBeGreaterThan(-20);
  expect(await wait(later)).toBeGreaterThan(500);
  expect(await wait(later)).toBeLessThan(660);
  expect(await wait(latest)).toBeGreaterThan(3500);
  expect(await wait(latest)).toBeLessThanOrEqual(3600);
});

test('an interruption aborts the deliveries under way, and those that begin later', async () => {
  const leases = startLeases();
  const [now, later] = [work(), work()];
  const running = leases.run(await leasedDelivery('1'), performance.now(), now.run);
  leases.interrupt();
  const begun = leases.run(await leasedDelivery('2'), performance.now(), later.run);
  expect([now, later].map(({ given }) => given[0]?.aborted)).toEqual([true, true]);
  for (const { end } of [now, later]) end();
  await Promise.all([running, begun]);
});
