/** Runs a service as a process: starts it, stops it on a signal and in time, and says why it cannot run or has ended. */
import { formatFatalError } from '../errors.ts';
import { createLogger } from './logger.ts';

/** Stops a service, once its requests under way have ended. */
export type StopService = (signal: NodeJS.Signals) => Promise<void>;

/** What of a configuration concerns the process: `SERVER_VARIABLES` has it. */
export interface ProcessConfig {
  readonly logLevel?: string;
  /** How long the process may take to stop, in ms; 10,000 if it is not given. */
  readonly shutdownTimeout?: number;
}

export interface ServiceProcess<Config extends ProcessConfig> {
  readonly config: Config;
  readonly log: ReturnType<typeof createLogger>;
  /** Aborted when the process is told to stop: a start that waits for something must end then. */
  readonly stopping: AbortSignal;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const SHUTDOWN_TIMEOUT_MS = 10_000;
/** What remains for the connections of the process once the work under way has had its time, in ms. */
const CLOSE_MARGIN_MS = 2000;

/** How long work under way may take when the process stops, in ms. @param shutdownTimeout of the process as a whole, in ms. */
export const workTimeout = (shutdownTimeout: number): number => Math.max(shutdownTimeout - CLOSE_MARGIN_MS, 0.75 * shutdownTimeout);

/**
 * Starts a service. The first SIGTERM, SIGINT or SIGHUP stops it, within `shutdownTimeout` whatever hangs; a second one ends the
 * process. Exits with 1 if it cannot be started or stopped, and after an error that nobody has caught: what it has left undone
 * is unknown, so another process should go on. Each of these is the last line of the log, but a refused start in a terminal.
 *
 * @param readConfig what it throws is printed as the reason.
 */
export function runService<Config extends ProcessConfig>(
  start: (service: ServiceProcess<Config>) => Promise<StopService>,
  readConfig: () => Config = () => ({}) as Config,
): void {
  const stopping = new AbortController();
  let log: ReturnType<typeof createLogger> | undefined;
  let shutdownTimeout = SHUTDOWN_TIMEOUT_MS;

  const exitWithError = (error: unknown, message: string): never => {
    log?.fatal({ err: error }, message);
    console.error(formatFatalError(error));
    process.exit(1);
  };

  async function run(): Promise<StopService> {
    const config = readConfig();
    log = createLogger(config.logLevel ?? 'info');
    shutdownTimeout = config.shutdownTimeout ?? SHUTDOWN_TIMEOUT_MS;
    return start({ config, log, stopping: stopping.signal });
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const timer = setTimeout(
      () => exitWithError(new Error(`not stopped within ${shutdownTimeout} ms`), 'stopping failed'),
      shutdownTimeout,
    );
    stopping.abort(new Error(`stopped by ${signal}`));
    let stopService;
    try {
      stopService = await started;
    } catch {
      // It was stopped while it was being started.
      process.exit(0);
    }
    await stopService(signal);
    clearTimeout(timer);
    process.exit(0);
  }

  process.on('uncaughtException', (error) => exitWithError(error, 'the process ends by an error that nobody has caught'));
  // Before it starts: a signal that arrives while a database is being started must not leave it running.
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1);
      stop(signal).catch((error: unknown) => exitWithError(error, 'stopping failed'));
    });
  }
  const started = run();
  started.catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    // A person reads the reason below: a line of JSON before it would only hide it.
    if (process.stdout.isTTY) log = undefined;
    exitWithError(error, 'the service cannot be started');
  });
}
