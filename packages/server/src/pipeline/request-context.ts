/** Pipeline step: starts the exchange of a request, and logs one line when it ends. */
import type { Request, Response } from 'express';
import type { Log } from '../ops/logger.ts';
import { Exchange } from './exchange.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface ContextOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** What of a caller is logged. Never a credential. */
  readonly logCaller: (caller: unknown) => object;
  /** Which requests have a line in the log: all, those answered with 5xx or not at all, or none. */
  readonly logRequests: LogRequests;
  readonly metrics?: Pick<RequestMetrics, 'start' | 'end'> | undefined;
}

export type LogRequests = 'all' | 'errors' | 'off';

/** @returns a function that makes the exchange of a request. */
export function createExchanges(options: ContextOptions): (request: Request, response: Response) => Exchange {
  const { log, now, logCaller, logRequests, metrics } = options;
  const isWatched = logRequests !== 'off' || metrics !== undefined;
  // One listener for all requests: a response closes once.
  function onClose(this: Response): void {
    const { exchange } = this.req as Request;
    metrics?.end(exchange);
    if (logRequests !== 'off' && !exchange.isOverload) logEnd(exchange, log, logCaller, logRequests);
  }
  return (request, response) => {
    const exchange = new Exchange(request, response, log, now);
    request.exchange = exchange;
    request.res = response;
    request.originalUrl = request.url;
    metrics?.start();
    if (isWatched) response.on('close', onClose);
    return exchange;
  };
}

/** What nobody serves may be anything, a key that was pasted too: long words are left out, and so is what is beyond 200 characters. */
const pathForLog = (path: string): string => path.replace(/[\w%-]{24,}/g, '***').slice(0, 200);

function logEnd(exchange: Exchange, log: Log, logCaller: ContextOptions['logCaller'], logRequests: LogRequests): void {
  const { request, response } = exchange;
  const isAnswered = response.writableFinished;
  if (logRequests === 'errors' && isAnswered && response.statusCode < 500) return;
  log.info(
    {
      requestId: exchange.id,
      method: request.method,
      operation: exchange.operation?.id,
      // Never the query, and of a path that is served its template: either may hold what a client should have kept to itself.
      path: exchange.operation?.path ?? pathForLog(exchange.path),
      ...(exchange.caller === undefined ? {} : logCaller(exchange.caller)),
      status: isAnswered ? response.statusCode : undefined,
      ms: performance.now() - exchange.arrivedAt,
    },
    isAnswered ? 'answered' : 'the client went away',
  );
}
