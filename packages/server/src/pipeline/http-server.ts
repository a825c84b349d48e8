/** The HTTP server under Express: gives requests Express's properties for nothing, and passes what Node would answer itself on. */
import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { CONNECT_ERROR, toClientError, type ClientError, type RefuseSocket } from './client-error.ts';

/** How long a client may take to send a request. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * How long a kept connection may be idle. Longer than the 60 s of common load balancers (those of AWS, nginx): the side that closes first
 * must be the one that sends, or it sends on a connection that is being closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Emitted on a server that is about to stop: from then on every response closes its connection. */
export const DRAINING = 'draining';

type Listener = (request: Request, response: Response) => void;

/**
 * Creates the server of an Express application. It does not listen yet.
 *
 * Express changes the prototype of each request and response, which is most of its cost. Here they have that prototype from
 * the start, so that the change has no effect, and what never reaches the application has Express's methods too.
 *
 * @param listener serves a request. @param refuse answers what never becomes a request.
 */
export function createHttpServer(app: Express, listener: Listener, refuse: RefuseSocket): Server {
  const AppRequest = unnamed(
    class extends IncomingMessage {
      // From the start, so that all requests have one shape. Express's application sets the last three: here `createExchanges` does.
      exchange = undefined;
      res = undefined;
      originalUrl = '';
      baseUrl = '';
    },
  );
  const AppResponse = unnamed(class extends ServerResponse {});
  app.request = copyPrototypeProperties(AppRequest.prototype, app.request);
  app.response = copyPrototypeProperties(AppResponse.prototype, app.response);

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
  const server = createServer(options as object, listener as never);
  server.once(DRAINING, () => closeAfterResponse(AppResponse.prototype));
  // Node would tell the client to send its body before anybody has looked at the request, and answer 417 itself.
  server.on('checkContinue', listener as never).on('checkExpectation', listener as never);
  server.on('clientError', (error: ClientError, socket: Socket) => void refuse(toClientError(error), socket));
  // Without a listener Node closes the connection without a word.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => void refuse(CONNECT_ERROR, socket));
  return server;
}

/**
 * Keeps a class without a name. Loaders set the names of classes that have one (esbuild's `keepNames`), and V8 then takes 2 µs longer to
 * make a request and its response.
 */
const unnamed = <T>(made: T): T => made;

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
