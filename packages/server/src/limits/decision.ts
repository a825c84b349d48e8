/** What a caller is told about a request: admitted or not, what is left, when to come back. */
import type { Quota } from './plans.ts';
import { WINDOW_MS, WINDOW_NAMES, usedAt, exceededWindows, type WindowName, type RateLimitResult } from './windows.ts';

/** One window as a caller sees it. */
export interface WindowStatus {
  readonly limit: number;
  readonly remaining: number;
  /** When the limit is whole again, in ms since the epoch. A window that nobody has opened would end a full length from now. */
  readonly ends: number;
}

export interface Ban {
  /** ms since the epoch. */
  readonly until: number;
}

export interface RateLimitDecision {
  readonly admitted: boolean;
  /** ms since the epoch, by the clock that decided. */
  readonly now: number;
  readonly windows: Readonly<Record<WindowName, WindowStatus>>;
  /** The window that the headers show: the one with the fewest left, on a tie the longer. */
  readonly reported: WindowName;
  /** In whole seconds, at least 1; only if not admitted. */
  readonly retryAfter?: number;
  /** A ban of the key that asked. */
  readonly ban?: Ban;
}

/** Seconds until a moment: at least 1, for a `Retry-After` of 0 would be an invitation, and at most the day that anything lasts. */
export const secondsUntil = (moment: number, now: number): number => Math.min(86_400, Math.max(1, Math.ceil((moment - now) / 1000)));

export function toDecision(taken: RateLimitResult, cost: number, quota: Quota): RateLimitDecision {
  const { admitted, now } = taken;
  const show = (span: WindowName): WindowStatus => ({
    limit: quota[span],
    remaining: Math.max(0, quota[span] - usedAt(taken[span], now)),
    ends: taken[span].ends > now ? taken[span].ends : now + WINDOW_MS[span],
  });
  const windows = { minute: show('minute'), day: show('day') };
  const reported: WindowName = windows.minute.remaining < windows.day.remaining ? 'minute' : 'day';
  if (admitted) return { admitted, now, windows, reported };
  // What the store refused may, for a group of asks decided together, fit by its last state: then the shown window says when.
  const spans = exceededWindows(taken, { cost, quota }, now);
  const ends = (spans.length > 0 ? spans : [reported]).map((span) => windows[span].ends);
  return { admitted, now, windows, reported, retryAfter: secondsUntil(Math.max(...ends), now) };
}

/** The decision about a request of a banned key: nothing is left until the ban ends. */
export function toBannedDecision(
  { windows, reported }: Pick<RateLimitDecision, 'windows' | 'reported'>,
  ban: Ban,
  now: number,
): RateLimitDecision {
  const none = ({ limit, ends }: WindowStatus): WindowStatus => ({ limit, remaining: 0, ends: Math.max(ends, ban.until) });
  const both = Object.fromEntries(WINDOW_NAMES.map((span) => [span, none(windows[span])])) as unknown as RateLimitDecision['windows'];
  return { admitted: false, now, windows: both, reported, retryAfter: secondsUntil(ban.until, now), ban };
}
