/** Step 1: gives the request its id, its clock and its logger, and says in one line how it ended. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { FrameworkError } from '../errors.ts';
import type { Exchange, Log } from './exchange.ts';

/** An id of the caller's is kept if it can stand in a header and a log line without harm. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;

export interface ContextOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** What of a caller is logged. Never a credential. */
  readonly logCaller: (caller: unknown) => object;
  /** Headers that are on every response, until a step knows better. */
  readonly headers: (request: IncomingMessage) => Readonly<Record<string, string>>;
}

export function requestContext({ log, now, logCaller, headers }: ContextOptions): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint();
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
    const { path, query } = parseRequestTarget(request.url);
    const exchange: Exchange = {
      id,
      now: now(),
      arrivedAt: performance.now(),
      log: log.child({ requestId: id }),
      path,
      query: new URLSearchParams(query),
      headers: { 'X-Request-Id': id, ...headers(request) },
    };
    request.exchange = exchange;
    response.once('close', () => {
      exchange.log.info(
        {
          method: request.method,
          // Never the query or the path as sent: either may hold what a client should have kept to itself.
          operation: exchange.operation?.id,
          ...(exchange.caller === undefined ? {} : logCaller(exchange.caller)),
          status: response.writableFinished ? response.statusCode : undefined,
          ms: Number(process.hrtime.bigint() - started) / 1e6,
        },
        response.writableFinished ? 'answered' : 'the client went away',
      );
    });
    // RFC 9112, section 3.2: a request of HTTP/1.1 without Host is a 400. Node's own answer would have no body.
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      throw new FrameworkError('invalid_request', 'header/Host is required');
    next();
  };
}

/** The request target in origin or absolute form (RFC 9112, section 3.2). */
function parseRequestTarget(target: string): { path: string; query: string } {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const mark = rest.indexOf('?');
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark === -1 ? '' : rest.slice(mark + 1) };
}
