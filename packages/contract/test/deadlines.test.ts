/** One timer for the deadlines of many things. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Deadlines, type Timed } from '@specwright/contract/runtime';

const MS = 100;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick'] }));
afterEach(() => void jest.useRealTimers());

const item = (): Timed => ({ slot: -1, deadline: 0 });

function watch() {
  const expired: { readonly item: Timed; readonly at: number }[] = [];
  const deadlines = new Deadlines<Timed>(MS, (late) => expired.push({ item: late, at: Math.round(performance.now() - began) }));
  const began = performance.now();
  return { deadlines, expired, start: (one: Timed) => deadlines.start(one, performance.now()) };
}
const wait = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('an item expires when its time is over, and not if it has ended before', async () => {
  const { deadlines, expired, start } = watch();
  const [first, ended, second] = [item(), item(), item()];
  start(first);
  start(ended);
  await wait(30);
  start(second);
  deadlines.end(ended);
  await wait(MS - 30 + 1);
  expect(expired).toEqual([{ item: first, at: expect.closeTo(MS, -1) }]);
  await wait(30);
  expect(expired[1]).toEqual({ item: second, at: expect.closeTo(MS + 30, -1) });
  expect([first.slot, ended.slot, second.slot]).toEqual([-1, -1, -1]);
  await wait(MS);
  expect(jest.getTimerCount()).toBe(0);
});

test('a deadline that is moved meanwhile counts from its last move, one that is stopped never comes', async () => {
  const { expired, start } = watch();
  const [moved, stopped] = [item(), item()];
  start(moved);
  start(stopped);
  stopped.deadline = Infinity;
  for (let moves = 0; moves < 5; moves++) {
    await wait(MS - 1);
    moved.deadline = performance.now() + MS;
  }
  expect(expired).toEqual([]);
  await wait(MS + 1);
  expect(expired).toEqual([{ item: moved, at: expect.closeTo(5 * (MS - 1) + MS, -1) }]);
  // Stopped for many times as long, and then started.
  await wait(10.5 * MS);
  const began = performance.now();
  stopped.deadline = began + MS;
  await wait(MS - 1);
  expect(expired).toHaveLength(1);
  await wait(2);
  expect(expired).toHaveLength(2);
});

test('an item that is moved in the turn in which its time is over goes on', async () => {
  const { expired, start } = watch();
  const one = item();
  start(one);
  jest.advanceTimersByTime(MS);
  one.deadline = performance.now() + MS;
  await wait(1);
  expect(expired).toEqual([]);
  await wait(MS + 1);
  expect(expired).toHaveLength(1);
});
