/** The two fixed windows of a rate limit: what is counted, and what is refused for how long. */
import { describe, expect, test } from '@jest/globals';
import { secondsUntil, toBannedDecision, toDecision } from '../../src/limits/limiter.ts';
import { createMemoryStore } from '../../src/limits/counters/memory-store.ts';
import { createLookUpLimit } from '../../src/limits/look-up-limit.ts';
import { charge, EMPTY_WINDOWS, take, usedAt, type Windows } from '../../src/limits/windows.ts';

const QUOTA = { minute: 5, day: 12 };
const request = (cost = 1) => ({ bucket: 'b', cost, quota: QUOTA });

test('opens a window with the first request after the last one ended', () => {
  let windows: Windows = take(EMPTY_WINDOWS, request(), 1000);
  expect(windows).toMatchObject({ minute: { used: 1, ends: 61_000 }, day: { used: 1, ends: 86_401_000 } });
  windows = take(windows, request(), 60_999);
  expect(windows.minute).toEqual({ used: 2, ends: 61_000 });
  windows = take(windows, request(), 61_000);
  expect(windows).toMatchObject({ minute: { used: 1, ends: 121_000 }, day: { used: 3, ends: 86_401_000 } });
});

test('counts a request in both windows or in neither; Retry-After is the longest of the exceeded windows', () => {
  const windows: Windows = { minute: { used: 1, ends: 60_000 }, day: { used: 12, ends: 80_000_000 } };
  const day = take(windows, request(), 0);
  expect(day).toMatchObject({ admitted: false, ...windows });
  expect(toDecision(day, 1, QUOTA)).toMatchObject({ retryAfter: 80_000, reported: 'day' });
  const both = take({ minute: { used: 5, ends: 60_000 }, day: { used: 12, ends: 80_000_000 } }, request(), 0);
  expect(toDecision(both, 1, QUOTA).retryAfter).toBe(80_000);
  const minute = take({ minute: { used: 5, ends: 500 }, day: { used: 5, ends: 80_000_000 } }, request(), 400);
  expect(toDecision(minute, 1, QUOTA)).toMatchObject({ retryAfter: 1, reported: 'minute' });
});

test('refuses a request that costs more than is left, and admits a cheaper one', () => {
  const windows = take(EMPTY_WINDOWS, request(3), 0);
  expect(take(windows, request(3), 1).admitted).toBe(false);
  expect(take(windows, request(2), 1)).toMatchObject({ admitted: true, minute: { used: 5 } });
});

test('admits the last request of a minute and of a day, and none after it', () => {
  const lastOfDay = take({ minute: { used: 0, ends: 60_000 }, day: { used: 11, ends: 80_000_000 } }, request(), 0);
  expect(lastOfDay).toMatchObject({ admitted: true, day: { used: 12 } });
  expect(take(lastOfDay, request(), 0).admitted).toBe(false);
  const lastOfMinute = take({ minute: { used: 4, ends: 60_000 }, day: { used: 4, ends: 80_000_000 } }, request(), 0);
  expect(lastOfMinute).toMatchObject({ admitted: true, minute: { used: 5 } });
  expect(take(lastOfMinute, request(), 0).admitted).toBe(false);
});

test('nothing of a window counts from the moment at which it ends', () => {
  const full: Windows = { minute: { used: 5, ends: 60_000 }, day: { used: 12, ends: 60_000 } };
  expect([usedAt(full.day, 59_999), usedAt(full.day, 60_000)]).toEqual([12, 0]);
  expect([take(full, request(), 59_999).admitted, take(full, request(), 60_000).admitted]).toEqual([false, true]);
  expect(toDecision({ ...full, admitted: true, now: 60_000 }, 1, QUOTA).windows.minute).toEqual({ limit: 5, remaining: 5, ends: 120_000 });
});

test('after the clock was set back by an hour a window ends a full length from then, and not an hour later', () => {
  const full: Windows = { minute: { used: 5, ends: 3_660_000 }, day: { used: 5, ends: 90_000_000 } };
  const refused = take(full, request(), 0);
  expect(refused).toMatchObject({ admitted: false, minute: { used: 5, ends: 60_000 }, day: { used: 5, ends: 86_400_000 } });
  expect(toDecision(refused, 1, QUOTA)).toMatchObject({ retryAfter: 60, windows: { minute: { ends: 60_000 } } });
  // Of a store that has not noticed.
  expect(toDecision({ ...full, admitted: false, now: 0 }, 1, QUOTA).retryAfter).toBe(60);
  expect(take(refused, request(), 60_000).admitted).toBe(true);
  const open: Windows = { minute: { used: 1, ends: 3_660_000 }, day: { used: 1, ends: 90_000_000 } };
  expect(take(open, request(), 0)).toMatchObject({ admitted: true, minute: { used: 2, ends: 60_000 }, day: { used: 2, ends: 86_400_000 } });
});

