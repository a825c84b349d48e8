/** Whether the server can serve: looks once a second until it can, and whenever a probe asks. */
import type { Log } from '../pipeline/exchange.ts';
import type { Readiness } from '../pipeline/probes.ts';

const POLL_INTERVAL_MS = 1000;

export interface ReadinessOptions {
  /** Asks the database. @returns why operations cannot be served; `undefined` if they can. @throws if it cannot be reached. */
  readonly probe: () => Promise<string | undefined>;
  /** Told each time that the reason changes. */
  readonly log: Pick<Log, 'info' | 'error'>;
}

export interface WatchedReadiness extends Readiness {
  /** Calls `begin` each time that the server becomes ready, and now if it is. */
  onReady(begin: () => void): void;
  stop(): void;
}

/**
 * The state that the pipeline and the probes look at. Call `check` once before the first request.
 *
 * A database that cannot be reached makes the probe fail, but holds no request back: each finds out for itself, so
 * none waits for the next look after the database has returned.
 */
export function createReadiness({ probe, log }: ReadinessOptions): WatchedReadiness {
  let reason: string | undefined = 'starting';
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let begin: (() => void) | undefined;

  function change(seen: string | undefined): void {
    reason = seen;
    if (seen === undefined) log.info({}, 'ready');
    else log.error({ reason: seen }, 'not ready');
    if (seen === undefined) begin?.();
  }

  async function check(): Promise<string | undefined> {
    let unreachable: string | undefined;
    try {
      const seen = await probe();
      if (seen !== reason) change(seen);
    } catch (error) {
      unreachable = (error as Error).message;
    }
    clearTimeout(timer);
    if (reason !== undefined && !stopped) timer = setTimeout(() => void check(), POLL_INTERVAL_MS).unref();
    return reason ?? unreachable;
  }

  return {
    reason: () => reason,
    check,
    onReady(listener) {
      begin = listener;
      if (reason === undefined) listener();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
