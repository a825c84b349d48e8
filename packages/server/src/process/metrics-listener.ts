/** Serves `GET /metrics` at a port apart from the contracts', for as long as their server is open. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_PATH } from '../endpoints/probes.ts';
import { bind } from './bind.ts';
import type { Log } from '../log/logger.ts';
import type { Scrape } from '../ops/scrape.ts';

/** What a scraper may take to send its request, in ms. */
const REQUEST_TIMEOUT_MS = 5000;
/** More scrapers than there are; what is beyond is closed at once, so that they cannot use up the files of the process. */
const MAX_CONNECTIONS = 100;

const listening = new WeakMap<Server, Promise<void>>();

/**
 * Once `server` listens, metrics are served on the same address, and after it is closed they are not: what happens while it drains can be seen.
 *
 * @param port 0 for any that is free, which the log tells.
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
    const started = bind(metricsServer, port, addressOf(server), 'METRICS_PORT').then(() =>
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
