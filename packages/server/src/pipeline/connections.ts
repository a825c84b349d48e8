/** Bounds the connections of a server: how many may be open, and how many requests one turn of the event loop reads in an overload. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log/logger.ts';
import { type ConnectionEvent, DRAINING, type ServedSocket } from './http-server.ts';

/** Descriptors that are no connections of clients: temporary files, connections to databases, sockets of the process. */
const MAX_OTHER_DESCRIPTORS = 192;
/** How many requests of a turn may find no slot: about 100 ms, if they are refused. A thousand clients that keep their connections do no harm. */
const MAX_WITHOUT_SLOT = 400;
/** How often paused connections are read, in ms, and how many at a time: of those that were served before, and of those that have waited for too long. */
const RESUME_INTERVAL_MS = 1;
const SERVED_PORTION = 32;
const LATE_PORTION = 8;
/** Then a request is read, which means refused if there is still no time for it. */
const MAX_WAIT_MS = 5000;

/** How many connections a process may have open. Without `/proc` the limit of descriptors is not known. */
export function maxConnections(): number {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity);
    return Math.max(Math.floor(limit / 2), limit - MAX_OTHER_DESCRIPTORS);
  } catch {
    return Infinity;
  }
}

/**
 * Closes a connection for each one beyond the bound: one that has sent nothing since it was looked at, and that no request waits on
 * ("second chance"). So requests cost nothing. If all connections wait for responses the new one is closed.
 *
 * @returns the open connections.
 */
export function limitConnections(server: Server, event: ConnectionEvent, log: Pick<Log, 'warn'>): ReadonlyMap<ServedSocket, unknown> {
  const max = maxConnections();
  /** The bytes that each had sent when it was looked at, the one that was not looked at for longest first. */
  const open = new Map<ServedSocket, number>();
  let isWarned = false;

  function closeIdle(): boolean {
    const message = 'all connections are taken, so idle ones are closed: raise the limit of open files, or add a server';
    if (!isWarned) log.warn({ connections: open.size }, message);
    isWarned = true;
    let looks = 2 * open.size;
    for (const [socket, bytesRead] of open) {
      open.delete(socket);
      if (socket._httpMessage?.req.complete !== true && socket.bytesRead === bytesRead) return Boolean(socket.destroy());
      // It comes again at the end of this loop.
      open.set(socket, socket.bytesRead);
      if (--looks === 0) break;
    }
    return false;
  }

  server.on(event, (socket: Socket) => {
    if (open.size >= max && !closeIdle()) return void socket.destroy();
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

interface Paused {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * Pauses connections when many requests of a turn find no slot, and reads them in portions: those that were served before, then the newest
 * (adaptive LIFO, "Fail at Scale", ACM Queue 2015). libuv reads from all connections that have sent something before it ends a turn, up to
 * 48 x 1,024 of them: when thousands of clients send at once a turn takes seconds, and timers, writes and responses of the database wait.
 *
 * @param room how many more requests there is time for. @returns what counts a request that finds no slot.
 */
export function boundReads(server: Server, open: ReadonlyMap<ServedSocket, unknown>, room: () => number): () => void {
  /** The newest last. */
  const fresh: Paused[] = [];
  const served: Paused[] = [];
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  let isDraining = false;

  function resume(): void {
    timer = undefined;
    const late = performance.now() - MAX_WAIT_MS;
    const onTime = fresh.slice(0, LATE_PORTION).findIndex(({ since }) => since >= late);
    resumeAll(served.splice(-SERVED_PORTION));
    resumeAll(fresh.splice(0, onTime === -1 ? LATE_PORTION : onTime));
    // One even in an overload: it may be a probe.
    resumeAll(fresh.splice(-Math.max(1, Math.floor(room()))).reverse());
    resumeLater();
  }
  function resumeLater(): void {
    if (fresh.length + served.length > 0) timer ??= setTimeout(resume, RESUME_INTERVAL_MS);
  }
  function pauseIdle(): void {
    const since = performance.now();
    for (const socket of open.keys())
      if (!socket.isPaused() && !socket._httpMessage) (socket.bytesWritten > 0 ? served : fresh).push({ socket: socket.pause(), since });
    resumeLater();
  }

  // A connection is closed if no request of it was read.
  server.once(DRAINING, () => {
    isDraining = true;
    resumeAll([...fresh.splice(0), ...served.splice(0)]);
  });
  return () => {
    if (count++ === 0) setImmediate(() => (count = 0));
    if (count === MAX_WITHOUT_SLOT && !isDraining) pauseIdle();
  };
}

function resumeAll(paused: readonly Paused[]): void {
  for (const { socket } of paused) socket.resume();
}
