/** Runs a service as a process, or as several: starts it, stops it on a signal and in time, and says why it cannot run or has ended. */
import cluster from 'node:cluster';
import { inBackground } from '@specwright/contract';
import { printError, printText } from '@specwright/contract/runtime';
import { formatFatalError, loggedReason } from '../errors.ts';
import { logPrinted } from '../log/log-printed.ts';
import { createLogger, isForPeople, type Log } from '../log/logger.ts';
import type { LogFormat } from '../log/pretty-log.ts';
import { flushTelemetry } from '../ops/telemetry.ts';
import { isServiceStarted, onStop, sendStarted, workerNumber } from '../workers/worker-process.ts';
import type { Greeting } from './greeting.ts';
import { listenAfterStart } from './listen.ts';

/** Stops a service, once its requests under way have ended. @param signal which has told it to. */
export type StopService = (signal: NodeJS.Signals) => Promise<void>;

/** What of a configuration concerns the process: `SERVER_VARIABLES` has it. */
export interface ProcessConfig {
  readonly logLevel?: string;
  readonly logFormat?: LogFormat | undefined;
  /** How long the process may take to stop, in ms; 10,000 if it is not given. */
  readonly shutdownTimeout?: number;
  /** Whether there is a page at /docs, if Swagger UI is installed. */
  readonly docs?: boolean;
  /** A `function` is frozen after a response: its log is written at once. */
  readonly profile?: 'server' | 'function';
  /** How many processes serve; 1 if it is not given: this one. */
  readonly workers?: number;
}

export interface ServiceProcess<Config extends ProcessConfig> {
  readonly config: Config;
  readonly log: ReturnType<typeof createLogger>;
  /** Aborted when the process is told to stop: a start that waits for something must end then. */
  readonly stopping: AbortSignal;
  /** Tells on standard output that the service listens, and how to call it: after what has been logged until then. */
  readonly greet: (greeting: Greeting) => void;
  /** Whether this process does what one of several does for all: background work, the greeting. Each service has one such process. */
  readonly isFirstWorker: boolean;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const SHUTDOWN_TIMEOUT_MS = 10_000;
/** What the process that supervises workers may take beyond theirs, in ms. */
const SUPERVISION_MARGIN_MS = 2000;
/** What remains for the connections of the process once the work under way has had its time, in ms. */
const CLOSE_MARGIN_MS = 2000;

/** How long work under way may take when the process stops, in ms. @param shutdownTimeout of the process as a whole, in ms. */
export const workTimeout = (shutdownTimeout: number): number => Math.max(shutdownTimeout - CLOSE_MARGIN_MS, 0.75 * shutdownTimeout);

/**
 * Starts a service. The first SIGTERM, SIGINT or SIGHUP stops it, within `shutdownTimeout` whatever hangs; a second one ends the
 * process. With `workers` above 1 this process serves nothing: it starts as many that do, which share its port, and another in the
 * place of one that ends. SIGUSR2 is ignored, with a line. Exits with 1 if it cannot be started or stopped, and after an error that was not caught: what it has left undone is unknown, so
 * another process should go on. The reason is said once: it is the last line of the log, of level `fatal`; and text on standard error where there is no log (the configuration is not valid, or LOG_LEVEL is
 * `silent`), and where a person reads that the service cannot be started.
 *
 * @param readConfig what it throws is printed as the reason.
 */
export function runService<Config extends ProcessConfig>(
  start: (service: ServiceProcess<Config>) => Promise<StopService>,
  readConfig: () => Config = () => ({}) as Config,
): void {
  new ProcessRun(start, readConfig).begin();
}

class ProcessRun<Config extends ProcessConfig> {
  readonly #start: (service: ServiceProcess<Config>) => Promise<StopService>;
  readonly #readConfig: () => Config;
  readonly #stopping = new AbortController();
  #log: ReturnType<typeof createLogger> | undefined = undefined;
  #isLogForPeople = process.stdout.isTTY;
  #shutdownTimeout = SHUTDOWN_TIMEOUT_MS;
  #started: Promise<StopService> | undefined = undefined;

  constructor(start: (service: ServiceProcess<Config>) => Promise<StopService>, readConfig: () => Config) {
    this.#start = start;
    this.#readConfig = readConfig;
  }

