/** Pipeline step: starts the exchange of a request, and logs one line when it ends. */
import type { Request, Response } from 'express';
import type { ContractOperation } from '@specwright/contract';
import { headerValues } from '../../http/header-values.ts';
import { traceFields } from '../../http/traceparent.ts';
import { clientAddress, type TrustedProxy } from '../../limits/client-address.ts';
import type { Log } from '../../log/logger.ts';
import { ExchangeState, type Arrival, type Exchange } from '../exchange.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface ContextOptions {
  readonly log: Log;
  /** What of a caller is logged. Never a credential. */
  readonly logCaller: (caller: unknown) => object;
  /** Which requests have a line in the log: all, those answered with 5xx or not answered, or none. */
  readonly logRequests: LogRequests;
  readonly metrics?: Pick<RequestMetrics, 'start' | 'end'> | undefined;
}

export type LogRequests = 'all' | 'errors' | 'off';

/** @returns a function that makes the exchange of a request. */
export function createExchanges(options: ContextOptions): (request: Request, response: Response, arrival: Arrival) => ExchangeState {
  const { log, logRequests, metrics } = options;
  const logEnd = createRequestLog(options);
  const isWatched = () => metrics !== undefined || (logRequests !== 'off' && log.isLevelEnabled?.('info') !== false);
  // One listener for all requests: a response closes once.
  function onClose(this: Response): void {
    const { exchange } = this.req as Request;
    metrics?.end(exchange);
    if (!exchange.isOverload) logEnd(exchange);
  }
  return (request, response, arrival) => {
    const exchange = new ExchangeState(request, response, arrival);
    request.exchange = exchange;
    request.res = response;
    // An application that the request has passed through has set it.
    request.originalUrl ||= request.url;
    metrics?.start();
    if (isWatched()) response.on('close', onClose);
    return exchange;
  };
}

/** The address of the client, as the trusted proxies report it. */
export const findAddress = ({ request }: Exchange, trusted?: TrustedProxy): string | undefined =>
  clientAddress(trusted, (name) => headerValues(request, name).join(','), request.socket.remoteAddress);

/** An unmatched path may contain anything, a pasted key too: long words are masked, and the path is cut after 200 characters. */
export const pathForLog = (path: string): string => path.replace(/[\w%-]{24,}/g, '***').slice(0, 200);

type LogEnd = (exchange: Exchange) => void;

/** @returns a function that logs the end of a request, if it is to be. */
function createRequestLog({ log, logCaller, logRequests }: ContextOptions): LogEnd {
  if (logRequests === 'off') return () => undefined;
  // What the lines of an operation have in common is made into text once: a child of pino keeps it.
  const logs = new Map<ContractOperation, Log>();
  function logOf(operation: ContractOperation, { service }: Exchange): Log {
    let own = logs.get(operation);
    if (own === undefined) {
      // Never the path of the request: it may hold what a client should have kept to itself.
      own = log.child({ operation: operation.id, path: service.base + operation.path });
      logs.set(operation, own);
    }
    return own;
  }
  return (exchange) => {
    const { request, response, operation, caller, traceparent } = exchange;
    const { isAnswered } = exchange;
    if (logRequests === 'errors' && isAnswered && response.statusCode < 500) return;
    const fields: Record<string, unknown> = {
      requestId: exchange.id,
      method: request.method,
      status: isAnswered ? response.statusCode : undefined,
      // To the microsecond: as a number it is short.
      ms: Math.round((performance.now() - exchange.arrivedAt) * 1000) / 1000,
    };
    if (traceparent !== undefined) Object.assign(fields, traceFields(traceparent));
    if (operation === undefined) fields['path'] = pathForLog(exchange.base + exchange.path);
    if (caller !== undefined) Object.assign(fields, logCaller(caller));
    (operation === undefined ? log : logOf(operation, exchange)).info(fields, isAnswered ? 'answered' : 'the client went away');
  };
}
