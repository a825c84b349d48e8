/** What a team puts around this server: Express middleware, and the Express application that it is mounted in. */
import { createServer, type Server } from 'node:http';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { createRequestHandler, type ContractTypes, type ServerOptions } from '@specwright/server';

/** With their defaults. */
const MIDDLEWARE = { helmet: () => helmet(), compression: () => compression() } satisfies Record<string, () => RequestHandler>;
export type MiddlewareName = keyof typeof MIDDLEWARE;

export const createMiddleware = (names: readonly MiddlewareName[]): RequestHandler[] => names.map((name) => MIDDLEWARE[name]());

export interface Mount {
  readonly path: string;
  /** Whether Express adds `X-Powered-By`, as it does by default. */
  readonly poweredBy: boolean;
}

export function mountInExpress<T extends ContractTypes, Caller>(options: ServerOptions<T, Caller>, { path, poweredBy }: Mount): Server {
  const app = express();
  if (!poweredBy) app.disable('x-powered-by');
  app.use(path, createRequestHandler(options));
  return createServer(app);
}
