/** The streams of items that are open: how many there may be, in all and for each caller, and their end when the server stops. */
import { type ContractOperation, isSafe } from '@specwright/contract';
import { FrameworkError, gauge } from '@specwright/contract/runtime';
import { maxConnections } from '../connections.ts';
import type { Exchange } from '../exchange.ts';
import type { Step } from '../step.ts';

export interface StreamLimits {
  /** Of all callers, at most half of the connections that the process may have. Default: 10,000. */
  readonly total?: number;
  /** Of one caller, or of one address without a caller. Default: 100. */
  readonly perCaller?: number;
}

export type OpenStreams = ReturnType<typeof createOpenStreams>;

const DEFAULT_TOTAL = 10_000;
const DEFAULT_PER_CALLER = 100;
const RETRY_AFTER = { 'Retry-After': '5' };
/** After the stop of the server clients come back within this time, not all at once. */
const RECONNECT_MS = { least: 1000, spread: 4000 };

/** When a client whose stream has ended with the server is to come back, in ms. */
export const reconnectMs = (): number => RECONNECT_MS.least + Math.floor(Math.random() * RECONNECT_MS.spread);

export function createOpenStreams({ total = DEFAULT_TOTAL, perCaller = DEFAULT_PER_CALLER }: StreamLimits = {}) {
  const max = Math.min(total, Math.floor(maxConnections() / 2));
  const counts = new Map<string, number>();
  const stops = new Set<() => void>();
  let open = 0;
  /** On the clock of `performance.now()`, in ms. */
  let stoppedAt = Infinity;

  /** Whoever comes after the stop is told to go to another server: a stream would have to end at once. */
  function assertOpen({ arrivedAt }: Exchange): void {
    if (arrivedAt < stoppedAt) return;
    const headers = { 'Retry-After': String(Math.ceil(reconnectMs() / 1000)) };
    throw new FrameworkError('service_unavailable', 'the server is stopping: open the stream again', { headers });
  }

  function release(bucket: string): void {
    open--;
    const count = (counts.get(bucket) ?? 1) - 1;
    if (count === 0) counts.delete(bucket);
    else counts.set(bucket, count);
  }

  const reserve = (exchange: Exchange, mayHaveNone: boolean): void => {
    if (!mayHaveNone) assertOpen(exchange);
    const bucket = exchange.service.bucketOf(exchange);
    const count = counts.get(bucket) ?? 0;
    const refuse = (message: string) => {
      throw new FrameworkError('service_unavailable', message, { headers: RETRY_AFTER });
    };
    if (count >= perCaller) refuse(`${perCaller} streams are open already: close one`);
    if (open >= max) refuse('too many streams are open');
    open++;
    counts.set(bucket, count + 1);
    exchange.onRelease('response', () => release(bucket));
  };

  return {
    /**
     * Before the handler of an operation that may answer with items. The step throws AppError service_unavailable beyond the limits, and once
     * the server stops.
     */
    reserveStream(operation: StreamOperation): Step | undefined {
      if (!operation.hasItems) return undefined;
      const mayHaveNone = mayBeAsked(operation);
      return (exchange) => reserve(exchange, mayHaveNone);
    },
    /** @throws AppError service_unavailable for a request that has arrived after the stop. */
    assertOpen,
    /** Calls `stop` when the server stops, or at once. @returns a function that forgets it. */
    onStop: (stop: () => void) => {
      if (stoppedAt !== Infinity) stop();
      stops.add(stop);
      return () => void stops.delete(stop);
    },
    stopAll: () => {
      stoppedAt = Math.min(stoppedAt, performance.now());
      for (const stop of stops) stop();
    },
    metrics: () => [gauge('http_server_open_streams', 'Streams of items that are open.', open)],
  };
}

type StreamOperation = Pick<ContractOperation, 'hasItems' | 'method' | 'responses'>;

/** Whether the handler may be asked what it answers with, because that has no effects, and it has several media types to choose from. */
const mayBeAsked = ({ method, responses }: StreamOperation): boolean =>
  isSafe(method) && Object.entries(responses).some(([status, { types }]) => status.startsWith('2') && types.length > 1);
