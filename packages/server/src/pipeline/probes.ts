/** `GET /livez` and `GET /readyz`, for orchestrators and load balancers. They are not in the contract and need no credentials. */
import type { Endpoints } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { send } from './send-response.ts';

export interface Readiness {
  /** Why operations cannot be served, as last seen; `undefined` if they can. */
  reason(): string | undefined;
  /** Looks now. */
  check(): Promise<string | undefined>;
}

/**
 * `/livez`: 200 while the process answers; if it does not, it has to be restarted.
 * `/readyz`: 200, or 503 with the reason, while requests should go to other instances.
 */
export const probes = (readiness: Readiness): Endpoints =>
  new Map([
    ['/livez', (exchange: Exchange) => sendProbe(exchange, undefined)],
    ['/readyz', async (exchange: Exchange) => sendProbe(exchange, await readiness.check())],
  ]);

function sendProbe(exchange: Exchange, reason: string | undefined): void {
  send(exchange, {
    status: reason === undefined ? 200 : 503,
    headers: { ...exchange.headers, 'Cache-Control': 'no-store' },
    type: 'application/json',
    body: reason === undefined ? { status: 'ok' } : { status: 'not ready', reason },
  });
}
