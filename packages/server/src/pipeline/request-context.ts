/** Pipeline step: gives the request its id, clock and logger, and logs one line when it ends. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { FrameworkError } from '../errors.ts';
import type { Log } from '../ops/logger.ts';
import type { Exchange } from './exchange.ts';

/** An id of the client is used if it is safe in a header and in a log line. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;

export interface ContextOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** What is logged of a caller. Never a credential. */
  readonly logCaller: (caller: unknown) => object;
}

export function requestContext({ log, now, logCaller }: ContextOptions): RequestHandler {
  return (request, response, next) => {
    const clientId = request.headers['x-request-id'];
    const id = typeof clientId === 'string' && VALID_REQUEST_ID.test(clientId) ? clientId : randomUUID();
    const { path, query } = parseRequestTarget(request.url);
    const exchange: Exchange = {
      id,
      now: now(),
      arrivedAt: performance.now(),
      log: log.child({ requestId: id }),
      path,
      query: new URLSearchParams(query),
      headers: { 'X-Request-Id': id },
    };
    request.exchange = exchange;
    response.once('close', () => {
      exchange.log.info(
        {
          method: request.method,
          // Never the path or the query as sent: they may contain secrets of the client.
          operation: exchange.operation?.id,
          ...(exchange.caller === undefined ? {} : logCaller(exchange.caller)),
          status: response.writableFinished ? response.statusCode : undefined,
          ms: performance.now() - exchange.arrivedAt,
        },
        response.writableFinished ? 'answered' : 'the client went away',
      );
    });
    // RFC 9112, section 3.2: a request of HTTP/1.1 without Host is a 400.
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      throw new FrameworkError('invalid_request', 'header/Host is required');
    next();
  };
}

/** The request target in origin or absolute form (RFC 9112, section 3.2). */
function parseRequestTarget(target: string): { path: string; query: string } {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target.slice(origin.length)) ?? [];
  return { path: path === '' ? '/' : path, query };
}
