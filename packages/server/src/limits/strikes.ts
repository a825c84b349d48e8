/** When a key that does not wait is banned, and for how long. No clock and no store: both are given. */

/** Early requests are counted in fixed windows of this length, in ms, each opened by the first of them. */
const STRIKE_WINDOW_MS = 60_000;
/** The first of a window are free: they were perhaps on their way already. */
const FREE_STRIKES = 10;
/** A ban is the first of these after the last, in ms; the last one from then on. */
const BAN_DURATIONS_MS = [15 * 60_000, 60 * 60_000, 24 * 60 * 60_000] as const;
/** A key that has kept out of bans for this long, in ms, begins with the shortest again. */
const BAN_HISTORY_MS = 7 * 24 * 60 * 60_000;

/** What is remembered of a key. Moments in ms since the epoch; 0 for never. */
export interface StrikeRecord {
  /** The refusal that began the present wait, and when the wait ends. */
  readonly refusedAt: number;
  readonly retryAt: number;
  /** Early requests in the window that ends at `strikesEnd`, the free ones included. */
  readonly strikes: number;
  readonly strikesEnd: number;
  /** How many bans there were. */
  readonly bans: number;
  readonly bannedUntil: number;
}

/** A request that was refused. */
export interface Refusal {
  /** When it arrived, when it was refused, and when it may come back. ms since the epoch. */
  readonly arrivedAt: number;
  readonly refusedAt: number;
  readonly retryAt: number;
  /** The minute limit of the caller. */
  readonly limit: number;
}

export const NO_STRIKES: StrikeRecord = { refusedAt: 0, retryAt: 0, strikes: 0, strikesEnd: 0, bans: 0, bannedUntil: 0 };

/** How many early requests of a window lead to a ban. */
export const strikesBeforeBan = (limit: number): number => FREE_STRIKES + Math.max(30, Math.ceil(limit / 2));

/**
 * What is remembered after a refusal.
 *
 * A request is early if it arrived after an earlier one was refused and before that one's Retry-After. So of a burst of
 * requests that were sent together none is early, however many are refused.
 */
export function afterRefusal(record: StrikeRecord, { arrivedAt, refusedAt, retryAt, limit }: Refusal): StrikeRecord {
  // A ban is not prolonged by what comes while it lasts.
  if (record.bannedUntil > refusedAt) return record;
  if (arrivedAt >= record.retryAt) return { ...record, refusedAt, retryAt };
  const waiting = { ...record, retryAt: Math.max(record.retryAt, retryAt) };
  if (arrivedAt <= record.refusedAt) return waiting;

  const open = record.strikesEnd > arrivedAt;
  const strikes = (open ? record.strikes : 0) + 1;
  const strikesEnd = open ? record.strikesEnd : arrivedAt + STRIKE_WINDOW_MS;
  if (strikes < strikesBeforeBan(limit)) return { ...waiting, strikes, strikesEnd };
  const bans = refusedAt - record.bannedUntil > BAN_HISTORY_MS ? 0 : record.bans;
  const length = BAN_DURATIONS_MS[Math.min(bans, BAN_DURATIONS_MS.length - 1)] ?? 0;
  return { ...NO_STRIKES, bans: bans + 1, bannedUntil: refusedAt + length };
}
