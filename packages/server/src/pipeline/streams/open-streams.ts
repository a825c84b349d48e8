/** The streams of items that are open: how many there may be, in all and for each caller, and their end when the server stops. */
import type { ContractOperation } from '@specwright/contract';
import { FrameworkError } from '../../errors.ts';
import { gauge } from '../../ops/metric.ts';
import { maxConnections } from '../connection-limit.ts';
import type { Exchange, Step } from '../exchange.ts';

export interface StreamLimits {
  /** Default: 10,000. At most half of the connections that the process may have. */
  readonly total?: number;
  /** Of one caller, or of one address without a caller. Default: 100. */
  readonly perCaller?: number;
}

export type OpenStreams = ReturnType<typeof createOpenStreams>;

const DEFAULT_TOTAL = 10_000;
const DEFAULT_PER_CALLER = 100;
const RETRY_AFTER = { 'Retry-After': '5' };

export function createOpenStreams({ total = DEFAULT_TOTAL, perCaller = DEFAULT_PER_CALLER }: StreamLimits = {}) {
  const max = Math.min(total, Math.floor(maxConnections() / 2));
  const counts = new Map<string, number>();
  const stops = new Set<() => void>();
  let open = 0;

  function release(bucket: string): void {
    open--;
    const count = (counts.get(bucket) ?? 1) - 1;
    if (count === 0) counts.delete(bucket);
    else counts.set(bucket, count);
  }

  const reserve = (exchange: Exchange): void => {
    const bucket = exchange.service.bucketOf(exchange);
    const count = counts.get(bucket) ?? 0;
    const refuse = (message: string) => {
      throw new FrameworkError('service_unavailable', message, { headers: RETRY_AFTER });
    };
    if (count >= perCaller) refuse(`${perCaller} streams are open already: close one`);
    if (open >= max) refuse('too many streams are open');
    open++;
    counts.set(bucket, count + 1);
    exchange.response.once('close', () => release(bucket));
  };

  return {
    /** Before the handler of an operation that may answer with items. The step throws AppError service_unavailable beyond the limits. */
    reserveStream: ({ hasItems }: Pick<ContractOperation, 'hasItems'>): Step | undefined => (hasItems ? reserve : undefined),
    /** Calls `stop` when the server stops. @returns a function that forgets it. */
    onStop: (stop: () => void) => {
      stops.add(stop);
      return () => void stops.delete(stop);
    },
    stopAll: () => {
      for (const stop of stops) stop();
    },
    metrics: () => [gauge('http_server_open_streams', 'Streams of items that are open.', open)],
  };
}
