/** What the processes of one service tell each other, where `WORKERS` is more than one: over the channel of node:cluster. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** To a worker: stop as after this signal. */
interface Stop {
  readonly type: 'stop';
  readonly signal: NodeJS.Signals;
}
/** From a worker: its start has succeeded. */
interface Started {
  readonly type: 'started';
}
/** From a worker to the primary, which passes it on to every other worker: what are your metrics? */
interface Ask {
  readonly type: 'ask';
  readonly asker: number;
  readonly id: number;
}
/** The answer, by way of the primary, with the number of workers that were asked. */
interface Answer {
  readonly type: 'answer';
  readonly asker: number;
  readonly id: number;
  readonly metrics: object[];
}
/** From the primary to who asks: how many answers to wait for. */
interface Asked {
  readonly type: 'asked';
  readonly id: number;
  readonly workers: number;
}
export type Message = Stop | Started | Ask | Answer | Asked;

/** The variable that gives a worker its number, from 1. */
export const WORKER_NUMBER = 'SPECWRIGHT_WORKER';
/** How long another worker may take for its metrics, in ms: one that hangs must not hide the others. */
const ANSWER_TIMEOUT_MS = 2000;

/** The number of this process among the workers of its service, from 1; 1 if it is the only process. */
export const workerNumber = (): number => (cluster.isWorker ? Number(process.env[WORKER_NUMBER]) : 1);

/** Sends to the primary, if it is still there. */
export function tellPrimary(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Sends to a worker, if it is still there. */
export function tellWorker(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/**
 * In a worker: calls `stop` once, on SIGTERM, when the primary says so, and when the primary is gone. What a terminal sends to all
 * processes of its group, the primary passes on.
 */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false;
  const stopOnce = (signal: NodeJS.Signals): void => {
    if (!isStopping) stop(signal);
    isStopping = true;
  };
  process.on('message', (message: Message) => {
    if (message.type === 'stop') stopOnce(message.signal);
  });
  process.on('SIGTERM', stopOnce);
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  cluster.worker?.on('disconnect', () => {
    // Otherwise node:cluster ends this process at once, with its requests under way.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    stopOnce('SIGTERM');
  });
}

/** In the primary: passes questions and answers of the workers on. */
export function passOn(message: Message, from: Worker, workers: readonly Worker[]): void {
  if (message.type === 'ask') {
    const others = workers.filter((each) => each !== from && each.isConnected());
    tellWorker(from, { type: 'asked', id: message.id, workers: others.length });
    for (const other of others) tellWorker(other, message);
  } else if (message.type === 'answer') {
    const asker = workers.find(({ id }) => id === message.asker);
    if (asker !== undefined) tellWorker(asker, message);
  }
}

/**
 * Makes the metrics of all workers readable in each of them.
 *
 * @param readOwn the metrics of this process, as prom-client's `getMetricsAsJSON` has them.
 * @returns a function that reads those of all processes; of those that answer, in time.
 */
export function shareMetrics(readOwn: () => Promise<object[]>): () => Promise<object[][]> {
  const { worker } = cluster;
  if (worker === undefined) return async () => [await readOwn()];
  const open = new Map<number, { expected: number; readonly received: object[][]; readonly end: () => void }>();
  let asked = 0;

  process.on('message', (message: Message) => {
    if (message.type === 'ask') {
      readOwn().then(
        (metrics) => tellPrimary({ ...message, type: 'answer', metrics }),
        // Who asks goes on without them, after a while.
        () => undefined,
      );
      return;
    }
    const question = 'id' in message ? open.get(message.id) : undefined;
    if (question === undefined) return;
    if (message.type === 'asked') question.expected = message.workers;
    if (message.type === 'answer') question.received.push(message.metrics);
    if (question.received.length === question.expected) question.end();
  });

  return async () => {
    const id = asked++;
    const late = new AbortController();
    const received: object[][] = [];
    const all = new Promise<void>((end) => open.set(id, { expected: -1, received, end }));
    tellPrimary({ type: 'ask', asker: worker.id, id });
    const own = await readOwn();
    await Promise.race([all, sleep(ANSWER_TIMEOUT_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined)]);
    late.abort();
    open.delete(id);
    return [own, ...received];
  };
}
