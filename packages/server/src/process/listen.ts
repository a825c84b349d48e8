/** Starts and stops a server, without dropping a request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DRAINING } from '../pipeline/http-server.ts';
import { bind } from './bind.ts';
import { isServiceStarted } from '../workers/worker-process.ts';

/** What begins once a server listens. */
const starts = new WeakMap<Server, Promise<void>>();

/** Calls `start` once the server listens. `listen` waits for it; what it throws is an error of the server. */
export function startWith(server: Server, start: () => Promise<void>): void {
  server.once('listening', () => {
    const started = start();
    starts.set(server, started);
    started.catch((error: unknown) => server.emit('error', error));
  });
}

/** What a worker of a service that serves already listens with, once its own start has ended: until then requests go to the others. */
const listeners: (() => Promise<unknown>)[] = [];

/**
 * Starts a server, and its listener for metrics if it has one (`metricsPort`). A worker of `runService` that is started while others serve
 * listens when its `start` has ended.
 *
 * @param host the address to listen on; `undefined` for all. @param setting what a person chooses the port with. @returns the port, which the system chooses if `port` is 0.
 * @throws Error with what to do if a port is not available.
 */
export async function listen(server: Server, port: number, host: string | undefined, setting = 'PORT'): Promise<number> {
  if (!isServiceStarted()) return listenNow(server, port, host, setting);
  listeners.push(() => listenNow(server, port, host, setting));
  return port;
}

/** Listens with the servers of a worker whose start has ended. @param signal when aborted, it does not listen. */
export async function listenAfterStart(signal: AbortSignal): Promise<void> {
  for (const listener of listeners) if (!signal.aborted) await listener();
}

async function listenNow(server: Server, port: number, host: string | undefined, setting: string): Promise<number> {
  // An error of its listener for metrics is an event of the server, too; here it is thrown.
  const ignore = () => undefined;
  server.on('error', ignore);
  try {
    await bind(server, port, host, setting);
    await starts.get(server);
  } finally {
    server.off('error', ignore);
  }
  return (server.address() as AddressInfo).port;
}

const closers = new WeakMap<Server, () => Promise<void>>();

/** Has `closeParts` called once the server is closed, in whichever way. `close` waits for it. */
export function closeWith(server: Server, closeParts: () => Promise<void>): void {
  closers.set(server, closeParts);
  // What fails is logged, and thrown to those who wait.
  server.once('close', () => void closeParts().catch(() => undefined));
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
 * closes, and requests under way have the rest of the time. At last its `parts` are closed. It need not listen.
 *
 * @throws AggregateError if a part could not be stopped or closed.
 */
export async function close(server: Server, timeout: number, drainDelay = 0): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), timeout);
  server.emit(DRAINING);
  // Of a server that the application has made, the responses from now on.
  server.prependListener('request', closeAfterResponse);
  if (drainDelay > 0) await sleep(Math.min(drainDelay, timeout));
  // Timers run before input is read: what has arrived makes its connection busy first.
  await new Promise((resolve) => setImmediate(resolve));
  // A kept-alive connection becomes idle when its request ends. There is no event for that, and it would stay open for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  server.closeIdleConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(deadline);
  clearInterval(sweep);
  await closers.get(server)?.();
}
