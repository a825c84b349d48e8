/** The bans that a server knows: those of the store when they have changed, and those that it was told of, until the store says otherwise. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLimiter, createMemoryStore, type ApiKeyRef, type CounterStore, type Refusal } from '@specwright/server/limits';
import { createTestLog } from 'specwright/testing';

const KEY = { accountId: 1, keyId: 2 };
const MINUTE_MS = 60_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A limiter of one request a minute, and the bans of its store, which are read at once unless they are held. */
function start() {
  const state = { changes: 0, until: [] as number[], reads: 0, offset: 0, isLost: false, held: undefined as Promise<void> | undefined };
  const refusals: Refusal[] = [];
  let bannedUntil: number | undefined;
  const memory = createMemoryStore(() => Date.now() + state.offset);
  const store: CounterStore = {
    ...memory,
    take: async (request) => ({ ...(await memory.take(request)), changes: state.changes }),
    bans: async () => {
      const { changes, until } = state;
      state.reads++;
      await state.held;
      if (state.isLost) throw new Error('lost');
      return { changes, now: Date.now() + state.offset, bans: until.map((one) => ({ ...KEY, until: one })) };
    },
    recordRefusal: async (key, refusal) => {
      refusals.push(refusal);
      return bannedUntil === undefined ? undefined : { ...key, until: bannedUntil };
    },
  };
  const limiter = createLimiter({ store, log: createTestLog() });
  let count = 0;
  return {
    limiter,
    state,
    refusals,
    /** A server changes the bans of the store. */
    change: (...until: number[]) => {
      state.until = until;
      state.changes++;
    },
    /** The next refusals lead to a ban. */
    banNext: (until: number) => (bannedUntil = until),
    /** Whether a request of the key is banned; each is of another bucket. */
    isBanned: async (key: ApiKeyRef = KEY, more: object = {}) =>
      (await limiter.take({ bucket: `${count++}`, cost: 1, quota: { minute: 1, day: 1 }, key, ...more })).ban !== undefined,
    /** The store refuses a request of the key. */
    refuse: async (more: object = {}) =>
      (await limiter.take({ bucket: 'b', cost: 2, quota: { minute: 1, day: 1 }, key: KEY, ...more })).ban,
  };
}

test('they are read when they have changed, and then not again', async () => {
  const { state, change, isBanned } = start();
  expect(await isBanned()).toBe(false);
  const before = state.reads;
  expect(await isBanned()).toBe(false);
  expect(state.reads).toBe(before);
  change(Date.now() + MINUTE_MS);
  expect(await Promise.all([isBanned(), isBanned(), isBanned({ accountId: 1, keyId: 3 })])).toEqual([true, true, false]);
  expect(state.reads).toBe(before + 1);
});

test('a change that a read under way may not have seen is read after it', async () => {
  const { state, change, isBanned } = start();
  let release = (): void => undefined;
  state.held = new Promise((resolve) => (release = resolve));
  const first = isBanned({ accountId: 1, keyId: 3 });
  await jest.advanceTimersByTimeAsync(0);
  change(Date.now() + MINUTE_MS);
  const second = isBanned();
  await jest.advanceTimersByTimeAsync(0);
  release();
  expect(await Promise.all([first, second])).toEqual([false, true]);
});

test.each(['read', 'recorded'])(
  'a ban that was %s is lifted within about a second, whenever that is, also if a read has failed',
  async (how) => {
    const { state, change, isBanned, banNext, refuse } = start();
    if (how === 'read') change(Date.now() + MINUTE_MS);
    else {
      banNext(Date.now() + MINUTE_MS);
      expect(await refuse()).toBeDefined();
      state.until = [Date.now() + MINUTE_MS];
    }
    expect(await isBanned()).toBe(true);
    await jest.advanceTimersByTimeAsync(2500);
    state.isLost = true;
    await jest.advanceTimersByTimeAsync(2000);
    expect(await isBanned()).toBe(true);
    state.isLost = false;
    change();
    await jest.advanceTimersByTimeAsync(1100);
    expect(await isBanned()).toBe(false);
  },
);

test('it ends by itself at its time, after which nothing is read any more', async () => {
  const { state, change, isBanned } = start();
  change(Date.now() + 1500);
  expect(await isBanned()).toBe(true);
  await jest.advanceTimersByTimeAsync(1499);
  expect(await isBanned()).toBe(true);
  await jest.advanceTimersByTimeAsync(1);
  expect(await isBanned()).toBe(false);
  await jest.advanceTimersByTimeAsync(5000);
  const { reads } = state;
  await jest.advanceTimersByTimeAsync(5000);
  expect(state.reads).toBe(reads);
});

test('who asks for a ban gets it from the store, at most once a second, and nothing is read after the end', async () => {
  const { limiter, state, change } = start();
  change(Date.now() + MINUTE_MS);
  expect(await Promise.all([limiter.bannedFor(KEY), limiter.bannedFor(KEY)])).toEqual([60, 60]);
  expect(await limiter.bannedFor(KEY)).toBe(60);
  expect(state.reads).toBe(1);
  limiter.close();
  await jest.advanceTimersByTimeAsync(5000);
  expect(state.reads).toBe(1);
  expect(await limiter.bannedFor(KEY)).toBe(55);
  await jest.advanceTimersByTimeAsync(5000);
  expect(state.reads).toBe(2);
});

test("a refusal is recorded by the store's clock, whatever that is set to", async () => {
  const { state, refusals, refuse } = start();
  for (const offset of [3_600_000, -3_600_000, 0]) {
    state.offset = offset;
    const now = performance.now();
    await refuse({ arrivedAt: now - 50, sentAfter: now - 100 });
    const { arrivedAt, sentAfter = 0, refusedAt, limit } = refusals.at(-1) as Refusal;
    expect({ refusedAt, arrivedAt, sentAfter, limit }).toEqual({
      refusedAt: Date.now() + offset,
      arrivedAt: refusedAt - 50,
      sentAfter: refusedAt - 100,
      limit: 1,
    });
  }
});
