/** The counters in PostgreSQL: two fixed windows, requests that are decided together, and several stores on one database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openCounterStore, type PostgresCounterStore } from '@specwright/accounts';
import { countDeadlocks } from 'specwright/testing';
import { Counters } from '../src/limits/counters.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const QUOTA = { minute: 5, day: 12 };
const database = withAccountsDatabase();
let store: PostgresCounterStore;
let moved = 0;
beforeAll(() => {
  store = openCounterStore({ url: database.url, advance: () => moved });
});
afterAll(() => store.close());

const request = (cost = 1, bucket = 'b', quota = QUOTA) => ({ bucket, cost, quota });

/** One window as its definition says, independent of the program's own arithmetic. */
function createWindow(length: number) {
  let used = 0;
  let ends = 0;
  return {
    usedAt: (now: number) => (now < ends ? used : 0),
    add(cost: number, now: number) {
      if (now >= ends) [used, ends] = [0, now + length];
      used += cost;
    },
    /** One that has ended, or in which nothing was counted, is not open. */
    stateAt: (now: number) => (now < ends ? { used, ends } : { used: 0, ends: 0 }),
  };
}

test('after the clock was set back by an hour a window ends a full length from then', async () => {
  const one = request(1, 'set back', { minute: 1, day: 9 });
  const before = moved;
  expect((await store.take(one)).admitted).toBe(true);
  moved = before - 3_600_000;
  const refused = await store.take(one);
  expect([refused.admitted, refused.minute.ends - refused.now, refused.day.ends - refused.now]).toEqual([false, 60_000, 86_400_000]);
  moved += 30_000;
  expect((await store.take(one)).minute.ends).toBe(refused.minute.ends);
  moved += 30_001;
  expect((await store.take(one)).admitted).toBe(true);
  moved = before;
});

test('commits asynchronously, in its own transactions only: the setting is neither of the session nor of the start-up message', async () => {
  await database.db.raw(`
    CREATE TABLE commits (setting text);
    CREATE FUNCTION record_commit() RETURNS trigger LANGUAGE plpgsql
      AS $$BEGIN INSERT INTO commits VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$;
    CREATE CONSTRAINT TRIGGER record_commit AFTER INSERT OR UPDATE ON rate_limit_counters
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_commit()`);
  const { rows } = await database.db.raw<{ rows: { name: string }[] }>('SELECT current_database() AS name');
  // The test server's own default is off.
  await database.db.raw('ALTER DATABASE ?? SET synchronous_commit = on', [rows[0]?.name ?? '']);
  const fresh = openCounterStore({ url: database.url });
  await fresh.take(request(1, 'commit'));
  await fresh.take(request(1, 'commit'));
  await fresh.charge([{ bucket: 'commit', minute: { used: 1, ends: 1 }, day: { used: 1, ends: 1 } }]);
  expect(await database.db('commits').pluck('setting')).toEqual(['off', 'off', 'on']);
  await fresh.removeExpired();
  await fresh.close();
  await database.db.raw('DROP TRIGGER record_commit ON rate_limit_counters');
});

test('decides each of 1,000 random requests as two fixed windows', async () => {
  const createBucket = () => ({ minute: createWindow(60_000), day: createWindow(86_400_000) });
  const buckets = new Map<string, ReturnType<typeof createBucket>>();
  for (let i = 0; i < 1000; i++) {
    moved += Math.floor(Math.random() * (i % 50 === 0 ? 90_000_000 : 30_000));
    const quota = i % 200 < 100 ? QUOTA : { minute: 4, day: 20 };
    const bucket = `random ${i % 3}`;
    const cost = Math.floor(Math.random() * 4);
    const { now, ...result } = await store.take({ bucket, cost, quota });
    const windows = buckets.get(bucket) ?? createBucket();
    buckets.set(bucket, windows);
    const { minute, day } = windows;
    const admitted = cost === 0 || (minute.usedAt(now) + cost <= quota.minute && day.usedAt(now) + cost <= quota.day);
    if (admitted && cost > 0) for (const window of [minute, day]) window.add(cost, now);
    expect(result).toMatchObject({ admitted, minute: minute.stateAt(now), day: day.stateAt(now), changes: 0 });
  }
});

test('decides requests of one bucket in one statement in the order in which they came', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, async () => store.take(request(2, 'together', { minute: 9, day: 100 }))));
  expect(answers.map(({ admitted, minute }) => [admitted, minute.used])).toEqual([
    ...[2, 4, 6, 8].map((used) => [true, used]),
    ...[8, 8, 8, 8].map((used) => [false, used]),
  ]);
});

