/** Bounds the open connections by the descriptors of the process: beyond the bound the connection that has sent nothing for longest is closed. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
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

/**
 * Closes a connection for each one beyond the bound.
 *
 * Second chance ("clock"): a connection is closed if it has sent nothing since it was looked at, and no request on it waits for its
 * response. So requests cost nothing. If all connections wait for responses the new one is closed.
 *
 * @param event by which the server tells of a connection. @returns the open connections.
 */
export function limitConnections(
  server: Server,
  event: 'connection' | 'secureConnection',
  max: number,
  log: Pick<Log, 'warn'>,
): ReadonlyMap<Socket, unknown> {
  /** The bytes that each had sent when it was looked at, the one that was not looked at for longest first. */
  const open = new Map<Socket, number>();
  let warnedAt = -Infinity;

  function closeIdle(): boolean {
    for (let looks = 2 * open.size; looks > 0; looks--) {
      const [socket, bytesRead] = open.entries().next().value as [Socket, number];
      open.delete(socket);
      if (!awaitsResponse(socket) && socket.bytesRead === bytesRead) {
        socket.destroy();
        return true;
      }
      open.set(socket, socket.bytesRead);
    }
    return false;
  }

  function warn(): void {
    const now = performance.now();
    if (now - warnedAt < WARN_INTERVAL_MS) return;
    warnedAt = now;
    log.warn(
      { connections: open.size },
      'all connections are taken, so idle ones are closed: raise the limit of open files, or add a server',
    );
  }

  server.on(event, (socket: Socket) => {
    if (open.size >= max) {
      warn();
      if (!closeIdle()) return void socket.destroy();
    }
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function awaitsResponse(socket: Socket & { readonly _httpMessage?: { readonly req: IncomingMessage } | null }): boolean {
  return socket._httpMessage?.req.complete === true;
}
