/** Work that is repeated: soon after the start, also in a process that lives for less than its interval, and never twice at once. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { repeatInBackground } from '../src/runtime/repeat.ts';

const HOUR_MS = 3_600_000;

afterEach(() => void jest.useRealTimers());

test('is done within two minutes, then once an interval, and not after its end', async () => {
  jest.useFakeTimers();
  let count = 0;
  const end = repeatInBackground(async () => {
    count++;
  }, HOUR_MS);
  await jest.advanceTimersByTimeAsync(120_000);
  expect(count).toBe(1);
  await jest.advanceTimersByTimeAsync(1.25 * HOUR_MS);
  expect(count).toBe(2);
  end();
  await jest.advanceTimersByTimeAsync(10 * HOUR_MS);
  expect(count).toBe(2);
});

test('work that takes longer than its interval is not begun again before it has ended, nor after an end within it', async () => {
  jest.useFakeTimers();
  const ends: (() => void)[] = [];
  const end = repeatInBackground(() => new Promise<void>((resolve) => ends.push(resolve)), 60_000);
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(75_000);
  expect(ends).toHaveLength(2);
  end();
  ends[1]?.();
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  expect(ends).toHaveLength(2);
});

test('work that fails is done again', async () => {
  jest.useFakeTimers();
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let count = 0;
  const end = repeatInBackground(() => Promise.reject(new Error(`failure ${++count}`)), 60_000);
  await jest.advanceTimersByTimeAsync(300_000);
  expect(count).toBeGreaterThan(2);
  expect(warn).toHaveBeenCalledWith('work in the background failed: failure 1');
  end();
  warn.mockRestore();
});
