/** The pipeline: what happens to a request, from its first step to its last. Composed once, at boot, per operation. */
import type { Server } from 'node:http';
import express, { Router } from 'express';
import type { ContractTypes, Handlers, OperationId, SecurityScheme } from './contract/handler-types.ts';
import { assertHandlersAndSecuritySchemes, type Contract, type ContractOperation } from './contract/load-contract.ts';
import { createRateLimiter, type RateLimitOptions } from './pipeline/rate-limit.ts';
import { authenticate, unimplementedScheme, type Authenticator } from './pipeline/authenticate.ts';
import { callHandler, type AnyHandler } from './pipeline/call-handler.ts';
import { contractDocument } from './pipeline/contract-document.ts';
import { createErrorFormatter, handleError, type ErrorOptions } from './pipeline/error-response.ts';
import type { Log } from './pipeline/exchange.ts';
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
  readonly contract: Contract<T>;
  /** One handler for each operation. */
  readonly handlers: Handlers<T, Caller>;
  /** One authenticator for each security scheme that the contract requires. */
  readonly security: Security<T, Caller>;
  /** The name in challenges (RFC 9110, section 11.5). */
  readonly realm?: string;
  readonly errors?: ErrorOptions;
  /** Whom the limits count, and where: for a contract with `x-rate-limit-plans`. */
  readonly rateLimit?: RateLimitOptions<Caller> | undefined;
  /** What happens to a response that breaks the contract. */
  readonly responseValidation?: ResponseValidation;
  readonly readiness?: Readiness;
  readonly log: Log;
  /** What of a caller the log says. Never a credential. */
  readonly logCaller?: (caller: Caller) => object;
  /** Whether `GET /metrics` is served. */
  readonly metrics?: boolean;
  readonly now?: () => Date;
}

const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/**
 * Makes the server of a contract. It does not listen yet.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createServer<T extends ContractTypes, Caller>(options: ServerOptions<T, Caller>): Server {
  const { contract, handlers, log, realm = contract.title, responseValidation = 'strict', readiness = ALWAYS_READY } = options;
  const { now = () => new Date(), logCaller = () => ({}) } = options;
  const authenticators: Readonly<Record<string, Authenticator>> = options.security;
  assertHandlersAndSecuritySchemes(contract, Object.keys(handlers), Object.keys(authenticators));
  warnOfUnimplementedSchemes(authenticators, log);
  const format = createErrorFormatter(options.errors ?? {});
  const rateLimit = createRateLimiter(contract, options.rateLimit, { log, now: () => now().getTime() });

  /** The steps of one operation: only those that it needs. */
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
  app.use(requestContext({ log, now, logCaller: logCaller as (caller: unknown) => object, headers: rateLimit.initialHeaders }));
  app.use(
    match(
      contract.operations.map((operation) => ({ operation, pipeline: pipeline(operation) })),
      rateLimit.countByAddress,
    ),
  );
  // What is not of the contract comes after it, so that it never hides an operation.
  // Probes are not counted: whoever supervises the server has to be answered.
  app.use(probes(readiness));
  if (options.metrics) app.use(metrics(rateLimit.metrics));
  app.use(rateLimit.limitByAddress, contractDocument(contract), notFound);
  app.use(handleError({ format, mode: responseValidation, countByAddress: rateLimit.countByAddress }));
  const server = createHttpServer(app, format, rateLimit.headersForSocket);
  server.once('close', rateLimit.close);
  return server;
}

function warnOfUnimplementedSchemes(authenticators: Readonly<Record<string, Authenticator>>, log: Log): void {
  for (const [scheme, authenticator] of Object.entries(authenticators)) {
    if (authenticator === unimplementedScheme)
      log.warn({ scheme }, `the security scheme ${scheme} is not written yet, so what needs it answers 501: src/security.ts`);
  }
}
