/** The connections of a server: how many may be open, and what becomes of those whose client has ended its side. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHttp2 } from '../http/request-head.ts';
import type { Log } from '../log/logger.ts';

/** Descriptors that are no connections of clients: temporary files, connections to databases, sockets of the process. */
const MAX_OTHER_DESCRIPTORS = 192;
const WARN_INTERVAL_MS = 60_000;

/** How many connections a process may have open. Without `/proc` the limit of descriptors is not known. */
export function maxConnections(): number {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity);
    return Math.max(Math.floor(limit / 2), limit - MAX_OTHER_DESCRIPTORS);
  } catch {
    return Infinity;
  }
}

/** The event by which a server tells of a connection. */
export type ConnectionEvent = 'connection' | 'secureConnection';

/** What this file uses of a connection of Node's servers: the response to its oldest request that is not answered yet. */
type ServedSocket = Socket & { readonly _httpMessage?: { readonly req: IncomingMessage } | null };

/**
 * Closes a connection for each one beyond the bound: one that has sent nothing since it was looked at, and that no request waits on
 * ("second chance"). So requests cost nothing. If all connections wait for responses the new one is closed.
 *
 * @returns the open connections.
 */
export function limitConnections(
  server: Server,
  event: ConnectionEvent,
  max: number,
  log: Pick<Log, 'warn'>,
): ReadonlyMap<Socket, unknown> {
  /** The bytes that each had sent when it was looked at, the one that was not looked at for longest first. */
  const open = new Map<ServedSocket, number>();
  let warnedAt = -Infinity;

  function makeRoom(): boolean {
    const now = performance.now();
    if (now - warnedAt >= WARN_INTERVAL_MS) {
      warnedAt = now;
      const message = 'all connections are taken, so idle ones are closed: raise the limit of open files, or add a server';
      log.warn({ connections: open.size }, message);
    }
    for (let looks = 2 * open.size; looks > 0; looks--) {
      const [socket, bytesRead] = open.entries().next().value as [ServedSocket, number];
      open.delete(socket);
      if (socket._httpMessage?.req.complete !== true && socket.bytesRead === bytesRead) return Boolean(socket.destroy());
      open.set(socket, socket.bytesRead);
    }
    return false;
  }

  server.on(event, (socket: Socket) => {
    if (open.size >= max && !makeRoom()) return void socket.destroy();
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/**
 * How long nothing may be written to a connection whose client has ended its side, in ms. TCP tells a client that only sends no more from
 * one that is gone by the answer to what is written: until then work for a client that may have gone goes on.
 */
const SILENCE_MS = 1000;

/** Answers what was sent on such connections. Call it before the server listens. */
export function answerHalfClosed(server: Server, event: ConnectionEvent): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on(event, (socket: Socket) =>
    socket.once('end', () => {
      // A connection in memory has no timeout.
      if ('setTimeout' in socket) socket.setTimeout(SILENCE_MS);
    }),
  );
}

/** For a response without a known end, which may be silent for long: its client reads on only as long as its side is open. */
export function closeWithClient(request: IncomingMessage, response: ServerResponse): void {
  if (isHttp2(request)) return;
  const { socket } = request;
  const close = () => response.destroy();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}
