/** Strikes and bans of API keys: which requests are early, when they lead to a ban, and for how long. */
import { expect, test } from '@jest/globals';
import { afterRefusal, NO_STRIKES, strikesBeforeBan, type StrikeRecord } from '../../src/limits/strikes.ts';

const early = (record: StrikeRecord, at: number, limit = 60) =>
  afterRefusal(record, { arrivedAt: at, refusedAt: at, retryAt: Math.max(60_000, at + 1000), limit });
const times = (count: number, record: StrikeRecord, at: number, limit = 60) =>
  Array.from({ length: count }).reduce<StrikeRecord>((before) => early(before, at, limit), record);

test.each([
  [60, 40],
  [300, 160],
  [1000, 510],
  [5, 40],
])('with a limit of %i a minute, bans at early request %i: the first ten are free', (limit, count) => {
  expect(strikesBeforeBan(limit)).toBe(count);
  const refused = early(NO_STRIKES, 1, limit);
  expect(times(count - 1, refused, 2, limit).bannedUntil).toBe(0);
  expect(times(count, refused, 2, limit).bannedUntil).toBe(2 + 15 * 60_000);
});

test('after the clock was set back a ban lasts its duration from then, and a wait of the clock before counts no strike', () => {
  const banned = times(40, early(NO_STRIKES, 3_600_001), 3_600_002);
  expect(banned.bannedUntil).toBe(3_600_002 + 15 * 60_000);
  expect(early(banned, 1).bannedUntil).toBe(1 + 15 * 60_000);
  const waiting = early(NO_STRIKES, 3_600_001);
  expect(early(waiting, 1)).toMatchObject({ refusedAt: 1, retryAt: 60_000, strikes: 0 });
});

test('counts no strike for requests that arrived before the first refusal', () => {
  let record = afterRefusal(NO_STRIKES, { arrivedAt: 5, refusedAt: 10, retryAt: 60_000, limit: 60 });
  for (let i = 0; i < 500; i++) record = afterRefusal(record, { arrivedAt: 9, refusedAt: 20, retryAt: 60_000, limit: 60 });
  expect(record).toMatchObject({ strikes: 0, bannedUntil: 0 });
});

test('counts at most the ten free strikes for requests that may have been sent before the first refusal was answered', () => {
  const first = afterRefusal(NO_STRIKES, { arrivedAt: 5, refusedAt: 10, retryAt: 60_000, limit: 60 });
  let record = first;
  for (let i = 0; i < 500; i++)
    record = afterRefusal(record, {
      arrivedAt: 20 + i,
      sentAfter: i % 2 === 0 ? 10 : -Infinity,
      refusedAt: 20 + i,
      retryAt: 60_000,
      limit: 60,
    });
  expect(record).toMatchObject({ strikes: 10, bannedUntil: 0 });
  for (let i = 0; i < 30; i++) record = afterRefusal(record, { arrivedAt: 600, sentAfter: 11, refusedAt: 600, retryAt: 60_000, limit: 60 });
  expect(record.bannedUntil).toBeGreaterThan(0);
});

test('counts no strike for a request after Retry-After', () => {
  expect(early(early(NO_STRIKES, 1), 60_000)).toMatchObject({ strikes: 0, refusedAt: 60_000 });
});

test('does not add up strikes of different minutes', () => {
  const waiting = { ...early(NO_STRIKES, 1), retryAt: 86_400_000 };
  const first = times(39, waiting, 2);
  expect(times(39, first, 60_002)).toMatchObject({ strikes: 39, bannedUntil: 0 });
});

test('bans for 15 minutes, an hour, then a day; does not prolong a ban; starts again after a week without', () => {
  const ban = (record: StrikeRecord, at: number) =>
    Array.from({ length: 40 }).reduce<StrikeRecord>(
      (before) => afterRefusal(before, { arrivedAt: at + 1, refusedAt: at + 1, retryAt: at + 60_000, limit: 60 }),
      afterRefusal(record, { arrivedAt: at, refusedAt: at, retryAt: at + 60_000, limit: 60 }),
    );
  const minutes = (record: StrikeRecord, at: number) => (record.bannedUntil - at - 1) / 60_000;
  let record = ban(NO_STRIKES, 0);
  expect(minutes(record, 0)).toBe(15);
  expect(ban(record, 1000)).toEqual(record);
  let at = record.bannedUntil;
  for (const length of [60, 24 * 60, 24 * 60]) {
    record = ban(record, at);
    expect(minutes(record, at)).toBe(length);
    at = record.bannedUntil;
  }
  at += 8 * 86_400_000;
  expect(minutes(ban(record, at), at)).toBe(15);
});
