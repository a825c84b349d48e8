/** Serves the requests of a server: finds what each is for, starts its exchange with an id, and logs one line when it ends. */
import type { Request, Response } from 'express';
import type { ContractOperation } from '@specwright/contract';
import type { Service } from './create-service.ts';
import { ID_LENGTH, randomIds } from './http/request-id.ts';
import { headerValues, splitTarget, withoutBase } from './http/request-head.ts';
import { traceFields } from './http/traceparent.ts';
import { addressBucket, clientAddress, type TrustedProxy } from './limits/client-address.ts';
import type { Log, LogRequests } from './log/logger.ts';
import type { RequestMetrics } from './pipeline/context/request-metrics.ts';
import { ExchangeState, type Exchange, type NextHandler } from './pipeline/exchange.ts';
import type { AnyStep } from './pipeline/step.ts';
import { findService, mountedTarget } from './services.ts';

export type Listener = (request: Request, response: Response, next?: NextHandler) => void;

export interface ListenerOptions extends RequestLogOptions {
  readonly metrics: Pick<RequestMetrics, 'start' | 'end'> | undefined;
  /** Whether a request that nothing is served for is another handler's, in the application around this one. */
  readonly passesOn: boolean;
  /** Gets a request of another server, without Express's properties. */
  readonly adopt: (request: Request, response: Response) => void;
  readonly run: (exchange: ExchangeState, steps: readonly AnyStep[]) => void;
}

/** @returns a function that makes what serves requests to services. */
export function createListener(options: ListenerOptions): (services: readonly Service[]) => Listener {
  const { log, logRequests, metrics, passesOn, adopt, run } = options;
  const logEnd = createRequestLog(options);
  const isLogged = logRequests !== 'off';
  // One listener for all requests: a response closes once.
  function onClose(this: Response): void {
    const { exchange } = this.req as Request;
    metrics?.end(exchange);
    if (isLogged && !exchange.isOverload) logEnd(exchange);
  }
  return (services) => {
    const serviceOf = findService(services);
    const only = services.length === 1 ? services[0] : undefined;
    return (request, response, next) => {
      // Express and this server's own requests say that nothing was taken from the URL.
      const { url, mount } = request.baseUrl === '' ? { url: request.url, mount: '' } : mountedTarget(request);
      const target = splitTarget(url);
      const service = only ?? serviceOf(target.path);
      const { path, search } = service.base === '' ? target : withoutBase(target, service.base);
      const found = service.find(request, path, search);
      if (passesOn && !found.isServed && next !== undefined) return next();
      if ((request as Partial<Request>).app === undefined) adopt(request, response);
      const arrival = { service, base: mount + service.base, path, search, found, next };
      const exchange = new ExchangeState(request, response, arrival, requestIdOf(request));
      request.exchange = exchange;
      request.res = response;
      // An application that the request has passed through has set it.
      request.originalUrl ||= request.url;
      metrics?.start();
      if (metrics !== undefined || (isLogged && log.isLevelEnabled?.('info') !== false)) response.on('close', onClose);
      run(exchange, found.steps);
    };
  };
}

/** The address of the client, as the trusted proxies report it. */
export const findAddress = ({ request }: Exchange, trusted?: TrustedProxy): string | undefined =>
  clientAddress(trusted, (name) => headerValues(request, name).join(','), request.socket.remoteAddress);

/** @returns a function that finds the bucket of the client's address, once for a request. */
export const addressFinder =
  (trusted?: TrustedProxy) =>
  (exchange: Exchange): string =>
    (exchange.addressBucket ??= addressBucket(findAddress(exchange, trusted)));

/** An unmatched path may contain anything, a pasted key too: long words are masked, and the path is cut after 200 characters. */
export const pathForLog = (path: string): string => path.replace(/[\w%-]{24,}/g, '***').slice(0, 200);

interface RequestLogOptions {
  readonly log: Log;
  /** What of a caller is logged. Never a credential. */
  readonly logCaller: (caller: unknown) => object;
  readonly logRequests: LogRequests;
}

/** @returns a function that logs the end of a request, if it is to be. */
function createRequestLog({ log, logCaller, logRequests }: RequestLogOptions): (exchange: Exchange) => void {
  // What the lines of an operation have in common is made into text once: a child of pino keeps it.
  const logs = new Map<ContractOperation, Log>();
  function createLog(operation: ContractOperation, base: string): Log {
    // Never the path of the request: it may hold what a client should have kept to itself.
    const own = log.child({ operation: operation.id, path: base + operation.path });
    logs.set(operation, own);
    return own;
  }
  return (exchange) => {
    const { request, response, arrival, operation, caller, traceparent, isAnswered } = exchange;
    if (logRequests === 'errors' && isAnswered && response.statusCode < 500) return;
    const fields: Record<string, unknown> = {
      requestId: exchange.id,
      method: request.method,
      status: isAnswered ? response.statusCode : undefined,
      // To the microsecond: as a number it is short.
      ms: Math.round((performance.now() - exchange.arrivedAt) * 1000) / 1000,
    };
    if (traceparent !== undefined) Object.assign(fields, traceFields(traceparent));
    if (operation === undefined) fields['path'] = pathForLog(arrival.base + arrival.path);
    if (caller !== undefined) Object.assign(fields, logCaller(caller));
    const own = operation === undefined ? log : (logs.get(operation) ?? createLog(operation, arrival.service.base));
    own.info(fields, isAnswered ? 'answered' : 'the client went away');
  };
}

/**
 * An id of the caller's is kept if it can be in a header and a log line without harm. No wider than the form of `X-Request-Id` in `FORMS` of
 * the contract's `header-fields.ts`, which responses are not checked for.
 */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;
let ids = '';
let next = 0;

function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && VALID_REQUEST_ID.test(given)) return given;
  if (next === ids.length) {
    ids = randomIds();
    next = 0;
  }
  return ids.slice(next, (next += ID_LENGTH));
}