  begin(): void {
    // A closed terminal must not prevent that what was started in it is stopped.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
    process.on('uncaughtException', (error) => this.#exitWithError(error, 'the process ends by an uncaught error'));
    const { signal: stopping } = this.#stopping;
    const beginStop = (signal: NodeJS.Signals) =>
      this.#stop(signal).catch((error: unknown) => this.#exitWithError(error, 'stopping failed'));
    // By default it would end the process, its requests with it, and without a line.
    process.on('SIGUSR2', () => this.#log?.warn({ signal: 'SIGUSR2' }, 'SIGUSR2 is ignored'));
    // Before it starts: a signal that arrives while a database is being started must not leave it running.
    if (workerNumber() !== undefined) onStop(beginStop);
    else for (const signal of SIGNALS) process.on(signal, () => (stopping.aborted ? process.exit(1) : beginStop(signal)));
    this.#started = this.#run();
    this.#started.catch((error: unknown) => {
      if (stopping.aborted) return;
      // A person needs the reason alone, not the stack of its error.
      if (this.#isLogForPeople) this.#log = undefined;
      this.#exitWithError(error, 'the service cannot be started', loggedReason(error));
    });
  }

  async #run(): Promise<StopService> {
    const config = this.#readConfig();
    const { workers = 1 } = config;
    const worker = workerNumber();
    const fields = worker === undefined ? undefined : { worker, pid: process.pid };
    const log = (this.#log = createLogger(
      config.logLevel ?? 'info',
      config.logFormat,
      fields,
      config.profile === 'function' ? false : undefined,
    ));
    this.#isLogForPeople = isForPeople(config.logFormat);
    if (!this.#isLogForPeople && log.isLevelEnabled('warn')) logPrinted(log);
    this.#shutdownTimeout = config.shutdownTimeout ?? SHUTDOWN_TIMEOUT_MS;
    const { signal: stopping } = this.#stopping;
    if (workers > 1 && cluster.isPrimary) {
      const options = { count: workers, shutdownTimeout: this.#shutdownTimeout, log };
      this.#shutdownTimeout += SUPERVISION_MARGIN_MS;
      const { supervise } = await import('../workers/workers.ts');
      return supervise(options, stopping);
    }
    const isFirstWorker = worker === undefined || worker === 1;
    const printGreeting = async (greeting: Greeting): Promise<void> => {
      const { formatGreeting } = await import('./greeting.ts');
      // What reads JSON reads every line as JSON.
      if (config.logFormat === 'json')
        return log.info({}, formatGreeting(greeting, { isTerminal: false, hasDocs: false }).split('\n', 1)[0] ?? '');
      log.flush();
      const hasDocs = config.docs === true && (await import('../endpoints/docs-files.ts')).findSwaggerUi() !== undefined;
      printText(formatGreeting(greeting, { isTerminal: process.stdout.isTTY, hasDocs }));
    };
    const greet = (greeting: Greeting): void => {
      if (isFirstWorker && !isServiceStarted()) inBackground(printGreeting(greeting), log);
    };
    const stopService = logged(log, await this.#start({ config, log, stopping, isFirstWorker, greet }));
    await listenAfterStart(stopping);
    if (worker !== undefined && !stopping.aborted) {
      log.info({}, 'the worker serves');
      sendStarted();
    }
    return stopService;
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const timeout = this.#shutdownTimeout;
    const timer = setTimeout(() => this.#exitWithError(new Error(`not stopped within ${timeout} ms`), 'stopping failed'), timeout);
    this.#stopping.abort(new Error(`stopped by ${signal}`));
    let stopService;
    try {
      stopService = await this.#started;
    } catch {
      // It was stopped while it was being started.
      process.exit(0);
    }
    await stopService?.(signal);
    await flushTelemetry();
    clearTimeout(timer);
    process.exit(0);
  }

  #exitWithError(error: unknown, message: string, err = error): never {
    if (this.#log?.isLevelEnabled('fatal')) this.#log.fatal({ err }, message);
    else printError(formatFatalError(error));
    process.exit(1);
  }
}

const logged =
  (log: Pick<Log, 'info'>, stopService: StopService): StopService =>
  async (signal) => {
    log.info({ signal }, 'stopping');
    await stopService(signal);
    log.info({}, 'stopped');
  };
