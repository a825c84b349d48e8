/** Rate-limit decisions: whether a request is admitted, what is left, when to retry. */
import type { Quota } from '@specwright/contract';
import { WINDOW_MS, WINDOW_NAMES, exceededWindows, type Window, type WindowName, type RateLimitResult } from './windows.ts';

export interface RateLimitWindow {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in ms since the epoch. One without requests would end a full length from now. */
  readonly ends: number;
}

export interface Ban {
  /** ms since the epoch. */
  readonly until: number;
}

export interface RateLimitDecision {
  readonly admitted: boolean;
  /** Whether the store has decided. If not, the windows are what this instance knows, and may admit, alone. */
  readonly isExact: boolean;
  /** ms since the epoch, by the clock that decided. */
  readonly now: number;
  readonly windows: Readonly<Record<WindowName, RateLimitWindow>>;
  /** The window that the headers report: the one with the fewest left, on a tie the longer. */
  readonly reported: WindowName;
  /** In whole seconds, at least 1; only if not admitted. */
  readonly retryAfter?: number;
  readonly ban?: Ban;
}

/** Seconds until a moment: at least 1, because a `Retry-After` of 0 invites a retry at once, and at most a day. */
export const secondsUntil = (moment: number, now: number): number => Math.min(86_400, Math.max(1, Math.ceil((moment - now) / 1000)));

export function toDecision(result: RateLimitResult, cost: number, quota: Quota, isExact = true): RateLimitDecision {
  const { admitted, now } = result;
  const windows = {
    minute: toWindow(result.minute, quota.minute, WINDOW_MS.minute, now),
    day: toWindow(result.day, quota.day, WINDOW_MS.day, now),
  };
  const reported: WindowName = windows.minute.remaining < windows.day.remaining ? 'minute' : 'day';
  if (admitted) return { admitted, isExact, now, windows, reported };
  // Of requests that the store decided together, a refused one may fit its last state: the reported window counts then.
  const exceeded = exceededWindows(result, { cost, quota }, now);
  const ends = (exceeded.length > 0 ? exceeded : [reported]).map((name) => windows[name].ends);
  return { admitted, isExact, now, windows, reported, retryAfter: secondsUntil(Math.max(...ends), now) };
}

/** Never a longer wait than the window: the clock may have been set back since it was opened. */
function toWindow({ used, ends }: Window, limit: number, ms: number, now: number): RateLimitWindow {
  const isOpen = ends > now;
  return { limit, remaining: isOpen ? Math.max(0, limit - used) : limit, ends: isOpen ? Math.min(ends, now + ms) : now + ms };
}

/** The decision for a banned key: nothing is left until the ban ends. */
export function toBannedDecision(
  { windows, reported, isExact }: Pick<RateLimitDecision, 'windows' | 'reported' | 'isExact'>,
  ban: Ban,
  now: number,
): RateLimitDecision {
  const exhausted = ({ limit, ends }: RateLimitWindow): RateLimitWindow => ({ limit, remaining: 0, ends: Math.max(ends, ban.until) });
  const all = Object.fromEntries(WINDOW_NAMES.map((name) => [name, exhausted(windows[name])])) as unknown as RateLimitDecision['windows'];
  return { admitted: false, isExact, now, windows: all, reported, retryAfter: secondsUntil(ban.until, now), ban };
}
