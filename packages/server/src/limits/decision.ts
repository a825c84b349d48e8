/** What a caller is told about a request: admitted or not, what is left, when to come back. */
import type { Quota } from './plans.ts';
import { LENGTH, SPANS, usedAt, violated, type Span, type RateLimitResult } from './windows.ts';

/** One window as a caller sees it. */
export interface Shown {
  readonly limit: number;
  readonly remaining: number;
  /** When the limit is whole again, in ms since the epoch. A window that nobody has opened would end a full length from now. */
  readonly ends: number;
}

export interface Ban {
  /** ms since the epoch. */
  readonly until: number;
}

export interface Decision {
  readonly admitted: boolean;
  /** ms since the epoch, by the clock that decided. */
  readonly now: number;
  readonly windows: Readonly<Record<Span, Shown>>;
  /** The window that the headers show: the one with the fewest left, on a tie the longer. */
  readonly shown: Span;
  /** In whole seconds, at least 1; only if not admitted. */
  readonly retryAfter?: number;
  /** A ban of the key that asked. */
  readonly ban?: Ban;
}

/** Seconds until a moment: at least 1, for a `Retry-After` of 0 would be an invitation, and at most the day that anything lasts. */
export const secondsUntil = (moment: number, now: number): number => Math.min(86_400, Math.max(1, Math.ceil((moment - now) / 1000)));

export function describe(taken: RateLimitResult, cost: number, quota: Quota): Decision {
  const { admitted, now } = taken;
  const show = (span: Span): Shown => ({
    limit: quota[span],
    remaining: Math.max(0, quota[span] - usedAt(taken[span], now)),
    ends: taken[span].ends > now ? taken[span].ends : now + LENGTH[span],
  });
  const windows = { minute: show('minute'), day: show('day') };
  const shown: Span = windows.minute.remaining < windows.day.remaining ? 'minute' : 'day';
  if (admitted) return { admitted, now, windows, shown };
  // What the store refused may, for a group of asks decided together, fit by its last state: then the shown window says when.
  const spans = violated(taken, { cost, quota }, now);
  const ends = (spans.length > 0 ? spans : [shown]).map((span) => windows[span].ends);
  return { admitted, now, windows, shown, retryAfter: secondsUntil(Math.max(...ends), now) };
}

/** The decision about a request of a banned key: nothing is left until the ban ends. */
export function banned({ windows, shown }: Pick<Decision, 'windows' | 'shown'>, ban: Ban, now: number): Decision {
  const none = ({ limit, ends }: Shown): Shown => ({ limit, remaining: 0, ends: Math.max(ends, ban.until) });
  const both = Object.fromEntries(SPANS.map((span) => [span, none(windows[span])])) as unknown as Decision['windows'];
  return { admitted: false, now, windows: both, shown, retryAfter: secondsUntil(ban.until, now), ban };
}
