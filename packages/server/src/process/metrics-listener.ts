/** Serves `GET /metrics` at a port apart from the contracts', for as long as their server is open. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_PATH } from '../endpoints/endpoints.ts';
import type { Log } from '../log/logger.ts';
import type { Scrape } from '../ops/scrape.ts';
import { workerNumber } from '../workers/worker-process.ts';
import { bind } from './bind.ts';

/** What a scraper may take to send its request, in ms. */
const REQUEST_TIMEOUT_MS = 5000;
/** More scrapers than there are; what is beyond is closed at once, so that they cannot use up the files of the process. */
const MAX_CONNECTIONS = 100;

/**
 * Serves metrics on the address of a server that listens, until it is closed: what happens while it drains can be seen.
 *
 * @param port of the first worker; that of the others is higher by 1, 2 and so on. 0 for any that is free, which the log tells.
 * @throws Error as `bind` does.
 */
export async function serveMetrics(server: Server, scrape: Scrape, port: number, log: Pick<Log, 'info'>): Promise<void> {
  // Closed while this was loaded.
  if (!server.listening) return;
  const metricsServer = createHttpServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(scrape, request, response).catch(() => response.destroy());
    },
  );
  metricsServer.maxConnections = MAX_CONNECTIONS;
  server.once('close', () => {
    metricsServer.close();
    metricsServer.closeAllConnections();
  });
  const own = port === 0 ? 0 : port + (workerNumber() ?? 1) - 1;
  await bind(metricsServer, own, addressOf(server), 'METRICS_PORT');
  log.info({ port: (metricsServer.address() as AddressInfo).port }, `${METRICS_PATH} is served`);
}

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
