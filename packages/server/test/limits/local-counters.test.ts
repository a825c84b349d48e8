/** The counters of a process that decides without the store, with a given clock: the store's last result, and what is pending. */
import { expect, test } from '@jest/globals';
import { createBoundedCache } from '../../src/limits/bounded-cache.ts';
import { LocalCounters } from '../../src/limits/counters/local-counters.ts';
import type { RateLimitResult } from '../../src/limits/windows.ts';

const QUOTA = { minute: 10, day: 12 };
const request = { bucket: 'b', cost: 1, quota: QUOTA };
/** What the store says at a moment: so many were used, in windows that end at 60 s and at 1,000 s. */
const said = (used: number, now: number): RateLimitResult => ({
  admitted: true,
  now,
  minute: { used, ends: 60_000 },
  day: { used, ends: 1_000_000 },
});

function start(instances = 1) {
  const local = new LocalCounters(createBoundedCache(10), instances);
  /** The store's last result. */
  const observe = ({ minute, day, now }: RateLimitResult) => Object.assign(local.bucketOf('b'), { minute, day, now });
  return {
    local,
    observe,
    admitted: (count: number, now: number) => Array.from({ length: count }, () => local.take(request, now).admitted),
  };
}
const times = (answers: boolean[]) => answers.filter(Boolean).length;

test('after the clock of the store was set back by an hour no window ends later than its length', () => {
  const { local, observe } = start();
  observe({ ...said(10, 3_600_000), minute: { used: 10, ends: 3_660_000 } });
  expect(local.take(request, 0)).toMatchObject({ admitted: false, minute: { used: 10, ends: 60_000 } });
  expect(local.take(request, 60_000).admitted).toBe(true);
});

test('both limits hold: of the minute, and of the day', () => {
  const { admitted } = start();
  expect(times(admitted(20, 0))).toBe(10);
  // The next minute of the same day.
  expect(times(admitted(20, 60_000))).toBe(2);
});

test('a window that has ended is not charged', () => {
  const { local, observe, admitted } = start();
  observe(said(0, 0));
  admitted(3, 0);
  expect(local.charges(10, 59_999)).toMatchObject([{ minute: { used: 3, ends: 60_000 }, day: { used: 3, ends: 1_000_000 } }]);
  expect(local.charges(10, 60_000)).toMatchObject([{ minute: { used: 0 }, day: { used: 3, ends: 1_000_000 } }]);
});

test('a request that the store has counted late is not charged; what it has counted beyond the pending ones is given back', () => {
  const { local, observe, admitted } = start();
  observe(said(0, 0));
  admitted(3, 0);
  local.reconcileLate({ ...request, cost: 2 }, said(2, 1));
  expect(local.charges(10, 1)).toMatchObject([{ minute: { used: 1 }, day: { used: 1 } }]);
  local.reconcileLate({ ...request, cost: 2 }, said(4, 2));
  expect(local.charges(10, 2)).toMatchObject([{ minute: { used: -1 }, day: { used: -1 } }]);
  local.reconcile(local.charges(10, 2), 2);
  expect(local.unreconciledCount).toBe(0);
});

test('a request that the store has counted late counts once for what is left', () => {
  const { local, observe, admitted } = start();
  observe(said(0, 0));
  admitted(3, 0);
  observe(said(2, 1));
  local.reconcileLate({ ...request, cost: 2 }, said(2, 1));
  expect(times(admitted(20, 1))).toBe(7);
});

test('an instance admits its part of what was left, and one request in any case', () => {
  expect(times(start(3).admitted(20, 0))).toBe(3);
  expect(times(start(1000).admitted(20, 0))).toBe(1);
  const { observe, admitted } = start(1000);
  observe(said(10, 0));
  expect(times(admitted(20, 0))).toBe(0);
});
