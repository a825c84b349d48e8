/** When a worker begins to get connections: at once if no other one serves, so that probes are answered; else once it is ready. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from './worker-channel.ts';

/** The variable that tells a worker on which port others serve. */
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

/** The port that others serve, if this is a worker and they do. */
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
