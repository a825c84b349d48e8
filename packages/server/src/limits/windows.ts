/** The arithmetic of two fixed windows, a minute and a day: pure functions, without a clock or a store. */
import type { Quota } from '@specwright/contract';

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

export interface RateLimitRequest {
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

/**
 * Windows of which none ends later than a full length from now: the clock was set back since they were opened. Each ends a length from now, so
 * that no caller waits for the difference.
 */
export const clampWindows = ({ minute, day }: Windows, now: number): Windows => ({
  minute: clampWindow(minute, now + WINDOW_MS.minute),
  day: clampWindow(day, now + WINDOW_MS.day),
});

const clampWindow = (window: Window, latest: number): Window => (window.ends <= latest ? window : { used: window.used, ends: latest });

export const exceededWindows = (windows: Windows, { cost, quota }: Pick<RateLimitRequest, 'cost' | 'quota'>, now: number): WindowName[] =>
  cost === 0 ? [] : WINDOW_NAMES.filter((name) => usedAt(windows[name], now) + cost > quota[name]);

/** Decides one request: both windows count it, or neither does. */
export function take(windows: Windows, request: RateLimitRequest, now: number): RateLimitResult {
  const { minute, day } = clampWindows(windows, now);
  const { cost, quota } = request;
  const admitted = cost === 0 || (usedAt(minute, now) + cost <= quota.minute && usedAt(day, now) + cost <= quota.day);
  if (!admitted || cost === 0) return { minute, day, admitted, now };
  return { minute: count(minute, cost, WINDOW_MS.minute, now), day: count(day, cost, WINDOW_MS.day, now), admitted, now };
}

const count = (window: Window, cost: number, ms: number, now: number): Window =>
  window.ends > now ? { used: window.used + cost, ends: window.ends } : { used: cost, ends: now + ms };

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
