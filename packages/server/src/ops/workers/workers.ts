/** The primary process of a service with several workers: starts them, replaces those that end, and stops them all. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/logger.ts';
import { SERVED_PORT } from './deferred-listening.ts';
import { keepHandedOver } from './handed-over.ts';
import { passOn, sendToWorker, WORKER_NUMBER, type Message } from './worker-channel.ts';
import { inBackground } from '@specwright/contract';

/** A worker that ends is replaced at once; those after it wait for a time that doubles, in ms, up to the longest. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** A worker that has lived as long has not ended because workers cannot run, in ms. */
const HEALTHY_MS = 30_000;
/** What a worker may take beyond its own time to stop before it is killed, in ms. */
const KILL_MARGIN_MS = 1000;

export interface WorkersOptions {
  readonly count: number;
  /** How long a worker may take to stop, in ms. */
  readonly shutdownTimeout: number;
  /** How long a successor may take until it is ready, in ms: then the replacement is given up. */
  readonly replaceTimeout: number;
  readonly log: Log;
}

/** The first worker could not be started. It has said why. */
export class WorkerFailed extends Error {
  constructor() {
    super('the first worker could not be started');
    this.name = 'WorkerFailed';
  }
}

export type Workers = ReturnType<typeof createWorkers>;

/** `count` workers, each of which runs this program again. */
export function createWorkers({ count, shutdownTimeout, replaceTimeout, log }: WorkersOptions) {
  // By number, from 1, the one that serves now.
  const current = new Map<number, Worker>();
  const all = new Set<Worker>();
  /** Those that get connections. */
  const serving = new Set<Worker>();
  let servedPort: number | undefined;
  let isStopping = false;
  let pause = 0;
  let stopped: Promise<boolean> | undefined;
  let replacing: Promise<void> | undefined;
  /** The number of the worker whose successor is being started. */
  let replacedNumber: number | undefined;
  /** It may be while something is waited for. */
  const isOver = (): boolean => isStopping;

  /** Starts a worker, which gets connections when it is ready, or when no other one serves. @param timeoutMs after which it is killed. */
  function fork(number: number, timeoutMs: number | undefined): Worker {
    const port = serving.size > 0 && servedPort !== undefined ? { [SERVED_PORT]: String(servedPort) } : {};
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number), ...port });
    all.add(worker);
    keepHandedOver(worker, () => serving.size > 0);
    // Such as a message to one that has just ended: its exit tells.
    worker.on('error', (err) => log.warn({ worker: number, pid: worker.process.pid, err }, 'a worker cannot be reached'));
    worker.on('listening', ({ port: actual }) => {
      servedPort ??= actual;
      serving.add(worker);
    });
    worker.on('disconnect', () => {
      serving.delete(worker);
      if (serving.size === 0) for (const each of all) sendToWorker(each, { type: 'listen' });
    });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs);
    for (const event of ['ready', 'exit']) worker.once(event, () => clearTimeout(timer));
    return worker;
  }

  /** @returns the worker once it gets connections and is ready; `undefined` if it ends before that. */
  function start(number: number, timeoutMs?: number): Promise<Worker | undefined> {
    const worker = fork(number, timeoutMs);
    const began = performance.now();
    return new Promise((resolve) => {
      worker.on('message', (message: Message) => {
        if (message.type !== 'started') return passOn(message, worker, [...serving]);
        worker.emit('ready');
        current.set(number, worker);
        resolve(worker);
      });
      worker.on('exit', (code: number | null, signal: string | null) => {
        all.delete(worker);
        resolve(undefined);
        if (isStopping || current.get(number) !== worker) return;
        current.delete(number);
        if (performance.now() - began > HEALTHY_MS) pause = 0;
        log.error({ worker: number, pid: worker.process.pid, code, signal }, 'a worker has ended: another takes its place');
        // Its successor may be on its way already.
        if (number !== replacedNumber) inBackground(startAgain(number), log);
      });
    });
  }

  async function startAgain(number: number): Promise<void> {
    if (pause > 0) await sleep(pause);
    pause = Math.min(Math.max(2 * pause, MIN_PAUSE_MS), MAX_PAUSE_MS);
    if (isStopping) return;
    const worker = await start(number);
    if (worker === undefined) return startAgain(number);
    log.info({ worker: number, pid: worker.process.pid }, 'the worker is replaced');
  }

  /** @returns whether it stopped without being killed. */
  async function stopOne(worker: Worker, signal: NodeJS.Signals): Promise<boolean> {
    if (worker.isDead()) return true;
    serving.delete(worker);
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), shutdownTimeout + KILL_MARGIN_MS);
    const ended = once(worker, 'exit');
    sendToWorker(worker, { type: 'stop', signal });
    const [code] = (await ended) as [number | null];
    clearTimeout(timer);
    return code === 0;
  }

  async function replaceEach(): Promise<void> {
    for (const [number, old] of [...current]) {
      if (isOver()) return;
      // It has just ended, so its successor runs the new program.
      if (current.get(number) !== old) continue;
      replacedNumber = number;
      const successor = await start(number, replaceTimeout);
      replacedNumber = undefined;
      if (successor === undefined) {
        if (isOver()) return;
        if (!current.has(number)) inBackground(startAgain(number), log);
        return log.error({ worker: number }, 'the workers are not replaced: a new one cannot be started, or is not ready in time');
      }
      await stopOne(old, 'SIGUSR2');
    }
    log.info({ workers: count }, 'all workers are replaced');
  }

  return {
    /**
     * Starts them: the first one alone, so that what is done once, such as migrations, is done before the rest start, and what is
     * wrong with all of them is said once.
     *
     * @throws WorkerFailed
     */
    async start(): Promise<void> {
      if ((await start(1)) === undefined) throw new WorkerFailed();
      const others = Array.from({ length: count - 1 }, (_, i) => i + 2);
      await Promise.all(others.map(async (number) => (await start(number)) ?? (await startAgain(number))));
      if (!isStopping) log.info({ workers: count }, 'all workers serve');
    },
    /** Replaces each by a new process, one after another: the new one serves before the old one stops. */
    replace: (): Promise<void> => (replacing ??= replaceEach().finally(() => (replacing = undefined))),
    /** Stops them. @returns whether all stopped without being killed. */
    stop(signal: NodeJS.Signals): Promise<boolean> {
      isStopping = true;
      return (stopped ??= Promise.all([...all].map((worker) => stopOne(worker, signal))).then((ended) => ended.every(Boolean)));
    },
    /** Ends them at once. */
    kill(): void {
      for (const worker of all) worker.process.kill('SIGKILL');
    },
  };
}
