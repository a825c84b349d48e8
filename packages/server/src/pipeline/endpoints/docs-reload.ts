/** `GET /docs/changes`, in development: events by which the page at /docs learns that a server with other contracts has replaced this one. */
import { createHash } from 'node:crypto';
import type { Contract } from '@specwright/contract';
import type { Step } from '../exchange.ts';
import { closeWithClient } from '../half-closed.ts';
import { beginResponse } from '../send-response.ts';
import type { OpenStreams } from '../streams/open-streams.ts';

/** After how long a page whose server has stopped connects again. */
const RECONNECT_MS = 300;

/** @returns another text for other contracts. */
export function versionOf(contracts: readonly Pick<Contract, 'published'>[]): string {
  const hash = createHash('sha256');
  for (const { published } of contracts) hash.update(JSON.stringify(published));
  return hash.digest('base64url').slice(0, 22);
}

/** Says the version when a page connects, and ends when the server stops: what has connected again knows whether it is another one. */
export const sendChanges =
  (version: string, onStop: OpenStreams['onStop']): Step =>
  (exchange) => {
    const { headers, request, response } = exchange;
    headers.merge({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    beginResponse(exchange, 200, headers);
    if (request.method === 'HEAD') return void response.end();
    response.write(`retry: ${RECONNECT_MS}\ndata: ${version}\n\n`);
    closeWithClient(request, response);
    response.once(
      'close',
      onStop(() => response.end()),
    );
  };