test('the store in memory and the limit of look-ups let nobody wait for a clock that was set back', async () => {
  let now = 7_200_000;
  const store = createMemoryStore(() => now);
  const lookUps = createLookUpLimit({ minute: 1, day: 9 }, () => now);
  const limit = { bucket: 'b', cost: 1, quota: { minute: 1, day: 9 } };
  const lookUp = async () => {
    let isAdmitted = true;
    await lookUps.run('b', async () => undefined, () => void (isAdmitted = false)); // prettier-ignore
    return isAdmitted;
  };
  expect([(await store.take(limit)).admitted, await lookUp()]).toEqual([true, true]);
  now -= 3_600_000;
  expect([(await store.take(limit)).admitted, await lookUp()]).toEqual([false, false]);
  now += 60_001;
  expect([(await store.take(limit)).admitted, await lookUp()]).toEqual([true, true]);
});

test('look-ups that begin at once are no more than are left, and the others are refused once these have failed', async () => {
  const lookUps = createLookUpLimit({ minute: 3, day: 9 }, () => 0);
  const done: string[] = [];
  const lookUp = async () => void done.push('looked up');
  await Promise.all(
    Array.from({ length: 10 }, () => lookUps.run('b', lookUp, ({ retryAfter }) => done.push(`refused for ${retryAfter} s`))),
  );
  expect(done).toEqual([...Array<string>(3).fill('looked up'), ...Array<string>(7).fill('refused for 60 s')]);
});

test('reading the windows neither opens nor counts', () => {
  expect(take(EMPTY_WINDOWS, request(0), 1000)).toEqual({ ...EMPTY_WINDOWS, admitted: true, now: 1000 });
  const full: Windows = { minute: { used: 5, ends: 60_000 }, day: { used: 12, ends: 60_000 } };
  expect(take(full, request(0), 0)).toEqual({ ...full, admitted: true, now: 0 });
});

describe('a charge', () => {
  const windows: Windows = { minute: { used: 3, ends: 60_000 }, day: { used: 4, ends: 80_000_000 } };
  const added = (minute: number, day: number, ends = 50_000): Windows => ({ minute: { used: minute, ends }, day: { used: day, ends } });

  test('counts beyond the limit, and leaves the ends of open windows', () => {
    expect(charge(windows, added(10, 20), 0)).toEqual({ minute: { used: 13, ends: 60_000 }, day: { used: 24, ends: 80_000_000 } });
  });

  test('takes no more from a window than was counted in it', () => {
    expect(charge(windows, added(-5, -1), 0)).toEqual({ minute: { used: 0, ends: 60_000 }, day: { used: 3, ends: 80_000_000 } });
  });

  test('of a window that has ended counts in no other, from the moment of its end', () => {
    expect(charge(windows, added(2, 2, 1000), 999)).toMatchObject({ minute: { used: 5 }, day: { used: 6 } });
    expect(charge(windows, added(2, 2, 1000), 1000)).toEqual(windows);
    expect(charge(windows, added(2, 2, 1000), 2000)).toEqual(windows);
  });

  test('opens its window where none is open, unless it takes away', () => {
    expect(charge(EMPTY_WINDOWS, added(2, 0), 0)).toEqual({ minute: { used: 2, ends: 50_000 }, day: EMPTY_WINDOWS.day });
    expect(charge(EMPTY_WINDOWS, added(-2, 3), 0)).toEqual({ minute: EMPTY_WINDOWS.minute, day: { used: 3, ends: 50_000 } });
  });
});

describe('what a response says', () => {
  test('is of the window with the fewest left, on a tie of the longer, and never less than 0', () => {
    const at = (minute: number, day: number) =>
      toDecision({ minute: { used: minute, ends: 60_000 }, day: { used: day, ends: 80_000_000 }, admitted: true, now: 0 }, 1, QUOTA);
    expect([at(1, 8).reported, at(1, 7).reported]).toEqual(['day', 'minute']);
    expect(at(0, 7).reported).toBe('day');
    expect(at(9, 3).windows.minute.remaining).toBe(0);
  });

  test('Retry-After is in whole seconds, rounded up, from 1 to a day', () => {
    const seconds = [0, 1, 1000, 1001, 86_400_000, 86_400_001].map((moment) => secondsUntil(moment, 0));
    expect(seconds).toEqual([1, 1, 1, 2, 86_400, 86_400]);
  });

  test('Retry-After does not wait for a window that is just full', () => {
    // One that costs 2: the minute has no room, the day has just enough.
    const refused = take({ minute: { used: 4, ends: 60_000 }, day: { used: 10, ends: 80_000_000 } }, request(2), 0);
    expect(toDecision(refused, 2, QUOTA).retryAfter).toBe(60);
  });

  test('a ban leaves nothing before it ends', () => {
    const decision = toDecision(
      { minute: { used: 1, ends: 60_000 }, day: { used: 1, ends: 80_000_000 }, admitted: true, now: 0 },
      1,
      QUOTA,
    );
    expect(toBannedDecision(decision, { until: 900_000 }, 0)).toMatchObject({
      admitted: false,
      retryAfter: 900,
      windows: { minute: { remaining: 0, ends: 900_000 }, day: { remaining: 0, ends: 80_000_000 } },
    });
  });
});
