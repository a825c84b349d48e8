/** Starts and stops a server, without dropping a request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DRAINING } from '../pipeline/http-server.ts';
import { bind, metricsListening } from './metrics-listener.ts';
import { checkReadiness } from './readiness.ts';
import { deferListening, servedPort, isReplaced } from '../workers/worker-channel.ts';

/** How long a worker that is replaced serves the connections that it has, in ms: those who send on them are told to connect again. */
const HANDOVER_MS = 2000;

/**
 * Starts a server, and its listener for metrics if it has one (`metricsPort`). In a worker of `runService` it listens when `start` has ended
 * and the server is ready, while other workers serve.
 *
 * @param host the address to listen on; `undefined` for all. @returns the port, which the system chooses if `port` is 0.
 * @throws Error with what to do if a port is not available.
 */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  const served = servedPort();
  if (served === undefined) return listenNow(server, port, host);
  deferListening({ listen: () => listenNow(server, port, host), check: () => checkReadiness(server) });
  return port || served;
}

async function listenNow(server: Server, port: number, host: string | undefined): Promise<number> {
  // An error of its listener for metrics is an event of the server, too; here it is thrown.
  const ignore = () => undefined;
  server.on('error', ignore);
  try {
    await bind(server, port, host, 'PORT');
    await metricsListening(server);
  } finally {
    server.off('error', ignore);
  }
  return (server.address() as AddressInfo).port;
}

function closeAfterResponse(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/**
 * Stops a server without failing a request, in `timeout` ms at most.
 *
 * For `drainDelay` ms it goes on serving, and every response closes its connection: those who still send here, on connections
 * that they keep too, are told to connect again, which by then leads them to another server. Closing a kept connection instead
 * would lose the request that its client is sending at that moment (RFC 9112, section 9.5). Then idle connections end, the port
 * closes, and requests under way have the rest of the time. A worker that is replaced gets no connections from the beginning.
 */
export async function close(server: Server, timeout: number, drainDelay = 0): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), timeout);
  server.emit(DRAINING);
  // Of a server that the application has made, the responses from now on.
  server.prependListener('request', closeAfterResponse);
  const closed = isReplaced() ? stopAccepting(server) : undefined;
  const delay = Math.min(closed === undefined ? drainDelay : HANDOVER_MS, timeout);
  if (delay > 0) await Promise.race([sleep(delay), ...(closed === undefined ? [] : [closed])]);
  // Timers run before input is read: what has arrived makes its connection busy first.
  await new Promise((resolve) => setImmediate(resolve));
  // A kept-alive connection becomes idle when its request ends. There is no event for that, and it would stay open for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  server.closeIdleConnections();
  await (closed ?? new Promise<void>((resolve) => server.close(() => resolve())));
  clearTimeout(deadline);
  clearInterval(sweep);
}

/** `close` of `node:http` would end idle connections too. @returns when all connections have ended. */
function stopAccepting(server: Server): Promise<void> {
  const close = Reflect.get(NetServer.prototype, 'close') as (this: Server, callback: () => void) => void;
  return new Promise((resolve) => close.call(server, resolve));
}
