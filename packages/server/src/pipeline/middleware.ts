/** Pipeline step: runs Express middleware of the service, before the steps of the contract. */
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import { codeOfStatus, FRAMEWORK_ERRORS, FrameworkError, isAppError } from '@specwright/contract/runtime';
import type { Exchange } from './exchange.ts';
import type { Step } from './step.ts';
import { loadExpress } from './express-app.ts';

export type Middleware<OperationId extends string = string> = RequestHandler | MiddlewareOf<OperationId>;

/** Either middleware or an error handler: the two are not told apart by their types, only by how many arguments they take. */
type MiddlewareOf<OperationId extends string> = {
  /** The operations that it runs for. Default: every request. */
  readonly operations?: readonly OperationId[];
} & (
  | { readonly use: RequestHandler | readonly RequestHandler[]; readonly error?: never }
  | { readonly error: ErrorRequestHandler; readonly use?: never }
);

type ExpressMiddleware = RequestHandler | ErrorRequestHandler;

const middlewareOf = (all: readonly Middleware[], id: string | undefined): ExpressMiddleware[] =>
  all.flatMap((one): ExpressMiddleware | readonly ExpressMiddleware[] => {
    if (typeof one === 'function') return one;
    if (one.operations !== undefined && (id === undefined || !one.operations.includes(id))) return [];
    return one.use ?? one.error;
  });

/**
 * Runs the middleware of an operation through a router of Express, so that error handlers, promises and `next('router')` mean what they mean
 * there.
 *
 * If one answers the request itself, no further step runs.
 *
 * @param id `undefined` for requests that are no operation's. @returns `undefined` if there is no middleware. The step throws what a middleware
 *   gives to `next` or throws.
 */
export function middlewareStep(all: readonly Middleware[], id: string | undefined): Step | undefined {
  const handlers = middlewareOf(all, id);
  if (handlers.length === 0) return undefined;
  const router = loadExpress().Router();
  for (const handler of handlers) router.use(handler as RequestHandler);
  return (exchange) => {
    const { request, response } = exchange;
    request.operation = exchange.operation;
    // As the application would.
    (response as Partial<Response>).locals ??= Object.create(null) as Response['locals'];
    return runExpress(exchange, router);
  };
}

/** The routes that a service has added. Its application passes on what it has none for. */
export const runRoutes =
  (app: Express): Step =>
  (exchange) =>
    runExpress(exchange, app);

/** Runs what calls `next`, or answers: the promise then never resolves. */
const runExpress = ({ request, response }: Exchange, handler: RequestHandler): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => {
      if (error === undefined || error === null || error === 'route' || error === 'router') resolve();
      // Whatever Express is given is thrown, as it would be.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      else reject(toAppError(error));
    });
  });

/**
 * What Express's own middleware refuses a request with (http-errors): its status and message are meant for the client, which `expose` says.
 *
 * A status without a code of the framework stays, with the code that the service has for it, or `invalid_request`.
 */
export function toAppError(error: unknown): unknown {
  if (isAppError(error) || typeof error !== 'object' || error === null) return error;
  const { status, expose, message, headers } = error as { status?: unknown; expose?: unknown; message?: unknown; headers?: object };
  if (expose !== true || typeof status !== 'number' || status < 400 || status > 499) return error;
  const code = codeOfStatus(FRAMEWORK_ERRORS, status);
  const options = { cause: error, headers: { ...headers }, status: code === undefined ? status : undefined };
  return new FrameworkError(code ?? 'invalid_request', String(message), options);
}
