/** The adaptive bound and the fair queue that admission is made of. */
import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit, newDurations } from '../../src/pipeline/admission/concurrency-limit.ts';
import { FairQueue } from '../../src/pipeline/admission/fair-queue.ts';

/** Ends 1000 requests of a saturated server, one a millisecond, after ten on a quiet one. */
function adapt(quietMs: number, saturatedMs: (limit: number) => number): number {
  const limit = new ConcurrencyLimit();
  const durations = newDurations();
  for (let i = 0; i < 10; i++) limit.record(durations, quietMs, 0, false, i);
  for (let i = 1; i <= 20_000; i++) limit.record(durations, saturatedMs(limit.value), limit.value, true, 1000 + i);
  return limit.value;
}

describe('the limit', () => {
  test('rises while requests last no longer than on a quiet server, as they do where each waits for something else', () => {
    expect(adapt(500, () => 500)).toBe(1000);
  });

  test.each([2, 12, 30])('stays near what a resource for %i at once can do', (capacity) => {
    const value = adapt(10, (limit) => 10 * Math.max(1, limit / capacity));
    expect(value).toBeGreaterThanOrEqual(Math.max(10, capacity));
    expect(value).toBeLessThanOrEqual(Math.max(10, capacity * 2.3));
  });

  test('falls no further than to a few, whatever requests last', () => {
    expect(adapt(1, () => 10_000)).toBe(10);
  });

  test('stays where it is as long as nothing is known of a quiet server', () => {
    const limit = new ConcurrencyLimit();
    const durations = newDurations();
    const before = limit.value;
    for (let i = 0; i < 1000; i++) limit.record(durations, 50, 10, true, i);
    expect(limit.value).toBe(before);
    expect(durations.recent).toBeCloseTo(50);
  });
});

describe('the queue', () => {
  test('gives each key its turn, and keeps the order of a key', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item, 1);
    expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  test('knows the work of all and of each key, through many turns', () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 5000; i++) queue.push(i % 2 === 0 ? 'even' : 'odd', i, 0.1);
    expect([queue.size, queue.work, queue.workOf('even')]).toEqual([5000, expect.closeTo(500), expect.closeTo(250)]);
    expect(Array.from({ length: 4998 }, () => queue.shift())).toEqual(Array.from({ length: 4998 }, (_, i) => i));
    expect([queue.size, queue.work, queue.workOf('even')]).toEqual([2, expect.closeTo(0.2), expect.closeTo(0.1)]);
    queue.shift();
    queue.shift();
    expect([queue.size, queue.work, queue.workOf('odd'), queue.shift()]).toEqual([0, 0, 0, undefined]);
  });
});
