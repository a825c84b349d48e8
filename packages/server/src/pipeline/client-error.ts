/** Answers what never becomes a request, because Node cannot parse it: counted, logged and in the contract's form as any other. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FrameworkError, type AppError, type FrameworkErrorCode } from '../errors.ts';
import { withHeaders } from '../http/header-list.ts';
import type { Log } from '../ops/log/logger.ts';
import type { ErrorFormatter } from './error-response.ts';
import { initialHeaders } from './initial-headers.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import type { LogRequests } from './context/request-context.ts';
import type { RequestMetrics } from './context/request-metrics.ts';

export type ClientError = NodeJS.ErrnoException & { readonly reason?: string };

/** Answers with an error and closes the connection. */
export type RefuseSocket = (error: AppError | undefined, socket: Socket) => Promise<void>;

const CLIENT_ERRORS: Readonly<Record<string, readonly [FrameworkErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'the chunk extensions of the body are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time'],
};

/** How long a client may take to read the answer, in ms. */
const LINGER_MS = 1000;

export const CONNECT_ERROR = new FrameworkError('invalid_request', 'CONNECT is not served: this is not a proxy');

/** @returns what to answer; `undefined` if the client is gone. */
export function toClientError(error: ClientError): AppError | undefined {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return undefined;
  const [code, message] = CLIENT_ERRORS[error.code ?? ''] ?? [
    'invalid_request',
    `the request is not HTTP: ${error.reason ?? error.message}`,
  ];
  return new FrameworkError(code, message);
}

export interface RefuseSocketOptions {
  readonly format: ErrorFormatter;
  readonly rateLimit: Pick<RateLimit, 'countSocket'>;
  readonly log: Log;
  readonly logRequests: LogRequests;
  readonly metrics?: Pick<RequestMetrics, 'countError'> | undefined;
}

export function refuseSocket({ format, rateLimit, log, logRequests, metrics }: RefuseSocketOptions): RefuseSocket {
  return async (error, socket) => {
    const arrivedAt = performance.now();
    if (error === undefined || !isFree(socket)) return void socket.destroy();
    const requestId = randomUUID();
    const fields = initialHeaders(requestId);
    const refusal = await rateLimit.countSocket(socket, fields);
    // A request before it on the connection may have been answered meanwhile, or the client may be gone.
    if (!isFree(socket)) return void socket.destroy();
    const { status, headers, body, type } = format(refusal ?? error);
    metrics?.countError(refusal ?? error, status);
    const text = JSON.stringify(body);
    const all = withHeaders(fields, {
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(text)),
      Date: new Date().toUTCString(),
      Connection: 'close',
    });
    const head = all.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`);
    // Nothing more is read of it, so its end would not be seen, and a handler would wait for the rest of a body.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    if (logRequests === 'all')
      log.info(
        { requestId, status, error: (refusal ?? error).message, ms: performance.now() - arrivedAt },
        'answered what is not a request',
      );
  };
}

/** Whether nothing of a response to an earlier request is on its way. */
function isFree(socket: Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }): boolean {
  return socket.writable && socket._httpMessage?.headersSent !== true;
}