test('reading the windows, or a refusal, opens none: it begins with the first request that is counted', async () => {
  const quota = { minute: 2, day: 3 };
  const take = (cost: number) => store.take(request(cost, 'read before', quota));
  const notOpen = { used: 0, ends: 0 };
  expect(await take(0)).toMatchObject({ admitted: true, minute: notOpen, day: notOpen });
  expect(await take(3)).toMatchObject({ admitted: false, minute: notOpen, day: notOpen });
  moved += 30_000;
  const { now, ...first } = await take(1);
  expect(first).toMatchObject({ minute: { used: 1, ends: now + 60_000 }, day: { used: 1, ends: now + 86_400_000 } });
  moved += 60_001;
  expect(await take(0)).toMatchObject({ minute: notOpen, day: first.day });
  moved += 30_000;
  const next = await take(1);
  expect(next.minute).toEqual({ used: 1, ends: next.now + 60_000 });
});

test('a charge opens its own window where nothing was counted, although the windows were read', async () => {
  const { now } = await store.take(request(0, 'charged after reading'));
  const window = { used: 2, ends: now + 59_000 };
  await store.charge([{ bucket: 'charged after reading', minute: window, day: { used: 2, ends: now + 80_000_000 } }]);
  expect(await store.take(request(0, 'charged after reading'))).toMatchObject({ minute: window, day: { used: 2, ends: now + 80_000_000 } });
});

test('takes buckets of any name, and many at once with different costs and quotas', async () => {
  const names = ['"', '\\', 'a"b\\c', '{}', ',', 'NULL', '', ' ', 'é', '\u{1f600}', '\ufffd', 'line\nbreak'];
  const take = () =>
    Promise.all(
      names.flatMap((bucket, i) => [1, 2].map(async (cost) => store.take(request(cost, `any ${bucket}`, { minute: 3 + i, day: 9 + i })))),
    );
  expect((await take()).map(({ minute }) => minute.used)).toEqual(names.flatMap(() => [1, 3]));
  expect((await take()).map(({ admitted }) => admitted)).toEqual(names.flatMap((_, i) => [i >= 1, i >= 3]));
});

test('decides requests of one bucket by the limits of each: those with other limits of a day are not equal', async () => {
  const take = (day: number) => store.take(request(1, 'two quotas', { minute: 100, day }));
  const answers = await Promise.all([take(2), take(2), take(2), take(3), take(3)]);
  expect(answers.map(({ admitted, day }) => [admitted, day.used])).toEqual([
    [true, 1],
    [true, 2],
    [false, 2],
    [true, 3],
    [false, 3],
  ]);
});

test('a first statement admits no more than either window has, and counts the cost of each request', async () => {
  const take = (bucket: string, minute: number, day: number) =>
    Promise.all(Array.from({ length: 4 }, async () => (await store.take(request(2, bucket, { minute, day }))).admitted));
  expect(await take('few a day', 100, 5)).toEqual([true, true, false, false]);
  expect(await take('few a minute', 5, 100)).toEqual([true, true, false, false]);
});

test('counts without prepared statements too, and goes on after a statement has failed', async () => {
  const url = new URL(database.url);
  url.searchParams.set('prepared_statements', 'off');
  const unprepared = openCounterStore({ url: url.href });
  const take = (cost = 1) => unprepared.take(request(cost, 'unprepared'));
  expect([(await take()).minute.used, (await take()).minute.used]).toEqual([1, 2]);
  await expect(take(2 ** 40)).rejects.toThrow('out of range');
  expect((await take()).minute.used).toBe(3);
  await unprepared.close();
});

test('never exceeds a limit with concurrent requests of different costs', async () => {
  const costs = Array.from({ length: 300 }, (_, i) => 1 + (i % 3));
  const answers = await Promise.all(costs.map(async (cost) => store.take(request(cost, 'mixed', { minute: 100, day: 1000 }))));
  const used = costs.reduce((sum, cost, i) => sum + (answers[i]?.admitted ? cost : 0), 0);
  expect(used).toBe(100);
});

test('removes counters whose day has ended, and keeps the others', async () => {
  await store.take(request(1, 'old'));
  moved += 86_400_001;
  await store.take(request(1, 'new'));
  expect(await store.removeExpired()).toBeGreaterThan(0);
  expect(await database.db('rate_limit_counters').orderBy('bucket').pluck('bucket')).toEqual(['new']);
});

test('removes as many ended counters as there are', async () => {
  await database.db.raw(`INSERT INTO rate_limit_counters
    SELECT 'flood ' || i, 1, 1, 1, i, 1, 1, 1, 60, 5000, 1 FROM generate_series(1, 9000) i`);
  expect(await store.removeExpired()).toBeGreaterThanOrEqual(9000);
  expect(await database.db('rate_limit_counters').whereLike('bucket', 'flood%').pluck('bucket')).toEqual([]);
});

