/** What the processes of one service tell each other, where `WORKERS` is more than one: over the channel of node:cluster. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

export type Message =
  /** To a worker: stop as after this signal; SIGUSR2 if another one has taken its place. */
  | { readonly type: 'stop'; readonly signal: NodeJS.Signals }
  /** To a worker that waits until it is ready: no other one serves, so it is to listen now. */
  | { readonly type: 'listen' }
  /** From a worker: its start has succeeded, and it gets connections. */
  | { readonly type: 'started' }
  /** From a worker, by its id of node:cluster, to the primary, which passes it on to every other worker. */
  | { readonly type: 'metrics request'; readonly worker: number; readonly id: number }
  /** Of one worker, by way of the primary, to the worker whose request it answers. */
  | { readonly type: 'metrics response'; readonly worker: number; readonly id: number; readonly metrics: object }
  /** From the primary to the worker of a request: how many responses to wait for. */
  | { readonly type: 'metrics expected'; readonly id: number; readonly responses: number };

export const WORKER_NUMBER = 'SPECWRIGHT_WORKER';
/** How long another worker may take for its metrics, in ms: a worker that hangs must not hide the metrics of the rest. */
const RESPONSE_TIMEOUT_MS = 2000;
/** How long a worker may take to stop when the primary is gone, in ms: nothing can connect to it any more. */
const ORPHAN_TIMEOUT_MS = 400;

let replaced = false;

export const isReplaced = (): boolean => replaced;

/** The number of this process among the workers of its service, from 1; 1 if it is the only process. */
export const workerNumber = (): number => (cluster.isWorker ? Number(process.env[WORKER_NUMBER]) : 1);

/** In a worker: sends to the primary, if it is still there. */
export function sendToPrimary(message: Message): void {
  if (cluster.isWorker && process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

export function sendToWorker(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/**
 * In a worker: calls `stop` once, on SIGTERM, when the primary says so, and when the primary is gone; then `abandon`, if it has not
 * stopped soon. What a terminal sends to all processes of its group, the primary passes on.
 */
export function onStop(stop: (signal: NodeJS.Signals) => void, abandon: () => void): void {
  let isStopping = false;
  const stopOnce = (signal: NodeJS.Signals): void => {
    if (!isStopping) stop(signal);
    isStopping = true;
  };
  process.on('message', (message: Message) => {
    if (message.type !== 'stop') return;
    replaced = message.signal === 'SIGUSR2';
    stopOnce(message.signal);
  });
  process.on('SIGTERM', stopOnce);
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  cluster.worker?.on('disconnect', () => {
    // Otherwise node:cluster ends this process at once, with its requests under way.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    setTimeout(abandon, ORPHAN_TIMEOUT_MS);
    stopOnce('SIGTERM');
  });
}

export function passOn(message: Message, from: Worker, workers: readonly Worker[]): void {
  if (message.type === 'metrics request') {
    const others = workers.filter((each) => each !== from && each.isConnected());
    sendToWorker(from, { type: 'metrics expected', id: message.id, responses: others.length });
    for (const other of others) sendToWorker(other, message);
  } else if (message.type === 'metrics response') {
    const to = workers.find(({ id }) => id === message.worker);
    if (to !== undefined) sendToWorker(to, message);
  }
}

/**
 * Makes the metrics of all workers readable in each of them.
 *
 * @param readOwn the metrics of this process, as a value of JSON.
 * @returns a function that reads those of all processes; of those that answer, in time.
 */
export function shareMetrics<T extends object>(readOwn: () => Promise<T>): () => Promise<T[]> {
  const { worker } = cluster;
  if (worker === undefined) return async () => [await readOwn()];
  const open = new Map<number, { expected: number; readonly received: T[]; readonly end: () => void }>();
  let requests = 0;

  process.on('message', (message: Message) => {
    if (message.type === 'metrics request') {
      readOwn().then(
        (metrics) => sendToPrimary({ ...message, type: 'metrics response', metrics }),
        // The other worker goes on without them, after a while.
        () => undefined,
      );
      return;
    }
    const request = 'id' in message ? open.get(message.id) : undefined;
    if (request === undefined) return;
    if (message.type === 'metrics expected') request.expected = message.responses;
    if (message.type === 'metrics response') request.received.push(message.metrics as T);
    if (request.received.length === request.expected) request.end();
  });

  return async () => {
    const id = requests++;
    const late = new AbortController();
    const received: T[] = [];
    const all = new Promise<void>((end) => open.set(id, { expected: -1, received, end }));
    sendToPrimary({ type: 'metrics request', worker: worker.id, id });
    const own = await readOwn();
    await Promise.race([all, sleep(RESPONSE_TIMEOUT_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined)]);
    late.abort();
    open.delete(id);
    return [own, ...received];
  };
}

// When a worker begins to get connections: at once if no other one serves, so that probes are answered; else once it is ready.

export const SERVED_PORT = 'SPECWRIGHT_SERVED_PORT';
/** The time between two looks at whether this worker is ready, in ms. */
const POLL_INTERVAL_MS = 50;

interface Deferred {
  readonly listen: () => Promise<unknown>;
  /** @returns why it is not ready; `undefined` if it is. */
  readonly check: () => Promise<string | undefined>;
}

const deferred: Deferred[] = [];
let isTold = false;

/** In a worker, from the beginning: the primary says when no other worker serves any more. */
export function watchServedPort(): void {
  process.on('message', (message: Message) => {
    if (message.type === 'listen') isTold = true;
  });
}

export function servedPort(): number | undefined {
  const port = process.env[SERVED_PORT];
  return cluster.isWorker && port !== undefined && !isTold ? Number(port) : undefined;
}

/** Until `listenWhenReady`. */
export const deferListening = (server: Deferred): void => void deferred.push(server);

/** Listens with what was deferred, as soon as it is ready or no other worker serves. @param signal when aborted, it does not listen. */
export async function listenWhenReady(signal: AbortSignal): Promise<void> {
  for (const { listen, check } of deferred) {
    while (!isTold && !signal.aborted && (await check()) !== undefined) await sleep(POLL_INTERVAL_MS);
    if (!signal.aborted) await listen();
  }
}
