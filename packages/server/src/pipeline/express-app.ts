/** The Express application of a server: its requests and responses have Express's properties, with or without its router. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type express from 'express';
import type { ContractOperation } from '@specwright/contract';
import { requireLibrary } from '@specwright/contract/runtime';
import { isHttp2 } from '../http/request-head.ts';
import type { ExchangeState } from './exchange.ts';

declare module 'express-serve-static-core' {
  interface Request {
    exchange: ExchangeState;
    /** The operation of the contract that the request is for: known to middleware of the option `use`. */
    operation?: ContractOperation | undefined;
    /** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
    awaitsContinue?: boolean;
  }
}

export interface ExpressApp {
  readonly app: Express;
  /** Classes for `http.createServer`. */
  readonly AppRequest: typeof IncomingMessage;
  readonly AppResponse: typeof ServerResponse;
}

/** Loaded by the first server, not by an import. */
export const loadExpress = () => requireLibrary('express', new URL('../libraries/', import.meta.url)) as typeof express;

/**
 * Express changes the prototype of each request and response, which is most of its cost. Those of these classes have that prototype
 * from the start, so that the change has no effect, and what never reaches the application has Express's methods too.
 */
export function createExpressApp(): ExpressApp {
  const app = loadExpress()();
  app.disable('x-powered-by');
  const AppRequest = unnamed(
    class extends IncomingMessage {
      declare awaitsContinue: boolean;

      /** Tells a client that waits for it to send the body (RFC 9110, section 10.1.1), once somebody reads it: a step, or middleware. */
      override _read(size: number): void {
        const { res } = this as { readonly res?: ServerResponse | undefined };
        // Node reads what is left of a body when the response has been sent.
        if (this.awaitsContinue && res?.headersSent === false) {
          this.awaitsContinue = false;
          res.writeContinue();
        }
        super._read(size);
      }
    },
  );
  const AppResponse = unnamed(class extends ServerResponse {});
  // What a request has before it is served; `createListener` sets the other fields of Express's application.
  Object.assign(AppRequest.prototype, { baseUrl: '', awaitsContinue: false });
  app.request = copyPrototypeProperties(AppRequest.prototype, app.request);
  app.response = copyPrototypeProperties(AppResponse.prototype, app.response);
  return { app, AppRequest, AppResponse: AppResponse as unknown as typeof ServerResponse };
}

/**
 * Gives Express's properties to a request of another server, as its application would. One of HTTP/2 has another class, which Express does
 * not support.
 *
 * @param request one without them: of a server of this package, or through Express, it has them.
 */
export function adoptRequest(app: Express, request: Request, response: Response): void {
  if (isHttp2(request)) return;
  Object.setPrototypeOf(request, app.request);
  (request as Partial<Request>).baseUrl ??= '';
  Object.setPrototypeOf(response, app.response);
}

/**
 * Keeps a class without a name. Loaders set the names of classes that have one (esbuild's `keepNames`), and V8 then takes 2 µs longer to
 * make a request and its response.
 */
const unnamed = <T>(made: T): T => made;

/** Copies the properties of `source` and its prototypes, up to Node's own classes. */
export function copyPrototypeProperties<T extends object>(target: object, source: T): T {
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
