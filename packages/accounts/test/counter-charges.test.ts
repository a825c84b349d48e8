/** Charges to the counters in PostgreSQL at their edges: below zero, beyond the limit, and of windows that have ended. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openCounterStore, type PostgresCounterStore } from '@specwright/accounts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const database = withAccountsDatabase();
let store: PostgresCounterStore;
let moved = 0;
beforeAll(() => {
  store = openCounterStore({ url: database.url, advance: () => moved });
});
afterAll(() => store.close());

const request = (cost: number, bucket: string, quota = { minute: 5, day: 12 }) => ({ bucket, cost, quota });

const charge = (bucket: string, minute: [used: number, ends: number], day: [used: number, ends: number]) =>
  store.charge([{ bucket, minute: { used: minute[0], ends: minute[1] }, day: { used: day[0], ends: day[1] } }]);
const admitted = async (bucket: string) => {
  const answers = await Promise.all(Array.from({ length: 20 }, async () => store.take(request(1, bucket, { minute: 5, day: 100 }))));
  return answers.filter((answer) => answer.admitted).length;
};

test('a charge never makes room for more than the limit, whatever it takes away', async () => {
  for (const bucket of ['below zero', 'below zero at first']) {
    const { now } = await store.take(request(0, 'clock'));
    if (bucket === 'below zero') await store.take(request(3, bucket));
    await charge(bucket, [-100, now + 30_000], [-100, now + 80_000_000]);
    expect(await admitted(bucket)).toBe(5);
  }
});

test('a charge beyond the limit leaves what is counted, though requests are refused', async () => {
  const { now } = await store.take(request(1, 'beyond'));
  await charge('beyond', [10, now + 30_000], [10, now + 80_000_000]);
  expect(await admitted('beyond')).toBe(0);
  expect((await store.take(request(0, 'beyond'))).minute.used).toBe(11);
});

test('a charge opens a minute anew where one has ended, without what was counted in that', async () => {
  const before = await store.take(request(3, 'ended minute'));
  moved += 61_000;
  const window = { used: 4, ends: before.now + 100_000 };
  await charge('ended minute', [window.used, window.ends], [4, before.day.ends]);
  expect(await store.take(request(0, 'ended minute'))).toMatchObject({ minute: window, day: { used: 7, ends: before.day.ends } });
});

test('a charge of a window that has ended counts neither in an open one nor as one', async () => {
  const { now, minute } = await store.take(request(1, 'of an ended minute'));
  await charge('of an ended minute', [9, now - 1], [0, now - 1]);
  expect((await store.take(request(0, 'of an ended minute'))).minute).toEqual(minute);
  await charge('of an ended minute only', [9, now - 1], [9, now - 1]);
  const notOpen = { used: 0, ends: 0 };
  expect(await store.take(request(0, 'of an ended minute only'))).toMatchObject({ minute: notOpen, day: notOpen });
});

test('a charge counts up to what a counter can hold', async () => {
  const { now } = await store.take(request(1, 'much'));
  for (let i = 0; i < 2; i++) await charge('much', [2_000_000_000, now + 30_000], [1, now + 80_000_000]);
  expect((await store.take(request(0, 'much'))).minute.used).toBe(2_147_483_647);
});
