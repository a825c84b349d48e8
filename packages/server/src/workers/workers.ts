/** Several processes of one service on one port, by node:cluster: started, started again when they end, and stopped together. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { inBackground } from '@specwright/contract';
import type { createLogger } from '../log/logger.ts';
import { NUMBER, SERVICE_STARTED } from './worker-process.ts';

/** Before a worker that has ended is started again, in ms: twice the last pause, unless it has lived for HEALTHY_MS. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const HEALTHY_MS = 30_000;
/** What a worker may take beyond its own time to stop before it is killed, in ms. */
const KILL_MARGIN_MS = 1000;

interface WorkersOptions {
  readonly count: number;
  /** How long a worker may take to stop, in ms. */
  readonly shutdownTimeout: number;
  readonly log: ReturnType<typeof createLogger>;
}

const livingWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false) as Worker[];

/** No worker goes on without the primary, or beyond its time to stop. */
const killWorkers = (): void => livingWorkers().forEach((worker) => worker.process.kill('SIGKILL'));

class Workers {
  readonly #options: WorkersOptions;
  #isStarted = false;
  #isStopping = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Starts the first one, which migrates, and then the others. @returns whether the first one has started; if not, it has said why. */
  async start(): Promise<boolean> {
    const { count, log } = this.#options;
    this.#isStarted = await this.#run(1);
    for (let number = 2; this.#isStarted && number <= count; number++) inBackground(this.#run(number), log);
    return this.#isStarted;
  }

  /** Stops all of them. @returns whether each has stopped in time, and without an error. */
  async stop(signal: NodeJS.Signals): Promise<boolean> {
    this.#isStopping = true;
    setTimeout(killWorkers, this.#options.shutdownTimeout + KILL_MARGIN_MS).unref();
    const all = livingWorkers().map(async (worker) => {
      worker.send({ stop: signal }, () => undefined);
      const [code] = (await once(worker, 'exit')) as [number | null];
      return code === 0;
    });
    return (await Promise.all(all)).every(Boolean);
  }

  /** Starts a worker, and, once the service has started, another when it has ended. @returns whether it has started. */
  #run(number: number, pauseMs = MIN_PAUSE_MS): Promise<boolean> {
    const { log } = this.#options;
    const worker = cluster.fork({ [NUMBER]: String(number), [SERVICE_STARTED]: String(this.#isStarted) });
    const of = { worker: number, pid: worker.process.pid };
    const since = performance.now();
    worker.on('error', (err) => log.warn({ ...of, err }, 'a worker cannot be started or reached'));
    return new Promise((resolve) => {
      worker.on('message', ({ isStarted }: { isStarted?: boolean }) => isStarted === true && resolve(true));
      worker.once('exit', (code: number | null, signal: string | null) => {
        resolve(false);
        if (!this.#isStarted && signal !== null) log.fatal({ ...of, signal }, 'the first worker was killed while it started');
        if (this.#isStopping || !this.#isStarted) return;
        const pause = performance.now() - since > HEALTHY_MS ? MIN_PAUSE_MS : pauseMs;
        log.error({ ...of, code, signal, pause }, 'a worker has ended: another takes its place');
        setTimeout(() => !this.#isStopping && this.#run(number, Math.min(2 * pause, MAX_PAUSE_MS)), pause);
      });
    });
  }
}

/** Starts workers in the place of a service. Exits with 1 if the first one cannot be started: it has said why. */
export async function supervise(options: WorkersOptions, stopping: AbortSignal): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  const workers = new Workers(options);
  // A second signal, or an uncaught error, ends this process.
  process.on('exit', killWorkers);
  const stopStart = () => inBackground(workers.stop('SIGTERM'), options.log);
  stopping.addEventListener('abort', stopStart);
  if (!(await workers.start()) && !stopping.aborted) process.exit(1);
  stopping.removeEventListener('abort', stopStart);
  return async (signal) => {
    if (!(await workers.stop(signal))) throw new Error('a worker did not stop in time, or failed to stop');
  };
}
