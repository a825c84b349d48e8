/**
 * Bounds what one turn of the event loop reads: beyond that connections are paused, and read in portions.
 *
 * libuv reads from all connections that have sent something before it ends a turn, up to 48 x 1,024 of them: when thousands of clients
 * send at once a turn takes seconds, and timers, writes and responses of the database wait for its end.
 *
 * Those that were served before are read first, then the newest (adaptive LIFO, "Fail at Scale", ACM Queue 2015). New connections
 * are accepted one in a turn, and are not paused.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
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
/** Then a request is read, which means refused if there is still no time for it. */
const MAX_WAIT_MS = 5000;

type ServedSocket = Socket & { readonly _httpMessage?: unknown };

/** @param room tells how many more requests the server has time for; less than one in an overload. */
export function createBoundReads(room: () => number) {
  let open: ReadonlyMap<Socket, unknown> = new Map();
  /** The newest last. */
  const paused = { fresh: [] as { readonly socket: Socket; readonly since: number }[], served: [] as Socket[] };
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;
  const endTurn = () => void (requests = 0);

  function resume(): void {
    timer = undefined;
    for (const socket of paused.served.splice(-SERVED_PORTION)) socket.resume();
    const late = performance.now() - MAX_WAIT_MS;
    const count = paused.fresh.slice(0, LATE_PORTION).findIndex(({ since }) => since >= late);
    for (const { socket } of paused.fresh.splice(0, count === -1 ? LATE_PORTION : count)) socket.resume();
    // One even in an overload: it may be a probe.
    for (const { socket } of paused.fresh.splice(-Math.max(1, Math.floor(room()))).reverse()) socket.resume();
    resumeLater();
  }

  function resumeLater(): void {
    if (paused.fresh.length + paused.served.length > 0) timer ??= setTimeout(resume, INTERVAL_MS);
  }

  function pauseAll(): void {
    const since = performance.now();
    for (const socket of open.keys() as Iterable<ServedSocket>) {
      if (socket.isPaused() || (socket._httpMessage ?? undefined) !== undefined) continue;
      socket.pause();
      if (socket.bytesWritten > 0) paused.served.push(socket);
      else paused.fresh.push({ socket, since });
    }
    resumeLater();
  }

  return {
    /** Counts requests before `server` handles them: a second listener of the server would cost a copy of their list. */
    counting:
      (server: { readonly handle: (request: Request, response: Response) => void }) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        if (requests++ === 0) setImmediate(endTurn);
        if (requests === MAX_REQUESTS + Math.floor(open.size / CONNECTIONS_PER_REQUEST) && !isDraining) pauseAll();
        server.handle(request as Request, response as Response);
      },
    /** @param connections the open ones of the server. */
    watch(server: Server, connections: typeof open): void {
      open = connections;
      // A connection is closed if no request of it was read.
      server.once(DRAINING, () => {
        isDraining = true;
        for (const socket of [...paused.fresh.splice(0).map((one) => one.socket), ...paused.served.splice(0)]) socket.resume();
      });
    },
  };
}
