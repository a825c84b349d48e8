/** When a key that ignores Retry-After is banned, and for how long: pure functions, without a clock or a store. */

/** Early requests are counted in fixed windows of this length, in ms, each opened by the first of them. */
const STRIKE_WINDOW_MS = 60_000;
/** The first early requests of a window do not count: they may have been sent before the refusal arrived. */
const FREE_STRIKES = 10;
/** The durations of the first, second and all further bans, in ms. */
const BAN_DURATIONS_MS = [15 * 60_000, 60 * 60_000, 24 * 60 * 60_000] as const;
/** Moments of two servers differ by less, in ms. */
const MAX_CLOCK_SKEW_MS = 10_000;
/** A key without a ban for this long, in ms, starts with the shortest again. */
const BAN_HISTORY_MS = 7 * 24 * 60 * 60_000;

/** The strikes and bans of a key. Moments in ms since the epoch; 0 for never. */
export interface StrikeRecord {
  /** The refusal that began the current wait, and when the wait ends. */
  readonly refusedAt: number;
  readonly retryAt: number;
  /** Early requests in the window that ends at `strikesEnd`, including the free ones. */
  readonly strikes: number;
  readonly strikesEnd: number;
  readonly bans: number;
  readonly bannedUntil: number;
}

export interface Refusal {
  /** When it arrived, when it was refused, and when it may be retried, in ms since the epoch. */
  readonly arrivedAt: number;
  /**
   * When its client was certainly told of earlier refusals, in ms since the epoch: it was sent after that. When it arrived
   * if nothing better is known.
   */
  readonly sentAfter?: number;
  readonly refusedAt: number;
  readonly retryAt: number;
  readonly limit: number;
}

export const NO_STRIKES: StrikeRecord = { refusedAt: 0, retryAt: 0, strikes: 0, strikesEnd: 0, bans: 0, bannedUntil: 0 };

/** How long the last ban of a key was, in ms. */
export const banDuration = (bans: number): number => BAN_DURATIONS_MS[Math.min(Math.max(bans, 1), BAN_DURATIONS_MS.length) - 1] ?? 0;

/**
 * A record as it may be at a moment: one that was refused later is of a clock that was set back since. Its ban ends after its duration from now,
 * and its wait is over.
 */
function atMoment(record: StrikeRecord, now: number): StrikeRecord {
  const latest = now + banDuration(record.bans);
  const bannedUntil = record.bannedUntil > latest + MAX_CLOCK_SKEW_MS ? latest : record.bannedUntil;
  if (record.refusedAt > now + MAX_CLOCK_SKEW_MS) return { ...NO_STRIKES, bans: record.bans, bannedUntil };
  return bannedUntil === record.bannedUntil ? record : { ...record, bannedUntil };
}

/** The number of early requests in a window that leads to a ban. */
export const strikesBeforeBan = (limit: number): number => FREE_STRIKES + Math.max(30, Math.ceil(limit / 2));

/**
 * The record of a key after a refusal.
 *
 * A request is early if it arrived after an earlier one was refused and before that one's Retry-After. When it arrived does not
 * tell when it was sent: on a busy machine the last of a burst is read long after the first was answered. So a request that may
 * have been sent before (`sentAfter`) uses up the free ones and no more: a burst never leads to a ban, however long reading it takes.
 */
export function afterRefusal(before: StrikeRecord, { arrivedAt, sentAfter = arrivedAt, refusedAt, retryAt, limit }: Refusal): StrikeRecord {
  const record = atMoment(before, refusedAt);
  // Requests during a ban do not prolong it.
  if (record.bannedUntil > refusedAt) return record;
  if (arrivedAt >= record.retryAt) return { ...record, refusedAt, retryAt };
  const waiting = { ...record, retryAt: Math.max(record.retryAt, retryAt) };
  if (arrivedAt <= record.refusedAt) return waiting;

  const isOpen = record.strikesEnd > arrivedAt;
  const strikes = (isOpen ? record.strikes : 0) + 1;
  if (strikes > FREE_STRIKES && sentAfter <= record.refusedAt) return waiting;
  const strikesEnd = isOpen ? record.strikesEnd : arrivedAt + STRIKE_WINDOW_MS;
  if (strikes < strikesBeforeBan(limit)) return { ...waiting, strikes, strikesEnd };
  const bans = refusedAt - record.bannedUntil > BAN_HISTORY_MS ? 0 : record.bans;
  return { ...NO_STRIKES, bans: bans + 1, bannedUntil: refusedAt + banDuration(bans + 1) };
}
