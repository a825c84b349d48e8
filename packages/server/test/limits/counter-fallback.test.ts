/** The limiter while its store does not answer: it counts on from the store's last word, says so once in the log, and pays back. */
import { stat } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLimiter,
  createMemoryStore,
  type Charge,
  type CounterStore,
  type Limiter,
  type StoreResult,
} from '@specwright/server/limits';
import { createTestLog, until, type LogLine } from 'specwright/testing';

const quota = { minute: 60, day: 1000 };
const request = { bucket: 'b', cost: 1, quota };

type Take = () => StoreResult | Promise<StoreResult>;

/** A limiter whose store can be made to hang: what it is asked then is lost, or answered when `release` is called. */
function start({ instances = 1, memory = createMemoryStore() } = {}) {
  const state = { hangs: false };
  const stuck: (() => void)[] = [];
  const charges: Charge[] = [];
  const lines: LogLine[] = [];
  const whenReleased = <T>(work: () => T): Promise<Awaited<T>> => new Promise((resolve) => stuck.push(() => resolve(work() as Awaited<T>)));
  const store: CounterStore = {
    ...memory,
    take: (one) => {
      const take: Take = () => memory.take(one);
      return state.hangs ? whenReleased(take) : take();
    },
    charge: async (added) => {
      if (state.hangs) return whenReleased(() => memory.charge(added));
      charges.push(...added);
      return memory.charge(added);
    },
  };
  const limiter = createLimiter({ store, log: createTestLog(lines), instances });
  const isBack = () => lines.filter(({ message }) => message.includes('answers again')).length;
  return {
    limiter,
    state,
    lines,
    charges,
    /** The store answers again, and answers what it was asked meanwhile if `late`. */
    release: async ({ late }: { late: boolean }) => {
      const before = isBack();
      state.hangs = false;
      const answers = stuck.splice(0);
      if (late) for (const answer of answers) answer();
      await until(() => isBack() > before);
    },
  };
}

async function admitted(limiter: Limiter, count: number, one = request): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: count }, async () => limiter.take(one)));
  return decisions.filter((decision) => decision.admitted).length;
}

test("waits once for a store that does not answer in 150 ms, then counts on from the store's last word", async () => {
  const { limiter, state, lines, release, charges } = start();
  expect(await admitted(limiter, 10)).toBe(10);
  state.hangs = true;
  const began = performance.now();
  const first = await limiter.take(request);
  expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  expect(first).toMatchObject({ admitted: true, isExact: false, windows: { minute: { remaining: 49 }, day: { remaining: 989 } } });
  // Without waiting for anything: not even a turn of the event loop.
  const others = admitted(limiter, 300);
  expect(await Promise.race([others, new Promise((resolve) => setImmediate(resolve, 'later'))])).toBe(49);
  expect(limiter.counts).toMatchObject({ shared: 10, local: 301, outages: 1 });
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);

  await release({ late: false });
  expect(charges).toMatchObject([{ bucket: 'b', minute: { used: 50 }, day: { used: 50 } }]);
  expect(await limiter.take(request)).toMatchObject({ admitted: false, isExact: true, windows: { day: { remaining: 940 } } });
  limiter.close();
});

test('admits no more than is left when many requests are with the store at the moment it stops', async () => {
  const { limiter, state, release } = start();
  await admitted(limiter, 10);
  state.hangs = true;
  const decisions = admitted(limiter, 200);
  expect(await decisions).toBe(50);
  await release({ late: true });
  // What the store has counted late is not charged again.
  const { windows } = await limiter.take({ ...request, cost: 0 });
  expect([windows.minute.remaining, windows.day.remaining]).toEqual([0, 940]);
  limiter.close();
});

test('gives back what the store has counted late, although it was charged with it', async () => {
  const memory = createMemoryStore();
  const late: (() => void)[] = [];
  let isDown = true;
  const store: CounterStore = {
    ...memory,
    take: (one) => (isDown && one.cost > 0 ? new Promise((resolve) => late.push(() => resolve(memory.take(one)))) : memory.take(one)),
  };
  const lines: LogLine[] = [];
  const limiter = createLimiter({ store, log: createTestLog(lines) });
  expect(await admitted(limiter, 10)).toBe(10);
  isDown = false;
  await until(() => lines.some(({ message }) => message.includes('answers again')));
  const left = async () => (await limiter.take({ ...request, cost: 0 })).windows.day.remaining;
  expect(await left()).toBe(990);
  for (const answer of late) answer();
  await until(async () => (await left()) === 990);
  limiter.close();
});

test('decides alone what the store is deciding when another question has failed', async () => {
  const memory = createMemoryStore();
  const answers: (() => void)[] = [];
  let asked = 0;
  const store: CounterStore = {
    ...memory,
    // The first question is lost; the answers to the others come late.
    take: (one) => (asked++ === 0 ? new Promise(() => undefined) : new Promise((resolve) => answers.push(() => resolve(memory.take(one))))),
  };
  const limiter = createLimiter({ store, log: createTestLog() });
  const lost = limiter.take(request);
  await sleep(100);
  const others = admitted(limiter, 100);
  expect((await lost).admitted).toBe(true);
  for (const answer of answers.splice(0)) answer();
  expect(await others).toBe(59);
  limiter.close();
});

