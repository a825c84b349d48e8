/** The HTTP server under Express: makes Express cheap, and gives responses of Node itself the error format of the contract. */
import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { FrameworkError, type AppError, type FrameworkErrorCode } from '../errors.ts';
import type { ErrorFormatter } from './error-response.ts';

/** How long a client may take to send a request. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * How long a kept connection may be idle. Longer than the 60 s of common load balancers (those of AWS, nginx): whoever closes first
 * must be the one that sends, or it sends on a connection that is being closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Emitted on a server that is about to stop: from then on every response closes its connection. */
export const DRAINING = 'draining';

/** The headers of every response, for the client of a socket. */
export type HeadersForSocket = (socket: Duplex & { readonly remoteAddress?: string | undefined }) => Readonly<Record<string, string>>;

/**
 * Creates the server of an Express application. It does not listen yet.
 *
 * Express changes the prototype of each request and response, which is most of its cost. Here they have that prototype from
 * the start, so that the change has no effect.
 */
export function createHttpServer(app: Express, format: ErrorFormatter, headersFor: HeadersForSocket): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = copyPrototypeProperties(AppRequest.prototype, app.request);
  app.response = copyPrototypeProperties(AppResponse.prototype, app.response);

  const options = {
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // `requestContext` refuses a missing Host: Node's own response has no body.
    requireHostHeader: false,
  };
  const server = createServer(options as object, app as never);
  server.once(DRAINING, () => closeAfterResponse(AppResponse.prototype));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const { status, headers, text } = finalResponse(format, new FrameworkError('expectation_failed', 'header/Expect must be 100-continue'));
    response.writeHead(status, { ...headers, ...headersFor(request.socket) }).end(text);
  });
  server.on('clientError', (error: ClientError, socket: Duplex) => answerClientError(error, socket, format, headersFor(socket)));
  return server;
}

/** Makes every response from now on, those to requests under way included, the last one on its connection. */
function closeAfterResponse(prototype: ServerResponse): void {
  const writeHead = Reflect.get(prototype, 'writeHead') as (this: ServerResponse, ...args: unknown[]) => ServerResponse;
  prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    this.shouldKeepAlive = false;
    return writeHead.apply(this, args);
  };
}

/** Copies the properties of `source` and its prototypes, up to Node's own classes. */
function copyPrototypeProperties<T extends object>(target: object, source: T): T {
  const ends: unknown[] = [IncomingMessage.prototype, ServerResponse.prototype, Object.prototype, null];
  const chain: object[] = [];
  for (let proto: object = source; !ends.includes(proto); proto = Object.getPrototypeOf(proto) as object) chain.unshift(proto);
  for (const proto of chain) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (name !== 'constructor') Object.defineProperty(target, name, property);
    }
  }
  return target as T;
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [FrameworkErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'the headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time'],
};

type ClientError = NodeJS.ErrnoException & { reason?: string };

/** What is not HTTP never becomes a request: the response is written to the socket, which is closed. */
function answerClientError(
  error: ClientError,
  socket: Duplex,
  format: ErrorFormatter,
  extraHeaders: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, message] = CLIENT_ERRORS[error.code ?? ''] ?? [
    'invalid_request',
    `the request is not HTTP: ${error.reason ?? error.message}`,
  ];
  const { status, headers, text } = finalResponse(format, new FrameworkError(code, message));
  const fields = { ...headers, Date: new Date().toUTCString(), ...extraHeaders };
  const head = [`HTTP/1.1 ${status} ${code}`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** A response outside of the pipeline. The connection is closed after it. */
function finalResponse(format: ErrorFormatter, error: AppError) {
  const { status, body, type } = format(error);
  const text = JSON.stringify(body);
  return { status, text, headers: { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' } };
}
