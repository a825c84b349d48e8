/** Whether the server can serve requests: checked once a second until it can, and for every readiness probe. */
import type { Log } from './logger.ts';
import type { Readiness } from '../pipeline/probes.ts';

const POLL_INTERVAL_MS = 1000;

export interface ReadinessOptions {
  /** Checks the dependencies. @returns why requests cannot be served; `undefined` if they can. @throws if one cannot be reached. */
  readonly probe: () => Promise<string | undefined>;
  /** Gets a line each time that the reason changes. */
  readonly log: Pick<Log, 'info' | 'error'>;
}

export interface WatchedReadiness extends Readiness {
  /** Calls `listener` each time that the server becomes ready, and now if it is. */
  onReady(listener: () => void): void;
  /** Ends the checks. */
  stop(): void;
}

/**
 * Creates the state that the pipeline and the probes read. Call `check` once before the first request.
 *
 * A dependency that cannot be reached fails the probe, but no requests: each finds out for itself, so that none is refused
 * between the return of the dependency and the next check.
 */
export function createReadiness({ probe, log }: ReadinessOptions): WatchedReadiness {
  let reason: string | undefined = 'starting';
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let onReady: (() => void) | undefined;

  function setReason(value: string | undefined): void {
    reason = value;
    if (value !== undefined) return log.error({ reason: value }, 'not ready');
    log.info({}, 'ready');
    onReady?.();
  }

  async function check(): Promise<string | undefined> {
    let unreachable: string | undefined;
    try {
      const result = await probe();
      if (result !== reason) setReason(result);
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
      onReady = listener;
      if (reason === undefined) listener();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