test('forgets the addresses of a flood minutes later, but none that has used more than its rate, and no account', async () => {
  const quota = { minute: 60, day: 5000 };
  const addresses = [
    ...Array.from({ length: 3000 }, (_, i) => `ip:2001:db8:${i.toString(16)}:100::/56`),
    ...Array.from({ length: 1500 }, (_, i) => `ip:198.51.${i >> 8}.${i & 255}`),
  ];
  const left = async () => (await database.db('rate_limit_counters').whereLike('bucket', 'ip:%').pluck<string[]>('bucket')).sort();
  await Promise.all([
    ...addresses.map(async (bucket) => store.take({ bucket, cost: 1, quota })),
    store.take({ bucket: 'ip:192.0.2.1', cost: 60, quota }),
    store.take({ bucket: 'account:1', cost: 1, quota }),
  ]);
  expect(await store.removeExpired()).toBe(0);
  moved += 61_000;
  await store.take({ bucket: 'ip:198.51.0.0', cost: 1, quota });
  await store.removeExpired();
  expect(await left()).toEqual(['ip:192.0.2.1', 'ip:198.51.0.0']);
  // 60 of 5,000 is 17 minutes of a day.
  moved += 1_000_000;
  await store.removeExpired();
  expect(await left()).toEqual([]);
  expect(await database.db('rate_limit_counters').where({ bucket: 'account:1' }).pluck('bucket')).toEqual(['account:1']);
});

test('charges what was admitted elsewhere to the windows that have not ended, beyond the limit too', async () => {
  const bucket = 'charged';
  const { now } = await store.take(request(3, bucket));
  const charge = (minute: [number, number], day: [number, number], one = bucket) =>
    store.charge([{ bucket: one, minute: { used: minute[0], ends: now + minute[1] }, day: { used: day[0], ends: now + day[1] } }]);
  const used = async (one = bucket) => {
    const { minute, day, now: at } = await store.take(request(0, one));
    return [minute, day].map((window) => (window.ends > at ? window.used : 0));
  };
  await charge([4, 30_000], [5, 80_000_000]);
  expect(await used()).toEqual([7, 8]);
  await charge([4, -1], [1, 80_000_000]);
  expect(await used()).toEqual([7, 9]);
  await charge([-2, 30_000], [-100, 80_000_000]);
  expect(await used()).toEqual([5, 0]);
  await charge([2, 30_000], [6, 80_000_000], 'charged first');
  expect(await used('charged first')).toEqual([2, 6]);
  await charge([-2, 30_000], [6, -1], 'charged other');
  expect(await used('charged other')).toEqual([0, 0]);
});

test('sends the buckets of a statement in the order of their names, in which all servers lock rows', async () => {
  const sent: unknown[] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    sent.push(values[0]);
    throw new Error('not sent');
  };
  const counters = new Counters({ query } as never);
  await Promise.allSettled(['b', 'c', 'a'].map((bucket) => counters.take(request(1, bucket))));
  expect(sent).toEqual(['{"a","b","c"}']);
});

test('rows in another order than that of the buckets decide nothing', async () => {
  const rowOf = (bucket: string) => [bucket, 1, 1, 0, 1, 0, 0, 0];
  const counters = new Counters({ query: async () => ({ rows: ['b', 'a'].map(rowOf) }) } as never);
  const answers = await Promise.allSettled(['a', 'b'].map((bucket) => counters.take(request(1, bucket))));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('counts exactly and without deadlocks when three stores take the same buckets in different orders', async () => {
  const stores = [1, 2, 3].map(() => openCounterStore({ url: database.url }));
  const buckets = Array.from({ length: 40 }, (_, i) => `bucket ${i}`);
  const quota = { minute: 50, day: 1000 };
  const rounds = stores.flatMap((store, s) =>
    Array.from({ length: 25 }, async (_, round) => {
      // A few turns of the event loop later, so that each round is another statement.
      for (let i = 0; i < round * 3; i++) await new Promise(setImmediate);
      const order = (round + s) % 2 === 0 ? buckets : buckets.toReversed();
      return Promise.all(order.map(async (bucket) => ({ bucket, ...(await store.take({ bucket, cost: 1, quota })) })));
    }),
  );
  const taken = (await Promise.all(rounds)).flat();
  const admitted = buckets.map((bucket) => taken.filter((one) => one.bucket === bucket && one.admitted).length);
  expect(admitted).toEqual(buckets.map(() => 50));
  for (const store of stores) await store.close();
  expect(await countDeadlocks(database)).toBe(0);
});
