/** `GET /livez`, `GET /readyz` and `GET /metrics`, for orchestrators, load balancers and scrapers. They are not in the contract and need no credentials. */
import { FrameworkError } from '@specwright/contract/runtime';
import type { Scrape } from '../ops/scrape.ts';
import type { ErrorFormatter } from '../pipeline/error-formatter.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { send } from '../pipeline/send-response.ts';
import { METRICS_PATH, type Endpoints } from './endpoints.ts';

export interface Readiness {
  /** Why operations cannot be served, as last seen; `undefined` if they can. */
  reason(): string | undefined;
  /** Why other instances should get the requests; `undefined` if this one can serve them. However many ask, the work is bounded. */
  check(): Promise<string | undefined>;
  /** Calls `listener` each time that the server becomes ready, and now if it is. Without it a server is ready once it listens. */
  onReady?(listener: () => void): void;
  /** Called when the server begins to stop. */
  stop?(): void;
}

export const PROBE_PATHS = ['/livez', '/readyz'] as const;

/**
 * `/livez`: 200 while the process answers; if it does not, it has to be restarted.
 * `/readyz`: 200, or 503 with an error of the service while requests should go to other instances. Why is only in the log: anyone
 * may ask, and the reason names migrations, hosts and roles.
 */
export const probes = (readiness: Readiness, format: ErrorFormatter): Endpoints =>
  new Map([
    ['/livez', sendOk],
    [
      '/readyz',
      async (exchange: Exchange) => {
        if ((await readiness.check()) === undefined) return sendOk(exchange);
        const { headers, ...error } = format(new FrameworkError('service_unavailable', 'the server is not ready'));
        send(exchange, {
          ...error,
          headers: exchange.headers.with(headers).merge({ 'Retry-After': '1', 'Cache-Control': 'no-store' }),
        });
      },
    ],
  ]);

const sendOk = (exchange: Exchange): void =>
  send(exchange, {
    status: 200,
    headers: exchange.headers.with({ 'Cache-Control': 'no-store' }),
    type: 'application/json',
    body: { status: 'ok' },
  });

/** If it is enabled, and not at a port apart. */
export const metrics = (scrape: Scrape): Endpoints =>
  new Map([
    [
      METRICS_PATH,
      async (exchange) => {
        const scraped = await scrape();
        send(exchange, { status: 200, headers: exchange.headers.with({ 'Cache-Control': 'no-store' }), ...scraped });
      },
    ],
  ]);
