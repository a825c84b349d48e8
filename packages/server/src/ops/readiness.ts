/** Whether the server can serve: looks once a second until it can, and whenever a probe asks. */

/** Asks the database. @returns why operations cannot be served; `undefined` if they can. @throws if it cannot be reached. */
export type Ask = () => Promise<string | undefined>;

const INTERVAL = 1000;

export interface ReadinessOptions {
  readonly ask: Ask;
  /** Told each time that the reason changes. */
  readonly onChange: (reason: string | undefined) => void;
}

/**
 * The state that the request line and the probes look at. Call `check` once before the first request.
 *
 * A database that cannot be reached makes the probe fail, but holds no request back: each finds out for itself, so
 * none waits for the next look after the database has returned.
 */
export function createReadiness({ ask, onChange }: ReadinessOptions) {
  let reason: string | undefined = 'starting';
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function check(): Promise<string | undefined> {
    let unreachable: string | undefined;
    try {
      const seen = await ask();
      if (seen !== reason) onChange(seen);
      reason = seen;
    } catch (error) {
      unreachable = (error as Error).message;
    }
    clearTimeout(timer);
    if (reason !== undefined && !stopped) timer = setTimeout(() => void check(), INTERVAL).unref();
    return reason ?? unreachable;
  }

  return {
    reason: () => reason,
    check,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
