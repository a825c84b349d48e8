/** The primary process of a service with several workers: starts them, replaces those that end, and stops them all. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/logger.ts';
import { SERVED_PORT, passOn, sendToWorker, WORKER_NUMBER, type Message } from './worker-channel.ts';
import { inBackground } from '@specwright/contract';
import { Socket } from 'node:net';

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
class WorkerFailed extends Error {
  constructor() {
    super('the first worker could not be started');
    this.name = 'WorkerFailed';
  }
}

export class Workers {
  readonly #options: WorkersOptions;
  /** By number, from 1, the one that serves now. */
  readonly #current = new Map<number, Worker>();
  readonly #all = new Set<Worker>();
  /** Those that get connections. */
  readonly #serving = new Set<Worker>();
  #servedPort: number | undefined = undefined;
  #isStopping = false;
  #pause = 0;
  #stopped: Promise<boolean> | undefined = undefined;
  #replacing: Promise<void> | undefined = undefined;
  #replacedNumber: number | undefined = undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /**
   * Starts them: the first one alone, so that what is done once, such as migrations, is done before the rest start, and what is
   * wrong with all of them is said once.
   *
   * @throws WorkerFailed
   */
  async start(): Promise<void> {
    const { count, log } = this.#options;
    if ((await this.#start(1)) === undefined) throw new WorkerFailed();
    const others = Array.from({ length: count - 1 }, (_, i) => i + 2);
    await Promise.all(others.map(async (number) => (await this.#start(number)) ?? (await this.#startAgain(number))));
    if (!this.#isStopping) log.info({ workers: count }, 'all workers serve');
  }

  /** Replaces each by a new process, one after another: the new one serves before the old one stops. */
  replace(): Promise<void> {
    return (this.#replacing ??= this.#replaceEach().finally(() => (this.#replacing = undefined)));
  }

  /** Stops them. @returns whether all stopped without being killed. */
  stop(signal: NodeJS.Signals): Promise<boolean> {
    this.#isStopping = true;
    return (this.#stopped ??= Promise.all([...this.#all].map((worker) => this.#stopOne(worker, signal))).then((ended) =>
      ended.every(Boolean),
    ));
  }

  kill(): void {
    for (const worker of this.#all) worker.process.kill('SIGKILL');
  }

  /** Starts a worker, which gets connections when it is ready, or when no other one serves. @param timeoutMs after which it is killed. */
  #fork(number: number, timeoutMs: number | undefined): Worker {
    const serving = this.#serving;
    const port = serving.size > 0 && this.#servedPort !== undefined ? { [SERVED_PORT]: String(this.#servedPort) } : {};
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number), ...port });
    this.#all.add(worker);
    keepHandedOver(worker, () => serving.size > 0);
    // Such as a message to one that has just ended: its exit tells.
    worker.on('error', (err) => this.#options.log.warn({ worker: number, pid: worker.process.pid, err }, 'a worker cannot be reached'));
    worker.on('listening', ({ port: actual }) => {
      this.#servedPort ??= actual;
      serving.add(worker);
    });
    worker.on('disconnect', () => {
      serving.delete(worker);
      if (serving.size === 0) for (const each of this.#all) sendToWorker(each, { type: 'listen' });
    });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs);
    for (const event of ['ready', 'exit']) worker.once(event, () => clearTimeout(timer));
    return worker;
  }

  /** @returns the worker once it gets connections and is ready; `undefined` if it ends before that. */
  #start(number: number, timeoutMs?: number): Promise<Worker | undefined> {
    const worker = this.#fork(number, timeoutMs);
    const began = performance.now();
    return new Promise((resolve) => {
      worker.on('message', (message: Message) => {
        if (message.type !== 'started') return passOn(message, worker, [...this.#serving]);
        worker.emit('ready');
        this.#current.set(number, worker);
        resolve(worker);
      });
      worker.on('exit', (code: number | null, signal: string | null) => {
        this.#all.delete(worker);
        resolve(undefined);
        if (this.#isStopping || this.#current.get(number) !== worker) return;
        this.#current.delete(number);
        if (performance.now() - began > HEALTHY_MS) this.#pause = 0;
        const { log } = this.#options;
        log.error({ worker: number, pid: worker.process.pid, code, signal }, 'a worker has ended: another takes its place');
        // Its successor may be on its way already.
        if (number !== this.#replacedNumber) inBackground(this.#startAgain(number), log);
      });
    });
  }

  async #startAgain(number: number): Promise<void> {
    if (this.#pause > 0) await sleep(this.#pause);
    this.#pause = Math.min(Math.max(2 * this.#pause, MIN_PAUSE_MS), MAX_PAUSE_MS);
    if (this.#isStopping) return;
    const worker = await this.#start(number);
    if (worker === undefined) return this.#startAgain(number);
    this.#options.log.info({ worker: number, pid: worker.process.pid }, 'the worker is replaced');
  }

  /** @returns whether it stopped without being killed. */
  async #stopOne(worker: Worker, signal: NodeJS.Signals): Promise<boolean> {
    if (worker.isDead()) return true;
    this.#serving.delete(worker);
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.shutdownTimeout + KILL_MARGIN_MS);
    const ended = once(worker, 'exit');
    sendToWorker(worker, { type: 'stop', signal });
    const [code] = (await ended) as [number | null];
    clearTimeout(timer);
    return code === 0;
  }

  async #replaceEach(): Promise<void> {
    const { count, log } = this.#options;
    for (const [number, old] of [...this.#current]) {
      if (this.#isOver()) return;
      // It has just ended, so its successor runs the new program.
      if (this.#current.get(number) !== old) continue;
      this.#replacedNumber = number;
      const successor = await this.#start(number, this.#options.replaceTimeout);
      this.#replacedNumber = undefined;
      if (successor === undefined) {
        if (this.#isOver()) return;
        if (!this.#current.has(number)) inBackground(this.#startAgain(number), log);
        return log.error({ worker: number }, 'the workers are not replaced: a new one cannot be started, or is not ready in time');
      }
      await this.#stopOne(old, 'SIGUSR2');
    }
    log.info({ workers: count }, 'all workers are replaced');
  }

  /** It may be while something is waited for. */
  #isOver(): boolean {
    return this.#isStopping;
  }
}

// Connections that the primary has handed to a worker which ends before it takes them: node:cluster forgets them, and they stay
// open.

/** What this file uses of node:cluster's messages: a connection on its way to a worker, the same in every version of Node so far. */
interface NewConnection {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  readonly seq: number;
}

/** How often, and after how many ms, to look whether the last messages of a process that has ended were read. */
const MAX_LOOKS = 50;
const LOOK_INTERVAL_MS = 10;

/** What this file uses of them: from a worker, whether it takes the connection. */
interface Answer {
  readonly ack?: number;
  readonly accepted?: boolean;
}

/** In the primary: gives what a worker has not taken when it ends to another one, or resets it. @param isServed whether there is one. */
function keepHandedOver({ process: child }: Worker, isServed: () => boolean): void {
  const untaken = new Map<number, object>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, handle] = args as [Partial<NewConnection>, object | undefined];
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && handle !== undefined) untaken.set(message.seq as number, handle);
    return send(...args);
  };
  // A worker answers before it reads from the connection, so one that it has not answered for has lost nothing.
  child.on('internalMessage', ({ ack }: Answer) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  let isDisconnected = false;
  // Emitted after the last answer was read. Before this listener, node:cluster's own has removed the worker.
  child.once('disconnect', () => {
    isDisconnected = true;
    for (const [ack, handle] of untaken) {
      if (isServed())
        child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false } satisfies Answer & Pick<NewConnection, 'cmd'>);
      else new Socket({ handle, pauseOnCreate: true } as object).resetAndDestroy();
    }
  });
  // A process that ends while a handle is on its way to it never confirms that, and Node waits for it before it emits the event.
  const disconnect = (looks: number): void => {
    if (isDisconnected) return;
    // Until its last messages are read.
    if (child.connected && looks > 0) return void setTimeout(disconnect, LOOK_INTERVAL_MS, looks - 1);
    child.emit('disconnect');
  };
  child.once('exit', () => setImmediate(disconnect, MAX_LOOKS));
}
