/** Which receivers are slow, as a process has seen it. */
import { expect, test } from '@jest/globals';
import { SlowReceivers } from '../../src/webhooks/slow-receivers.ts';

test('a receiver is slow from a second on, until it answers faster', () => {
  const slow = new SlowReceivers();
  const isSlowAfter = (duration: number) => {
    slow.record(1, duration);
    return slow.has(1);
  };
  expect([999, 1000, 5000, 10, 10].map(isSlowAfter)).toEqual([false, true, true, false, false]);
});

test('as many accounts are remembered as there is room for: those that were slow last', () => {
  const slow = new SlowReceivers();
  for (let accountId = 1; accountId <= 10_000; accountId++) slow.record(accountId, 1000);
  slow.record(1, 1000);
  slow.record(10_001, 1000);
  expect([slow.has(1), slow.has(2), slow.has(3), slow.has(10_001)]).toEqual([true, false, true, true]);
});
