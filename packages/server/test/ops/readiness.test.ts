/** Readiness: how often a dependency is looked at, for how long, and what the state says meanwhile. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createReadiness, type Degraded, type WatchedReadiness } from '@specwright/server';
import { createTestLog, type LogLine } from '../support/log.ts';

let looks: AbortSignal[];
let answer: () => Promise<string | Degraded | undefined>;
let log: LogLine[];
let readiness: WatchedReadiness;
beforeEach(() => {
  jest.useFakeTimers();
  looks = [];
  log = [];
  answer = async () => undefined;
  readiness = createReadiness({
    log: createTestLog(log),
    probe: (signal) => {
      looks.push(signal);
      return answer();
    },
  });
});
afterEach(() => {
  readiness.stop();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const logged = () => log.map(({ message, reason }) => (typeof reason === 'string' ? `${message}: ${reason}` : message));

test('before the start nothing is looked at, and probes are answered that it is starting', async () => {
  answer = async () => 'another schema';
  expect([await readiness.check(), readiness.reason(), looks.length, logged()]).toEqual(['starting', 'starting', 0, []]);
  answer = async () => undefined;
  expect([await readiness.start(), readiness.reason(), logged()]).toEqual([undefined, undefined, ['ready']]);
});

test('fifty probes at once, and those within the same second, are one look', async () => {
  await readiness.start();
  const first = await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
  expect(new Set(first)).toEqual(new Set([undefined]));
  await readiness.check();
  expect(looks).toHaveLength(1);
  await pass(1050);
  await readiness.check();
  expect(looks).toHaveLength(2);
});

test('a look that does not end is given up after a second, and refuses no requests of a server that was ready', async () => {
  await readiness.start();
  answer = () => new Promise(() => undefined);
  await pass(1050);
  const look = readiness.check();
  await pass(999);
  expect(looks.map(({ aborted }) => aborted)).toEqual([false, false]);
  await pass(1);
  expect(await look).toBe('no answer within 1000 ms');
  expect(looks.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(readiness.reason()).toBeUndefined();
  expect(logged()).toEqual(['ready', 'not ready: no answer within 1000 ms']);
});

test('logs why the first look failed, serves nothing until one succeeds, and looks again by itself', async () => {
  let becameReady = 0;
  readiness.onReady(() => becameReady++);
  answer = async () => {
    throw new Error('connect ECONNREFUSED');
  };
  expect(await readiness.start()).toBe('connect ECONNREFUSED');
  expect(readiness.reason()).toBe('starting');
  answer = async () => undefined;
  await pass(1200);
  expect(readiness.reason()).toBeUndefined();
  expect(becameReady).toBe(1);
  expect(logged()).toEqual(['not ready: connect ECONNREFUSED', 'ready']);
});

test('a degraded dependency fails the probe and refuses no requests; another problem refuses them', async () => {
  answer = async () => ({ degraded: 'read-only' });
  expect([await readiness.start(), readiness.reason()]).toEqual(['read-only', undefined]);
  answer = async () => 'another schema';
  await pass(1050);
  expect([await readiness.check(), readiness.reason()]).toEqual(['another schema', 'another schema']);
});

test('once it is stopped the probe fails, while requests are served and nothing is looked at', async () => {
  await readiness.start();
  readiness.stop();
  expect([await readiness.check(), readiness.reason()]).toEqual(['stopping', undefined]);
  expect(looks).toHaveLength(1);
});
