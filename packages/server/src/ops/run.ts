/** Runs a service as a process: starts it, stops it on a signal and in time, and says why it cannot run or has ended. */
import { formatFatalError } from '../errors.ts';
import { findSwaggerUi } from '../pipeline/docs-page.ts';
import { formatGreeting, type Greeting } from './greeting.ts';
import { createLogger, isForPeople } from './logger.ts';
import type { LogFormat } from './pretty-log.ts';

/** Stops a service, once its requests under way have ended. */
export type StopService = (signal: NodeJS.Signals) => Promise<void>;

/** What of a configuration concerns the process: `SERVER_VARIABLES` has it. */
export interface ProcessConfig {
  readonly logLevel?: string;
  readonly logFormat?: LogFormat | undefined;
  /** How long the process may take to stop, in ms; 10,000 if it is not given. */
  readonly shutdownTimeout?: number;
  /** Whether there is a page at /docs, if Swagger UI is installed. */
  readonly docs?: boolean;
}

export interface ServiceProcess<Config extends ProcessConfig> {
  readonly config: Config;
  readonly log: ReturnType<typeof createLogger>;
  /** Aborted when the process is told to stop: a start that waits for something must end then. */
  readonly stopping: AbortSignal;
  /** Tells on standard output that the service listens, and how to call it: after what has been logged until then. */
  readonly greet: (greeting: Greeting) => void;
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
 * is unknown, so another process should go on. Each of these is the last line of the log, but a refused start where people read it.
 *
 * @param readConfig what it throws is printed as the reason.
 */
export function runService<Config extends ProcessConfig>(
  start: (service: ServiceProcess<Config>) => Promise<StopService>,
  readConfig: () => Config = () => ({}) as Config,
): void {
  const stopping = new AbortController();
  let log: ReturnType<typeof createLogger> | undefined;
  let isLogForPeople = process.stdout.isTTY;
  let shutdownTimeout = SHUTDOWN_TIMEOUT_MS;

  const exitWithError = (error: unknown, message: string): never => {
    log?.fatal({ err: error }, message);
    console.error(formatFatalError(error));
    process.exit(1);
  };

  async function run(): Promise<StopService> {
    const config = readConfig();
    const logger = (log = createLogger(config.logLevel ?? 'info', config.logFormat));
    isLogForPeople = isForPeople(config.logFormat);
    shutdownTimeout = config.shutdownTimeout ?? SHUTDOWN_TIMEOUT_MS;
    const greet = (greeting: Greeting): void => {
      logger.flush();
      const hasDocs = config.docs === true && findSwaggerUi() !== undefined;
      process.stdout.write(formatGreeting(greeting, { isTerminal: process.stdout.isTTY, hasDocs }));
    };
    return start({ config, log: logger, stopping: stopping.signal, greet });
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
    // A person reads the reason below: a line of the log before it would only say it twice.
    if (isLogForPeople) log = undefined;
    exitWithError(error, 'the service cannot be started');
  });
}
