/** The order of deliveries to slow receivers: each account in turn, and no place behind others for one that is fast again. */
import { expect, test } from '@jest/globals';
import { SlowReceivers } from '../../src/webhooks/slow-receivers.ts';

test('a receiver is slow from a second on, until it answers faster', () => {
  const slow = new SlowReceivers();
  expect([slow.record(1, 999), slow.has(1)]).toEqual([false, false]);
  expect([slow.record(1, 1000), slow.has(1)]).toEqual([false, true]);
  expect([slow.record(1, 5000), slow.has(1)]).toEqual([false, true]);
  expect([slow.record(1, 10), slow.has(1)]).toEqual([true, false]);
  expect(slow.record(1, 10)).toBe(false);
});

test('the deliveries of an account are behind each other, and not behind those of another account', () => {
  const slow = new SlowReceivers();
  slow.record(1, 60_000);
  expect([1, 2, 3].map(() => slow.nextPriority(1))).toEqual([0, 1, 2]);
  slow.record(2, 1000);
  expect([slow.nextPriority(2), slow.nextPriority(1), slow.nextPriority(2)]).toEqual([0, 3, 1]);
  expect(slow.nextPriority(3)).toBe(0);
  slow.record(1, 10);
  expect(slow.nextPriority(1)).toBe(0);
});

test('a priority is never above that of the queue, whatever the backlog is', () => {
  const slow = new SlowReceivers();
  slow.record(1, 1000);
  for (let i = 0; i < 40_000; i++) slow.nextPriority(1);
  expect(slow.nextPriority(1)).toBe(32_767);
});

test('as many accounts are remembered as there is room for: those that were slow last', () => {
  const slow = new SlowReceivers();
  for (let accountId = 1; accountId <= 10_001; accountId++) slow.record(accountId, 1000);
  expect([slow.has(1), slow.has(2), slow.has(10_001)]).toEqual([false, true, true]);
});
