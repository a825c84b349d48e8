/** The HTTP server under Express: made so that Express costs little, and so that what Node answers by itself is JSON too. */
import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { FrameworkError, type AppError, type FrameworkErrorCode } from '../errors.ts';
import type { ErrorFormatter } from './error-response.ts';

/** How long a client may take to send a request, in ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Headers that every response has, for who is at the other end of a socket. */
export type HeadersForSocket = (socket: Duplex & { readonly remoteAddress?: string | undefined }) => Readonly<Record<string, string>>;

/**
 * Makes the server of an Express application. It does not listen yet.
 *
 * Express turns each request into its own by changing its prototype, which costs more than all else it does. Here
 * requests are born with that prototype, and the change changes nothing.
 */
export function createHttpServer(app: Express, format: ErrorFormatter, headersFor: HeadersForSocket): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = copyPrototypeProperties(AppRequest.prototype, app.request);
  app.response = copyPrototypeProperties(AppResponse.prototype, app.response);

  const server = createServer(
    // The line answers a missing Host itself: Node's answer has no body.
    { IncomingMessage: AppRequest, ServerResponse: AppResponse, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false } as object,
    app as never,
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const { status, headers, text } = finalResponse(format, new FrameworkError('expectation_failed', 'header/Expect must be 100-continue'));
    response.writeHead(status, { ...headers, ...headersFor(request.socket) }).end(text);
  });
  server.on('clientError', (error: ClientError, socket: Duplex) => answerClientError(error, socket, format, headersFor(socket)));
  return server;
}

/** Gives `target` every property that `source` and its prototypes have and Node's own classes have not. */
function copyPrototypeProperties<T extends object>(target: object, source: T): T {
  const nodes: unknown[] = [IncomingMessage.prototype, ServerResponse.prototype, Object.prototype, null];
  const chain: object[] = [];
  for (let proto: object = source; !nodes.includes(proto); proto = Object.getPrototypeOf(proto) as object) chain.unshift(proto);
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

/** What is not HTTP never becomes a request: the answer is written to the socket, and the socket closed. */
function answerClientError(error: ClientError, socket: Duplex, format: ErrorFormatter, others: Readonly<Record<string, string>>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, message] = CLIENT_ERRORS[error.code ?? ''] ?? [
    'invalid_request',
    `the request is not HTTP: ${error.reason ?? error.message}`,
  ];
  const { status, headers, text } = finalResponse(format, new FrameworkError(code, message));
  const fields = { ...headers, Date: new Date().toUTCString(), ...others };
  const head = [`HTTP/1.1 ${status} ${code}`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** An answer that no step of the line gives. The connection is closed after it. */
function finalResponse(format: ErrorFormatter, error: AppError) {
  const { status, body, type } = format(error);
  const text = JSON.stringify(body);
  return { status, text, headers: { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' } };
}
