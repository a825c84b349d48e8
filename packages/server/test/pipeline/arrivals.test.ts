/** Requests that arrive while all slots are taken, with a clock: they have a part of the time, and admitted work has the rest. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Arrivals } from '../../src/pipeline/admission/arrivals.ts';

/** What running one takes, in ms. */
const RUN_MS = 0.1;
/** A turn of the event loop with other work, in ms. */
const BUSY_TURN_MS = 1.2;

let now = 0;
beforeEach(() => {
  now = 1000;
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick'] });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function start({ isFirst = false, runMs = RUN_MS } = {}) {
  const state = { isSaturated: true };
  const ran: number[] = [];
  const arrivedAt: number[] = [];
  const arrivals = new Arrivals<number>({
    arrivedAt: (arrival) => arrivedAt[arrival] as number,
    run: (arrival) => {
      ran.push(arrival);
      now += runMs;
    },
    isSaturated: () => state.isSaturated,
    isFirst: () => isFirst,
  });
  const add = () => arrivals.add(arrivedAt.push(now) - 1);
  const addMany = (count: number) => Array.from({ length: count }, add);
  /** Lets time pass. @param turnMs what other work takes in each turn of the event loop. @returns how many have been run. */
  const pass = (ms: number, turnMs = 0.1) => {
    for (const end = now + ms; now < end; now += turnMs) jest.advanceTimersByTime(1);
    return ran.length;
  };
  return { state, ran, addMany, pass };
}

test('are run at once while slots are free', () => {
  const { state, ran, addMany } = start();
  state.isSaturated = false;
  addMany(3);
  expect(ran).toEqual([0, 1, 2]);
});

test('wait for the input that is there while none is, and are run in their order', () => {
  const { state, ran, addMany, pass } = start();
  addMany(2);
  state.isSaturated = false;
  addMany(1);
  expect(ran).toEqual([]);
  pass(1);
  expect(ran).toEqual([0, 1, 2]);
});

test.each([
  ['on connections that are open', { isFirst: false }, 6],
  ['that are the first on their connection', { isFirst: true }, 18],
] as const)('%s take no more than a part of the time beside other work', (_, options, parts) => {
  const { addMany, pass } = start(options);
  addMany(10_000);
  const count = pass(1000, BUSY_TURN_MS);
  expect(count * RUN_MS * parts).toBeGreaterThan(900);
  expect(count * RUN_MS * parts).toBeLessThan(1100);
});

test('need not wait for their part where there is no other work', () => {
  const { addMany, pass } = start();
  addMany(10_000);
  expect(pass(100) * RUN_MS).toBeGreaterThan(60);
});

test('that were interrupted are not taken to be dear', () => {
  const { addMany, pass } = start({ runMs: 50 });
  addMany(1000);
  expect(pass(1000)).toBeGreaterThan(15);
});

test('that get a slot cost nothing of it', () => {
  const { state, addMany, pass } = start();
  addMany(100);
  state.isSaturated = false;
  expect(pass(1)).toBe(100);
});

test('that have waited for long take turns with the last ones, which are not too late yet', () => {
  const { ran, addMany, pass } = start();
  addMany(1000);
  const before = pass(45, BUSY_TURN_MS);
  expect(ran).toEqual(ran.map((_, i) => i));
  pass(50, BUSY_TURN_MS);
  const late = ran.slice(before + 12);
  expect([late.filter((arrival) => arrival > 500).length, late.filter((arrival) => arrival < 500).length]).toEqual([
    expect.closeTo(late.length / 2, -1),
    expect.closeTo(late.length / 2, -1),
  ]);
  expect(late.length).toBeGreaterThan(20);
});
