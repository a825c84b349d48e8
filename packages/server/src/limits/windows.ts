/** The arithmetic of two fixed windows, a minute and a day. No clock and no store: both are given. */
import type { Quota } from './plans.ts';

/** How long the windows are, in ms. */
export const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
export type WindowName = keyof typeof WINDOW_MS;
export const WINDOW_NAMES = ['minute', 'day'] as const satisfies readonly WindowName[];

/** One window of a bucket. It is over from `ends` on (ms since the epoch), and the next request opens another. */
export interface Window {
  readonly used: number;
  readonly ends: number;
}

export type Windows = Readonly<Record<WindowName, Window>>;

/** What one request asks of a bucket. */
export interface RateLimitRequest {
  /** Whose counters: an account or an address. */
  readonly bucket: string;
  /** What the request weighs. 0 looks without counting. */
  readonly cost: number;
  readonly quota: Quota;
}

/** What a store says to an ask: the windows as they are after it, by the store's clock. */
export interface RateLimitResult extends Windows {
  readonly admitted: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

export const EMPTY_WINDOWS: Windows = { minute: { used: 0, ends: 0 }, day: { used: 0, ends: 0 } };

/** What a window has used at a moment: nothing once it is over. */
export const usedAt = ({ used, ends }: Window, now: number): number => (ends > now ? used : 0);

/** The spans in which a request does not fit. */
export const exceededWindows = (windows: Windows, { cost, quota }: Pick<RateLimitRequest, 'cost' | 'quota'>, now: number): WindowName[] =>
  cost === 0 ? [] : WINDOW_NAMES.filter((span) => usedAt(windows[span], now) + cost > quota[span]);

/** Decides one request. Both windows admit it, or neither counts it. */
export function take(windows: Windows, ask: RateLimitRequest, now: number): RateLimitResult {
  const admitted = exceededWindows(windows, ask, now).length === 0;
  if (!admitted || ask.cost === 0) return { minute: windows.minute, day: windows.day, admitted, now };
  const counted = (span: WindowName): Window => ({
    used: usedAt(windows[span], now) + ask.cost,
    ends: windows[span].ends > now ? windows[span].ends : now + WINDOW_MS[span],
  });
  return { minute: counted('minute'), day: counted('day'), admitted, now };
}
