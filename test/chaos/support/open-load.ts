/** Requests at a steady rate, whether those before them have been answered or not: as clients do that know nothing of each other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadClient, LoadResponse } from '../../support/tools/load-client.ts';

/** A response, and when its request was sent, on the clock of `performance.now()`. */
export type TimedResponse = LoadResponse & { readonly sentAt: number };

export interface OpenLoad {
  /** So far. */
  readonly responses: readonly TimedResponse[];
  /** Sends no more, and waits for those under way. */
  stop(): Promise<void>;
}

/** @param send sends the `n`th request. @param perSecond how many. */
export function startLoad(send: (n: number) => ReturnType<LoadClient['send']>, perSecond: number): OpenLoad {
  const responses: TimedResponse[] = [];
  const pending = new Set<Promise<void>>();
  let n = 0;
  const timer = setInterval(() => {
    const sentAt = performance.now();
    const one = send(n++).then((response) => {
      responses.push({ ...response, sentAt });
      pending.delete(one);
    });
    pending.add(one);
  }, 1000 / perSecond);
  return {
    responses,
    async stop() {
      clearInterval(timer);
      while (pending.size > 0) {
        await Promise.race(pending);
        await sleep(1);
      }
    },
  };
}

/** How long after `since` the last request was sent that did not succeed, in ms. */
export const failedUntil = (responses: readonly TimedResponse[], since: number): number =>
  Math.max(0, ...responses.filter(({ status }) => status >= 300 || status === 0).map(({ sentAt }) => sentAt - since));
