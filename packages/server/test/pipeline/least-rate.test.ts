/** Bodies that arrive too slowly while others need what they hold: at which rate, and over which time. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LEAST_BYTES_PER_SECOND, LeastRate } from '../../src/pipeline/body/least-rate.ts';

const WINDOW_MS = 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A body that has begun to arrive. */
function begin({ isAwaited = true } = {}) {
  const rate = new LeastRate(WINDOW_MS, () => true);
  const refused: unknown[] = [];
  const body = { lease: {} as never, isAwaited, receivedBytes: 0, refuse: (error: Error) => void refused.push(error) };
  rate.add(body);
  return { body, refused };
}

test('a body is refused below the least rate, and not at it', () => {
  const [slow, exact] = [begin(), begin()];
  slow.body.receivedBytes = LEAST_BYTES_PER_SECOND - 1;
  exact.body.receivedBytes = LEAST_BYTES_PER_SECOND;
  jest.advanceTimersByTime(WINDOW_MS + 1);
  expect(slow.refused).toMatchObject([{ code: 'request_timeout' }]);
  expect(exact.refused).toEqual([]);
});

test('the time in which the server does not read a body is none of its window', () => {
  const { body, refused } = begin({ isAwaited: false });
  jest.advanceTimersByTime(800);
  body.isAwaited = true;
  jest.advanceTimersByTime(WINDOW_MS - 1);
  expect(refused).toEqual([]);
  jest.advanceTimersByTime(2);
  expect(refused).toHaveLength(1);
});
