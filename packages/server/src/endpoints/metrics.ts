/** `GET /metrics`, if it is enabled, and not at a port apart. */
import type { Scrape } from '../ops/scrape.ts';
import type { Endpoints } from './endpoints.ts';
import { send } from '../pipeline/send-response.ts';

export const METRICS_PATH = '/metrics';

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
