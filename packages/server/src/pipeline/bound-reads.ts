/**
 * Bounds what one turn of the event loop reads: beyond that connections are paused, and read in portions.
 *
 * libuv reads from all connections that have sent something before it ends a turn, up to 48 x 1,024 of them: when thousands of clients
 * send at once a turn takes seconds, and timers, writes and responses of the database wait for its end.
 *
 * Those that were served before are read first, then the newest (adaptive LIFO, "Fail at Scale", ACM Queue 2015). New connections
 * are accepted one in a turn, and are not paused.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DRAINING } from './http-server.ts';

/** How many requests are read in a turn: about 100 ms, if they are refused. A thousand clients that keep their connections do no harm. */
const MAX_REQUESTS = 400;
/** To pause a connection takes about a hundredth of the time of a request. */
const CONNECTIONS_PER_REQUEST = 200;
/** How often connections are resumed at most, in ms. */
const INTERVAL_MS = 1;
/** How many are resumed at a time: of those that were served before, and of those that have waited for too long. */
const SERVED_PORTION = 32;
const LATE_PORTION = 8;
/** Of the others, while there is no time for one. It may be a probe. */
const MIN_PORTION = 1;
/** Then a request is read, which means refused if there is still no time for it. */
const MAX_WAIT_MS = 5000;
/** Removing the first of the array moves the rest. */
const COMPACT_AFTER = 1000;

interface Waiting {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * @param open the connections of the server. @param room tells how many more requests it has time for; less than one in an overload.
 */
export function boundReads(server: Server, open: ReadonlyMap<Socket, unknown>, room: () => number): void {
  const fresh = new PausedConnections();
  const served = new PausedConnections();
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;
  const endTurn = () => void (requests = 0);

  function resume(): void {
    timer = undefined;
    served.resume(SERVED_PORTION);
    fresh.resumeLate(LATE_PORTION);
    fresh.resume(Math.max(room(), MIN_PORTION));
    resumeLater();
  }

  function resumeLater(): void {
    if (fresh.size + served.size > 0) timer ??= setTimeout(resume, INTERVAL_MS);
  }

  function pauseAll(): void {
    for (const socket of open.keys()) if (!socket.isPaused() && !hasRequest(socket)) (socket.bytesWritten > 0 ? served : fresh).add(socket);
    resumeLater();
  }

  server.on('request', () => {
    if (requests++ === 0) setImmediate(endTurn);
    if (requests === MAX_REQUESTS + Math.floor(open.size / CONNECTIONS_PER_REQUEST) && !isDraining) pauseAll();
  });
  // A connection is closed if no request of it was read.
  server.once(DRAINING, () => {
    isDraining = true;
    for (const paused of [fresh, served]) paused.resume(Infinity);
  });
}

class PausedConnections {
  readonly #waiting: Waiting[] = [];
  #first = 0;

  get size(): number {
    return this.#waiting.length - this.#first;
  }

  add(socket: Socket): void {
    socket.pause();
    this.#waiting.push({ socket, since: performance.now() });
  }

  resume(count: number): void {
    for (let left = count; left >= 1 && this.size > 0; left--) this.#waiting.pop()?.socket.resume();
    if (this.size > 0) return;
    this.#waiting.length = this.#first = 0;
  }

  resumeLate(count: number): void {
    const until = performance.now() - MAX_WAIT_MS;
    for (let left = count; left > 0 && (this.#waiting[this.#first]?.since ?? Infinity) < until; left--)
      this.#waiting[this.#first++]?.socket.resume();
    if (this.#first < COMPACT_AFTER) return;
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }
}

const hasRequest = (socket: Socket & { readonly _httpMessage?: unknown }): boolean => (socket._httpMessage ?? undefined) !== undefined;
