/** Creates the server of a contract: composes the pipeline of each operation once, at boot. */
import type { Server } from 'node:http';
import express, { Router } from 'express';
import type { ContractTypes, Handlers, OperationId, SecurityScheme } from './contract/handler-types.ts';
import { assertHandlersAndSecuritySchemes, type Contract, type ContractOperation } from './contract/load-contract.ts';
import { createRateLimiter, type RateLimitOptions } from './pipeline/rate-limit.ts';
import { authenticate } from './pipeline/authenticate.ts';
import { unimplementedScheme, type Authenticator } from './pipeline/authenticators.ts';
import { callHandler, type AnyHandler } from './pipeline/call-handler.ts';
import { contractDocument } from './pipeline/contract-document.ts';
import { createErrorFormatter, handleError, type ErrorOptions } from './pipeline/error-response.ts';
import type { Log } from './ops/logger.ts';
import { createHttpServer } from './pipeline/http-server.ts';
import { lifecycle } from './pipeline/lifecycle.ts';
import { match, notFound } from './pipeline/match.ts';
import { metrics } from './pipeline/metrics.ts';
import { parseBody } from './pipeline/parse-body.ts';
import { probes, type Readiness } from './pipeline/probes.ts';
import { requestContext } from './pipeline/request-context.ts';
import { requireReady } from './pipeline/require-ready.ts';
import { sendResponse, type ResponseValidation } from './pipeline/send-response.ts';
import { validateRequest } from './pipeline/validate-request.ts';

/** One authenticator for each security scheme of a contract. */
export type Security<T extends ContractTypes, Caller> = Readonly<Record<SecurityScheme<T>, Authenticator<Caller>>>;

export interface ServerOptions<T extends ContractTypes, Caller> {
  /** From `loadContract`. */
  readonly contract: Contract<T>;
  /** One handler for each operation. */
  readonly handlers: Handlers<T, Caller>;
  /** One authenticator for each security scheme that the contract requires. */
  readonly security: Security<T, Caller>;
  /** The name in challenges (RFC 9110, section 11.5). Default: the title of the contract. */
  readonly realm?: string;
  /** How errors are sent. Default: `{ code, message, status }` as `application/json`, with the statuses of `FRAMEWORK_ERRORS`. */
  readonly errors?: ErrorOptions;
  /** Whom requests are counted for, and where. Required for a contract with `x-rate-limit-plans`. */
  readonly rateLimit?: RateLimitOptions<Caller> | undefined;
  /** What happens to a response that breaks the contract. Default: `strict`. */
  readonly responseValidation?: ResponseValidation;
  /** Whether requests can be served. Default: always. */
  readonly readiness?: Readiness;
  /** The logger; pino's fits. */
  readonly log: Log;
  /** What is logged of a caller. Never a credential. Default: nothing. */
  readonly logCaller?: (caller: Caller) => object;
  /** Whether `GET /metrics` is served. Default: `false`. */
  readonly metrics?: boolean;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
}

const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/**
 * Creates the server of a contract. It does not listen yet.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createServer<T extends ContractTypes, Caller>(options: ServerOptions<T, Caller>): Server {
  const { contract, handlers, log, realm = contract.title, responseValidation = 'strict', readiness = ALWAYS_READY } = options;
  const { now = () => new Date(), logCaller = () => ({}) } = options;
  const authenticators: Readonly<Record<string, Authenticator>> = options.security;
  assertHandlersAndSecuritySchemes(contract, Object.keys(handlers), Object.keys(authenticators));
  warnAboutUnimplementedSchemes(authenticators, log);
  const format = createErrorFormatter(options.errors ?? {});
  const rateLimit = createRateLimiter(contract, options.rateLimit, { log, now: () => now().getTime() });

  /** The pipeline of one operation, from top to bottom: only the steps that it needs. */
  const pipeline = (operation: ContractOperation): Router => {
    const handler: AnyHandler = handlers[operation.id as OperationId<T>];
    const steps = Router();
    steps.use(requireReady(() => readiness.reason()));
    if (operation.requirements.length > 0) steps.use(authenticate(operation.requirements, { authenticators, realm }));
    steps.use(rateLimit.limit(operation));
    if (operation.deprecation !== null || operation.stability !== null) steps.use(lifecycle(operation, contract.operations));
    if (operation.body !== null) steps.use(parseBody(operation));
    steps.use(validateRequest(operation));
    steps.use(callHandler(operation.id, handler));
    steps.use(sendResponse(responseValidation));
    return steps;
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(requestContext({ log, now, logCaller: logCaller as (caller: unknown) => object }));
  app.use(
    match(
      contract.operations.map((operation) => ({ operation, pipeline: pipeline(operation) })),
      rateLimit.countByAddress,
    ),
  );
  // Paths outside of the contract come after it, so that they never hide an operation.
  // Probes are not counted: orchestrators must always get an answer.
  app.use(probes(readiness, rateLimit.addHeaders));
  if (options.metrics) app.use(metrics(rateLimit.metrics, rateLimit.addHeaders));
  app.use(rateLimit.limitByAddress, contractDocument(contract), notFound);
  app.use(handleError({ format, responseValidation, rateLimit }));
  const server = createHttpServer(app, format, rateLimit.headersForSocket);
  server.once('close', rateLimit.close);
  return server;
}

function warnAboutUnimplementedSchemes(authenticators: Readonly<Record<string, Authenticator>>, log: Log): void {
  for (const [scheme, authenticator] of Object.entries(authenticators)) {
    if (authenticator === unimplementedScheme)
      log.warn({ scheme }, `the security scheme ${scheme} is not implemented yet: operations that require it answer 501`);
  }
}
