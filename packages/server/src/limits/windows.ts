/** The arithmetic of two fixed windows, a minute and a day: pure functions, without a clock or a store. */
import type { Quota } from './plans.ts';

/** How long the windows are, in ms. */
export const WINDOW_MS = { minute: 60_000, day: 86_400_000 } as const;
export type WindowName = keyof typeof WINDOW_MS;
export const WINDOW_NAMES = ['minute', 'day'] as const satisfies readonly WindowName[];

/** One window of a bucket. It ends at `ends` (ms since the epoch); the next request opens another. */
export interface Window {
  readonly used: number;
  readonly ends: number;
}

export type Windows = Readonly<Record<WindowName, Window>>;

/**
 * What was admitted without asking the store: to be counted in each window, unless that has ended. Negative if the store has
 * counted requests that were refused.
 */
export interface Charge extends Windows {
  readonly bucket: string;
}

/** A request to count. */
export interface RateLimitRequest {
  /** The counters to use: those of an account or of an address. */
  readonly bucket: string;
  /** How much the request counts. 0 reads the windows without counting. */
  readonly cost: number;
  readonly quota: Quota;
}

/** The answer of a store: the windows after the request, by the store's clock. */
export interface RateLimitResult extends Windows {
  readonly admitted: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

export const EMPTY_WINDOWS: Windows = { minute: { used: 0, ends: 0 }, day: { used: 0, ends: 0 } };

/** How much of a window is used at a moment: nothing once it has ended. */
export const usedAt = ({ used, ends }: Window, now: number): number => (ends > now ? used : 0);

/** The windows that a request would exceed. */
export const exceededWindows = (windows: Windows, { cost, quota }: Pick<RateLimitRequest, 'cost' | 'quota'>, now: number): WindowName[] =>
  cost === 0 ? [] : WINDOW_NAMES.filter((name) => usedAt(windows[name], now) + cost > quota[name]);

/** Decides one request: both windows count it, or neither does. */
export function take(windows: Windows, request: RateLimitRequest, now: number): RateLimitResult {
  const admitted = exceededWindows(windows, request, now).length === 0;
  if (!admitted || request.cost === 0) return { minute: windows.minute, day: windows.day, admitted, now };
  const counted = (name: WindowName): Window => ({
    used: usedAt(windows[name], now) + request.cost,
    ends: windows[name].ends > now ? windows[name].ends : now + WINDOW_MS[name],
  });
  return { minute: counted('minute'), day: counted('day'), admitted, now };
}

/** The windows with a charge: beyond the limit too, because it has been served. */
export function charge(windows: Windows, added: Windows, now: number): Windows {
  const charged = (name: WindowName): Window => {
    const [window, { used, ends }] = [windows[name], added[name]];
    if (ends <= now || used === 0) return window;
    if (window.ends > now) return { used: Math.max(0, window.used + used), ends: window.ends };
    return used > 0 ? { used, ends } : window;
  };
  return { minute: charged('minute'), day: charged('day') };
}
