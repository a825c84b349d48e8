/** Pipeline step: starts the exchange of a request with its id, and logs one line when it ends. */
import { randomFillSync } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ContractOperation } from '@specwright/contract';
import { headerValues } from '../../http/request-head.ts';
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
    const exchange = new ExchangeState(request, response, arrival, requestIdOf(request));
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

// Ids of requests: random UUIDs (RFC 9562, section 5.4), many at a time.

/** An id of the caller's is kept if it can be in a header and a log line without harm. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;
const COUNT = 256;
const LENGTH = 36;
const random = Buffer.alloc(COUNT * 16);
const text = Buffer.alloc(COUNT * LENGTH);
let ids = '';
let next = 0;

const HEX = Buffer.from('0123456789abcdef');
const HYPHEN = 45;

/** `crypto.randomUUID` puts each together from twenty texts, which V8 has to copy when the id is checked and sent. */
function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && VALID_REQUEST_ID.test(given)) return given;
  if (next === ids.length) {
    fill();
    ids = text.toString('latin1');
    next = 0;
  }
  return ids.slice(next, (next += LENGTH));
}

function fill(): void {
  randomFillSync(random);
  let end = 0;
  for (let i = 0; i < random.length; i++) {
    const byte = random[i] as number;
    const position = i % 16;
    // The version and the variant.
    const value = position === 6 ? (byte & 0x0f) | 0x40 : position === 8 ? (byte & 0x3f) | 0x80 : byte;
    if (position === 4 || position === 6 || position === 8 || position === 10) text[end++] = HYPHEN;
    text[end++] = HEX[value >> 4] as number;
    text[end++] = HEX[value & 0x0f] as number;
  }
}
