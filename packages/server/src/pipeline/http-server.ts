/** The HTTP server of a handler: passes to it what Node would answer itself. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type * as Https from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Request } from 'express';
import { CONNECT_ERROR, toClientError, type ClientError, type RefuseSocket } from './client-error.ts';
import { isHttp2 } from '../http/request-head.ts';
import type { ExpressApp } from './express-app.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * How long a kept connection may be idle. Longer than the 60 s of common load balancers (those of AWS, nginx): the side that closes first
 * must be the one that sends, or it sends on a connection that is being closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * How long nothing may be written to a connection whose client has ended its side, in ms. TCP tells a client that only sends no more from
 * one that is gone by the answer to what is written: until then work for a client that may have gone goes on.
 */
const HALF_CLOSED_TIMEOUT_MS = 1000;

/** Emitted on a server that is about to stop: from then on every response closes its connection. */
export const DRAINING = 'draining';

const loadHttps = () => createRequire(import.meta.url)('node:https') as typeof Https;

/** `_httpMessage`: the response to the oldest request of the connection that is not answered yet. */
export type ServedSocket = Socket & { readonly _httpMessage?: ServerResponse<Request> | null };

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates a server. It does not listen yet.
 *
 * @param listener serves a request. @param refuse answers what never becomes a request. @param tls for HTTPS.
 */
export function createHttpServer(
  { AppRequest, AppResponse }: ExpressApp,
  listener: Listener,
  refuse: RefuseSocket,
  tls?: TlsOptions,
): Server {
  const options = {
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // `checkHead` refuses a missing Host: Node's own response has no body.
    requireHostHeader: false,
    // A body that was not announced is not read (from Node 24 on).
    optimizeEmptyRequests: true,
  };
  const server =
    tls === undefined
      ? createServer(options as object, listener as never)
      : loadHttps().createServer({ ...options, ...tls } as object, listener as never);
  // Node would drop what follows the 1,000th field; `checkHead` refuses the request. 16 KiB bound them all.
  server.maxHeadersCount = 0;
  // What was sent on a connection whose client has ended its side is answered.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on(connectionEvent(tls), (socket: Socket) =>
    // A connection in memory has no timeout.
    socket.once('end', () => 'setTimeout' in socket && socket.setTimeout(HALF_CLOSED_TIMEOUT_MS)),
  );
  server.once(DRAINING, () => closeAfterResponse(AppResponse.prototype as ServerResponse));
  // Node would tell the client to send its body before anybody has looked at the request, and answer 417 itself.
  server.on('checkContinue', (request: Request, response: ServerResponse) => {
    request.awaitsContinue = true;
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response));
  // A client that does not speak TLS gets no answer: there is nothing that it could read.
  if (tls !== undefined) server.on('tlsClientError', (_error: Error, socket: Socket) => void socket.destroy());
  server.on('timeout', closeUnlessRead);
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !isUploading(socket)) refuse(toClientError(error), socket);
  });
  // Without a listener Node closes the connection without a word.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node listens to it no longer: a client that resets it would end the process.
    socket.on('error', () => socket.destroy());
    refuse(CONNECT_ERROR, socket);
  });
  return server;
}

/** The event by which a server tells of a connection. */
export type ConnectionEvent = 'connection' | 'secureConnection';

export const connectionEvent = (tls: TlsOptions | undefined): ConnectionEvent => (tls === undefined ? 'connection' : 'secureConnection');

/** For a response without a known end, which may be silent for long: its client reads on only as long as its side is open. */
export function closeWithClient(request: IncomingMessage, response: ServerResponse): void {
  if (isHttp2(request)) return;
  const { socket } = request;
  const close = () => response.destroy();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}

/** Timers run before input is read: after a pause of the process the next request may be there already. */
function closeUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => socket.bytesRead === bytesRead && socket.destroy());
}

/** Whether a handler reads the body of the current request as a stream, which has a bound of its own: how long nothing comes. */
function isUploading({ _httpMessage: response }: ServedSocket): boolean {
  const upload = (response?.req as Partial<Request> | undefined)?.exchange?.incoming?.stream;
  if (upload === undefined || upload.destroyed) return false;
  // Node does not look at this connection any more until the request has ended.
  upload.lease.isRefused = true;
  return true;
}

/** Makes every response from now on, those to requests under way included, the last one on its connection. */
function closeAfterResponse(prototype: ServerResponse): void {
  const writeHead = Reflect.get(prototype, 'writeHead') as (this: ServerResponse, ...args: unknown[]) => ServerResponse;
  prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    this.shouldKeepAlive = false;
    return writeHead.apply(this, args);
  };
}
