/** Runs a service as a process: starts it, stops it on a signal, and prints why it cannot run. */
import { formatFatalError } from '../errors.ts';

/** Stops a service, once its requests under way have ended. */
export type StopService = (signal: NodeJS.Signals) => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Starts a service. The first SIGTERM, SIGINT or SIGHUP stops it, a second one ends the process. Exits with 1 if either fails. */
export function runService(start: () => Promise<StopService>): void {
  const started = start();
  started.catch(exitWithError);
  let stopping = false;
  // At once: a signal that arrives while a database is being started must not leave it running.
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      started.then((stop) => stop(signal)).then(() => process.exit(0), exitWithError);
    });
  }
}

function exitWithError(error: unknown): never {
  console.error(formatFatalError(error));
  process.exit(1);
}
