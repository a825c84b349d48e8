/** The two fixed windows of a rate limit: what is counted, and what is refused for how long. */
import { expect, test } from '@jest/globals';
import { toDecision } from '../../src/limits/decision.ts';
import { EMPTY_WINDOWS, take, type Windows } from '../../src/limits/windows.ts';

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
