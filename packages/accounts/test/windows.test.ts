/** The store decides as the pure arithmetic does: windows, costs, and what is asked together. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLimitStore, type LimitStore } from '@specwright/accounts';
import { toDecision as decide } from '../../server/src/limits/decision.ts';
import { EMPTY_WINDOWS, take, type Windows } from '../../server/src/limits/windows.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';

let database: TestDatabase;
let store: LimitStore;
let moved = 0;
beforeAll(async () => {
  database = await createDatabase();
  store = openLimitStore({ url: database.url, advance: () => moved });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const QUOTA = { minute: 5, day: 12 };
const ask = (cost = 1, bucket = 'b', quota = QUOTA) => ({ bucket, cost, quota });

test('each window is opened by the first request after the last one ended', () => {
  let windows: Windows = take(EMPTY_WINDOWS, ask(), 1000);
  expect(windows).toMatchObject({ minute: { used: 1, ends: 61_000 }, day: { used: 1, ends: 86_401_000 } });
  windows = take(windows, ask(), 60_999);
  expect(windows.minute).toEqual({ used: 2, ends: 61_000 });
  windows = take(windows, ask(), 61_000);
  expect(windows).toMatchObject({ minute: { used: 1, ends: 121_000 }, day: { used: 3, ends: 86_401_000 } });
});

test('what does not fit in one window is counted in neither, and Retry-After is that of the longest violated one', () => {
  const windows: Windows = { minute: { used: 1, ends: 60_000 }, day: { used: 12, ends: 80_000_000 } };
  const day = take(windows, ask(), 0);
  expect(day).toMatchObject({ admitted: false, ...windows });
  expect(decide(day, 1, QUOTA)).toMatchObject({ retryAfter: 80_000, reported: 'day' });
  const both = take({ minute: { used: 5, ends: 60_000 }, day: { used: 12, ends: 80_000_000 } }, ask(), 0);
  expect(decide(both, 1, QUOTA).retryAfter).toBe(80_000);
  const minute = take({ minute: { used: 5, ends: 500 }, day: { used: 5, ends: 80_000_000 } }, ask(), 400);
  expect(decide(minute, 1, QUOTA)).toMatchObject({ retryAfter: 1, reported: 'minute' });
});

test('a request that costs more than is left is refused, a cheaper one is not', () => {
  const windows = take(EMPTY_WINDOWS, ask(3), 0);
  expect(take(windows, ask(3), 1).admitted).toBe(false);
  expect(take(windows, ask(2), 1)).toMatchObject({ admitted: true, minute: { used: 5 } });
});

test('PostgreSQL decides each of a thousand random asks as the arithmetic does', async () => {
  const buckets = new Map<string, Windows>();
  for (let i = 0; i < 1000; i++) {
    moved += Math.floor(Math.random() * (i % 50 === 0 ? 90_000_000 : 30_000));
    const one = ask(Math.floor(Math.random() * 4), `random ${i % 3}`, i % 200 < 100 ? QUOTA : { minute: 4, day: 20 });
    const taken = await store.take(one);
    const before = buckets.get(one.bucket) ?? EMPTY_WINDOWS;
    expect(taken).toEqual({ ...take(before, one, taken.now), changes: 0, sentAt: taken.sentAt });
    buckets.set(one.bucket, { minute: taken.minute, day: taken.day });
  }
});

test('asks of one bucket that go into one statement are decided one after the other', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => store.take(ask(2, 'together', { minute: 9, day: 100 }))));
  expect(answers.map(({ admitted, minute }) => [admitted, minute.used])).toEqual([
    ...[2, 4, 6, 8].map((used) => [true, used]),
    ...[8, 8, 8, 8].map((used) => [false, used]),
  ]);
});

test('asks of different costs of one bucket at once never go over', async () => {
  const costs = Array.from({ length: 300 }, (_, i) => 1 + (i % 3));
  const answers = await Promise.all(costs.map((cost) => store.take(ask(cost, 'mixed', { minute: 100, day: 1000 }))));
  const used = costs.reduce((sum, cost, i) => sum + (answers[i]?.admitted ? cost : 0), 0);
  expect(used).toBe(100);
});

test('counters whose day is over are removed, the others are kept', async () => {
  await store.take(ask(1, 'old'));
  moved += 86_400_001;
  await store.take(ask(1, 'new'));
  expect(await store.clean()).toBeGreaterThan(0);
  expect(await database.db('rate_limit_counters').orderBy('bucket').pluck('bucket')).toEqual(['new']);
});
