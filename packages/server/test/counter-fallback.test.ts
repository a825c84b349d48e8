/** The limiter while its store does not answer: each instance counts its part of the limits, says so once in the log, and recovers. */
import { stat } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { createLimiter, createMemoryStore } from '@specwright/server';
import { createTestLog, until, type LogLine } from '@specwright/testing';

const quota = { minute: 60, day: 1000 };
const request = { bucket: 'b', cost: 1, quota };

/** A limiter whose store can be made to hang. */
function start(instances = 1) {
  const memory = createMemoryStore();
  const state = { hangs: false };
  const hang = new Promise<never>(() => undefined);
  const lines: LogLine[] = [];
  const store = {
    ...memory,
    take: (one: typeof request) => (state.hangs ? hang : memory.take(one)),
    bans: () => (state.hangs ? hang : memory.bans()),
  };
  const limiter = createLimiter({ store, log: createTestLog(lines), instances });
  return { limiter, state, lines };
}

async function admitted(limiter: ReturnType<typeof start>['limiter'], count: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: count }, async () => limiter.take(request)));
  return decisions.filter((decision) => decision.admitted).length;
}

test('waits once for a store that does not answer in 150 ms, then counts in this process at limit / instances', async () => {
  const { limiter, state, lines } = start(4);
  expect(await admitted(limiter, 10)).toBe(10);
  state.hangs = true;
  const began = performance.now();
  expect(await admitted(limiter, 40)).toBe(15);
  expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  const then = performance.now();
  expect(await admitted(limiter, 40)).toBe(0);
  expect(performance.now() - then).toBeLessThan(100);
  expect(limiter.counts).toMatchObject({ shared: 10, local: 80, outages: 1 });
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);

  state.hangs = false;
  await until(() => lines.some(({ message }) => message.includes('answers again')));
  // The store has counted ten of sixty.
  expect(await admitted(limiter, 60)).toBe(50);
  limiter.close();
});

test('admits one request however many instances there are', async () => {
  const { limiter, state } = start(1000);
  state.hangs = true;
  expect(await admitted(limiter, 5)).toBe(1);
  limiter.close();
});

test('does not mistake a pause of this process for one of the store', async () => {
  const memory = createMemoryStore();
  // The answer comes as a database's does: as input, which Node reads after it has run timers.
  const store = { ...memory, take: (one: typeof request) => stat('.').then(() => memory.take(one)) };
  const limiter = createLimiter({ store, log: createTestLog() });
  const taken = limiter.take(request);
  for (const end = performance.now() + 400; performance.now() < end;);
  expect((await taken).admitted).toBe(true);
  expect(limiter.counts).toMatchObject({ shared: 1, local: 0 });
  limiter.close();
});