test('keeps what it has admitted through several outages, until the window ends', async () => {
  const { limiter, state, release } = start();
  let total = 0;
  for (let outage = 0; outage < 4; outage++) {
    state.hangs = true;
    total += await admitted(limiter, 20);
    await release({ late: outage % 2 === 0 });
    total += await admitted(limiter, 5);
  }
  expect([total, limiter.counts.outages]).toEqual([60, 4]);
  limiter.close();
});

test('a window that ends during an outage opens another', async () => {
  let now = Date.now();
  const memory = createMemoryStore(() => now);
  const store: CounterStore = { ...memory, take: () => new Promise(() => undefined) };
  const limiter = createLimiter({ store, log: createTestLog(), now: () => now });
  expect(await admitted(limiter, 100)).toBe(60);
  now += 60_001;
  expect(await admitted(limiter, 100)).toBe(60);
  expect(limiter.peek('b', quota).windows.day.remaining).toBe(1000);
  limiter.close();
});

test('instances that have heard the same of the store admit together what was left', async () => {
  const memory = createMemoryStore();
  const started = [1, 2, 3].map(() => start({ instances: 3, memory }));
  for (let i = 0; i < 30; i++) await started[i % 3]?.limiter.take(request);
  for (const { state } of started) state.hangs = true;
  const alone = await Promise.all(started.map(({ limiter }) => admitted(limiter, 100)));
  expect(alone).toEqual([10, 10, 10]);
  await Promise.all(started.map(({ release }) => release({ late: false })));
  expect(await admitted(started[0]!.limiter, 10)).toBe(0); // eslint-disable-line @typescript-eslint/no-non-null-assertion
  for (const { limiter } of started) limiter.close();
});

test('admits one request however many instances there are', async () => {
  const { limiter, state } = start({ instances: 1000 });
  state.hangs = true;
  expect(await admitted(limiter, 5)).toBe(1);
  limiter.close();
});

test('a charge that is not answered is not repeated before its outcome is known', async () => {
  const memory = createMemoryStore();
  let charged = 0;
  let answer = (): void => undefined;
  let isDown = true;
  const store: CounterStore = {
    ...memory,
    take: (one) => (isDown && one.cost > 0 ? new Promise(() => undefined) : memory.take(one)),
    charge: (added) => {
      charged++;
      return new Promise((resolve) => (answer = () => void memory.charge(added).then(resolve)));
    },
  };
  const lines: LogLine[] = [];
  const limiter = createLimiter({ store, log: createTestLog(lines) });
  expect(await admitted(limiter, 10)).toBe(10);
  await until(() => charged === 1);
  await sleep(900);
  expect(await admitted(limiter, 10)).toBe(10);
  isDown = false;
  answer();
  await until(() => charged === 2);
  answer();
  await until(() => lines.some(({ message }) => message.includes('answers again')));
  expect((await limiter.take(request)).windows.day.remaining).toBe(979);
  limiter.close();
});

test('what is asked during the last charge waits for it, and is decided by the store', async () => {
  const memory = createMemoryStore();
  let isDown = true;
  let answer: (() => void) | undefined;
  const store: CounterStore = {
    ...memory,
    take: (one) => (isDown ? Promise.reject(new Error('down')) : memory.take(one)),
    charge: (added) => new Promise((resolve) => (answer = () => void memory.charge(added).then(resolve))),
  };
  const limiter = createLimiter({ store, log: createTestLog(), timeoutMs: 60_000 });
  expect(await admitted(limiter, 10)).toBe(10);
  isDown = false;
  await until(() => answer !== undefined);
  const taken = limiter.take(request);
  expect(await Promise.race([taken, new Promise((resolve) => setImmediate(resolve, 'later'))])).toBe('later');
  answer?.();
  expect(await taken).toMatchObject({ isExact: true, windows: { day: { remaining: 989 } } });
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

test('an earlier result of the store does not replace a later one, and one after its clock was set back does', async () => {
  const results: StoreResult[] = [];
  const take = async (): Promise<StoreResult> => results.shift() as StoreResult;
  const limiter = createLimiter({ store: { ...createMemoryStore(), take }, log: createTestLog([]) });
  /** @returns how many are used after the answer, as far as the limiter knows. */
  const usedAfter = async (used: number, now: number): Promise<number> => {
    const window = { used, ends: now + 60_000 };
    results.push({ admitted: true, now, minute: window, day: window, changes: -1, sentAt: performance.now() });
    await limiter.take(request);
    return quota.minute - limiter.peek('b', quota).windows.minute.remaining;
  };
  const hour = 3_600_000;
  expect(await usedAfter(8, 2 * hour)).toBe(8);
  expect(await usedAfter(3, 2 * hour - 1)).toBe(8);
  expect(await usedAfter(10, 2 * hour)).toBe(10);
  expect(await usedAfter(2, hour)).toBe(2);
  limiter.close();
});
