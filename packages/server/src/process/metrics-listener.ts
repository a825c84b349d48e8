/** Serves `GET /metrics` at a port apart from the contracts', for as long as their server is open. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../errors.ts';
import { METRICS_PATH } from '../endpoints/endpoints.ts';
import type { Log } from '../log/logger.ts';
import type { Scrape } from '../ops/scrape.ts';
import { workerNumber } from '../workers/workers.ts';

/** What a scraper may take to send its request, in ms. */
const REQUEST_TIMEOUT_MS = 5000;
/** More scrapers than there are; what is beyond is closed at once, so that they cannot use up the files of the process. */
const MAX_CONNECTIONS = 100;

const listening = new WeakMap<Server, Promise<void>>();

/**
 * Once `server` listens, metrics are served on the same address, and after it is closed they are not: what happens while it drains can be seen.
 *
 * @param port of the first worker; that of the others is higher by 1, 2 and so on. 0 for any that is free, which the log tells.
 */
export function serveMetrics(server: Server, scrape: Scrape, port: number, log: Pick<Log, 'info'>): void {
  const metricsServer = createHttpServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(scrape, request, response).catch(() => response.destroy());
    },
  );
  metricsServer.maxConnections = MAX_CONNECTIONS;
  server.once('listening', () => {
    const own = port === 0 ? 0 : port + (workerNumber() ?? 1) - 1;
    const started = bind(metricsServer, own, addressOf(server), 'METRICS_PORT').then(() =>
      log.info({ port: (metricsServer.address() as AddressInfo).port }, `${METRICS_PATH} is served`),
    );
    listening.set(server, started);
    started.catch((error: unknown) => server.emit('error', error));
  });
  server.once('close', () => {
    metricsServer.close();
    metricsServer.closeAllConnections();
  });
}

/** Waits until the metrics of a server that listens are served, if they have a port. @throws Error as `bind` does. */
export const metricsListening = async (server: Server): Promise<void> => listening.get(server);

/** The address that a server was told to listen on, if it was not all of them. */
function addressOf(server: Server): string | undefined {
  const address = server.address();
  return address === null || typeof address === 'string' || address.address === '::' ? undefined : address.address;
}

async function answer(scrape: Scrape, { method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const isMetrics = url.split('?', 1)[0] === METRICS_PATH;
  if (!isMetrics) return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, ['Allow', 'GET, HEAD']).end();
  const { type, text } = await scrape();
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' });
  response.end(method === 'HEAD' ? undefined : text);
}

// Makes a server listen, and says what to do if it cannot.

/**
 * How many connections may wait to be accepted; the system's own bound is lower or the same. Beyond it the system drops what clients send,
 * and they try again after 1, 3, 7 s: with Node's 511 a burst waits for that, while the server has nothing to do.
 */
const BACKLOG = 4096;

/**
 * Listens on a port.
 *
 * @param host the address; `undefined` for all. @param setting what a person chooses the port with: an environment variable, or an option of a command.
 * @throws Error with what to do if the port is not available, ConfigError if it is none.
 */
export async function bind(server: Server, port: number, host: string | undefined, setting: string): Promise<void> {
  // Node's own error does not name the variable that a program has made the number of.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError([`${setting} must be a port from 0 to 65535, not ${port}`]);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new Error(formatProblem(error, port, host, setting), { cause: error }));
    server.once('error', fail);
    // Workers share PORT alone: requests to it must not reach the metrics of one whose number leads there.
    server.listen({ port, backlog: BACKLOG, exclusive: setting === 'METRICS_PORT', ...(host === undefined ? {} : { host }) }, () => {
      // It would hide a later error of the server.
      server.off('error', fail);
      resolve();
    });
  });
}

function formatProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string | undefined, setting: string): string {
  const another = `choose another with ${setting}`;
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop the process that listens there, or ${another}`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: ${another}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `this machine has no address ${host ?? ''}: correct HOST`;
  return `cannot listen on ${host ?? 'any address'}, port ${port}: ${message}`;
}
