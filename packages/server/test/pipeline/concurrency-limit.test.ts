/** The adaptive bound and the fair queue that admission is made of. */
import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from '../../src/pipeline/admission/concurrency-limit.ts';
import { FairQueue } from '../../src/pipeline/admission/fair-queue.ts';

/** Ends 20,000 requests of a saturated server, one a millisecond. */
function adapt(quietMs: number, saturatedMs: (limit: number) => number): number {
  const limit = new ConcurrencyLimit();
  for (let i = 1; i <= 20_000; i++) limit.adapt(quietMs, saturatedMs(limit.value), 1000 + i);
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
    expect(adapt(0, () => 50)).toBe(10);
  });
});

describe('the limit moves', () => {
  /** A limiter with an operation that lasts 10 ms on a quiet server. */
  function start() {
    const limit = new ConcurrencyLimit();
    let now = 0;
    /** Ends so many requests of a saturated server, one each `step` ms. */
    const end = (count: number, ms: number, { step = 10, quietMs = 10 } = {}) => {
      for (let i = 0; i < count; i++) limit.adapt(quietMs, ms, (now += step));
      return limit.value;
    };
    return { end };
  }

  test('down when requests last more than twice as long as on a quiet server, and stays while they last less', () => {
    const { end } = start();
    const risen = end(100, 10);
    expect(risen).toBeGreaterThan(50);
    expect(end(100, 19)).toBe(risen);
    expect(end(10, 21)).toBe(Math.floor(risen * 0.9));
    expect(end(1000, 21)).toBe(10);
  });

  test('at most once in 100 ms, and by at least ten requests', () => {
    const { end } = start();
    expect(end(99, 10, { step: 1 })).toBe(10);
    expect(end(1, 10, { step: 1 })).toBe(12);
    expect(end(9, 10, { step: 1000 })).toBe(12);
    expect(end(1, 10, { step: 1000 })).toBe(15);
  });

  test('by the requests since it moved last, not by those before', () => {
    const { end } = start();
    const risen = end(100, 10);
    expect(end(10, 1000)).toBeLessThan(risen);
    const fallen = end(0, 0);
    expect(end(10, 10)).toBeGreaterThan(fallen);
  });

  test('not by requests of an operation without a quiet duration', () => {
    const { end } = start();
    const risen = end(100, 10);
    expect(end(100, 1000, { quietMs: 0 })).toBe(risen);
    expect(end(100, 0.1, { quietMs: 0 })).toBe(risen);
  });
});

describe('the queue', () => {
  test('gives each key its turn, and keeps the order of a key', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
    expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  test('knows how many wait, of all and of each key, through many turns', () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 5000; i++) queue.push(i % 2 === 0 ? 'even' : 'odd', i);
    expect([queue.size, queue.lengthOf('even')]).toEqual([5000, 2500]);
    expect(Array.from({ length: 4998 }, () => queue.shift())).toEqual(Array.from({ length: 4998 }, (_, i) => i));
    expect([queue.size, queue.lengthOf('even')]).toEqual([2, 1]);
    queue.shift();
    queue.shift();
    expect([queue.size, queue.lengthOf('odd'), queue.shift()]).toEqual([0, 0, undefined]);
  });
});
