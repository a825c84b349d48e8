/** Creates the server of a contract: composes the steps of each operation once, at boot. Here is the list of the steps. */
import type { Server } from 'node:http';
import express from 'express';
import { DEFAULT_MAX_BODY_BYTES } from './contract/extensions/body-limit.ts';
import type { ContractTypes, Handlers, OperationId, SecurityScheme } from './contract/types/handler-types.ts';
import { assertHandlersAndSecuritySchemes, type Contract, type ContractOperation } from './contract/load-contract.ts';
import { createRateLimiter, type RateLimitOptions } from './pipeline/rate-limit/rate-limit.ts';
import type { Log } from './ops/log/logger.ts';
import type { MetricSource } from './ops/metric.ts';
import { createAdmission } from './pipeline/admission/admission.ts';
import { authenticate } from './pipeline/authentication/authenticate.ts';
import { unimplementedScheme, type Authenticator } from './pipeline/authentication/authenticators.ts';
import { callHandler, type AnyHandler } from './pipeline/call-handler.ts';
import { checkHead } from './pipeline/match/check-head.ts';
import { refuseSocket } from './pipeline/client-error.ts';
import { countUnmatched } from './pipeline/match/count-unmatched.ts';
import { contractDocument } from './pipeline/endpoints/contract-document.ts';
import { docsPage, findSwaggerUi, indexPage } from './pipeline/endpoints/docs-page.ts';
import { createErrorFormatter, handleError, type ErrorOptions } from './pipeline/error-response.ts';
import { unmatchedSteps } from './pipeline/endpoints/endpoints.ts';
import type { Step } from './pipeline/exchange.ts';
import { createHttpServer } from './pipeline/http-server.ts';
import { idempotency, warnOfUnusedKeys, type IdempotencyStore } from './pipeline/idempotency.ts';
import { lifecycle } from './pipeline/lifecycle.ts';
import { match } from './pipeline/match/match.ts';
import { metrics } from './pipeline/endpoints/metrics.ts';
import { operationHeaders } from './pipeline/operation-headers.ts';
import { parseBody, type WhileReading } from './pipeline/body/parse-body.ts';
import { probes, type Readiness } from './pipeline/endpoints/probes.ts';
import { createRequestDeadline } from './pipeline/request-deadline.ts';
import { createExchanges, type LogRequests } from './pipeline/context/request-context.ts';
import { admissionMetrics, createRequestMetrics } from './pipeline/context/request-metrics.ts';
import { requireReady } from './pipeline/require-ready.ts';
import { noteConnection } from './pipeline/rate-limit/sent-after.ts';
import { serve } from './pipeline/serve.ts';
import { sendResponse, type ResponseValidation } from './pipeline/send-response.ts';
import { traceRequests } from './pipeline/context/trace-requests.ts';
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
  /** How errors are sent. Default: as the contract declares them, with the statuses of `FRAMEWORK_ERRORS`. */
  readonly errors?: ErrorOptions;
  /** Whom requests are counted for, and where. Required for a contract with `x-rate-limit-plans`. */
  readonly rateLimit?: RateLimitOptions<Caller> | undefined;
  /** Where the responses to requests with an `Idempotency-Key` are kept. Default: nowhere; then the header has no effect. */
  readonly idempotency?: IdempotencyStore<Handlers<T, Caller>, Caller> | undefined;
  /** What happens to a response that breaks the contract. Default: `strict`. */
  readonly responseValidation?: ResponseValidation;
  /** Whether requests can be served. Default: always. */
  readonly readiness?: Readiness;
  /** The logger; pino's fits. */
  readonly log: Log;
  /** Which requests are logged: `all` (the default), `errors` (5xx and unanswered ones) or `off`. */
  readonly logRequests?: LogRequests;
  /** The largest request body of operations without `x-body-limit`, in bytes after decompression. Default: 64 KiB. */
  readonly maxBodyBytes?: number;
  /** What is logged of a caller. Never a credential. Default: nothing. */
  readonly logCaller?: (caller: Caller) => object;
  /**
   * How long this server may take for a request, in ms, without the time that the client takes to send the body. After it the
   * answer is 503. Default: 2500.
   */
  readonly requestTimeoutMs?: number;
  /** Whether `GET /docs` is served, if `swagger-ui-dist` is installed. Default: `false`. */
  readonly docs?: boolean;
  /** Whether `GET /metrics` is served. Default: `false`. */
  readonly metrics?: boolean;
  /** What `GET /metrics` tells beside requests, limits and the process: pools, caches, queues. */
  readonly metricSources?: readonly MetricSource[];
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
}

const REQUEST_TIMEOUT_MS = 2500;
const pass = () => undefined;
const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/** After what a start has to do: the first requests are answered meanwhile, and compile what they need. */
const COMPILE_DELAY_MS = 250;

function compileInIdleTime(server: Server, { compileAhead }: Contract): void {
  const closed = new AbortController();
  server.once('listening', () => setTimeout(() => void compileAhead(closed.signal), COMPILE_DELAY_MS).unref());
  server.once('close', () => closed.abort());
}

/**
 * Makes the server of a contract. It does not listen yet.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createServer<T extends ContractTypes, Caller>(options: ServerOptions<T, Caller>): Server {
  const { contract, handlers, log, realm = contract.title, responseValidation = 'strict', readiness = ALWAYS_READY } = options;
  const { now = () => new Date(), logCaller = () => ({}), logRequests = 'all' } = options;
  const authenticators: Readonly<Record<string, Authenticator>> = options.security;
  assertHandlersAndSecuritySchemes(contract, Object.keys(handlers), Object.keys(authenticators));
  warnOfUnimplementedSchemes(authenticators, log);
  if (contract.operations.length === 0)
    log.warn({}, 'the contract has no operations, so every request is answered 404: add them to its paths');
  const format = createErrorFormatter(options.errors ?? {}, contract);
  const rateLimit = createRateLimiter(contract, options.rateLimit, {
    log,
    now: options.now === undefined ? Date.now : () => now().getTime(),
  });
  const store = options.idempotency as IdempotencyStore<Readonly<Record<string, AnyHandler>>> | undefined;
  const idempotencyOptions = store && { store, addressOf: rateLimit.addressOf, responseValidation };
  if (store === undefined) warnOfUnusedKeys(contract.operations, log);

  const authentication = { authenticators, realm, statuses: options.errors?.statuses, boundLookUp: rateLimit.boundLookUp };
  const count = countUnmatched(contract.operations, authentication, rateLimit.limit({ cost: 1 }) ?? pass);

  const requestMetrics = options.metrics ? createRequestMetrics(contract.operations) : undefined;
  const endWithError = handleError({
    format,
    responseValidation,
    rateLimit: { count, addHeaders: rateLimit.addHeaders },
    metrics: requestMetrics,
  });
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const admission = createAdmission({ requestTimeoutMs, rateLimit, log });
  const deadline = createRequestDeadline(requestTimeoutMs, (exchange, error) => {
    admission.release(exchange);
    return endWithError(exchange, error);
  });

  const whileReading: WhileReading = {
    begin: (exchange) => {
      deadline.whileReading.begin(exchange);
      admission.whileReading.begin(exchange);
    },
    end: (exchange) => {
      void deadline.whileReading.end(exchange);
      return admission.whileReading.end(exchange);
    },
  };

  /** The steps of one operation, in order: only those that it needs. */
  const stepsOf = (operation: ContractOperation): readonly Step[] =>
    [
      operationHeaders(operation, contract.operations),
      requireReady(() => readiness.reason()),
      admission.admit(),
      authenticate(operation.requirements, authentication),
      admission.acquireSlot,
      rateLimit.limit(operation),
      lifecycle(operation, contract.operations),
      parseBody(operation, options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, whileReading),
      validateRequest(operation),
      idempotency(operation, callHandler(operation.id, handlers[operation.id as OperationId<T>]), idempotencyOptions),
      sendResponse(responseValidation),
    ].filter((step) => step !== undefined);

  const startExchange = createExchanges({
    log,
    now,
    logCaller: logCaller as (caller: unknown) => object,
    logRequests,
    metrics: requestMetrics,
  });
  const sources = requestMetrics && [
    requestMetrics.read,
    () => admissionMetrics(admission.counts),
    rateLimit.metrics,
    ...(options.metricSources ?? []),
  ];
  const swaggerUi = options.docs ? findSwaggerUi() : undefined;
  if (options.docs && swaggerUi === undefined) log.warn({}, 'there is no page at /docs: npm install swagger-ui-dist, or DOCS=off');
  const uncounted = [
    probes(readiness, format),
    ...(swaggerUi === undefined ? [] : [docsPage(contract.title, swaggerUi)]),
    ...(sources === undefined ? [] : [metrics(sources, log)]),
  ];
  const counted = [indexPage(contract, { docs: swaggerUi !== undefined, metrics: sources !== undefined }), contractDocument(contract)];
  const findSteps = match(
    contract.operations.map((operation) => ({ operation, steps: stepsOf(operation) })),
    count,
    [...uncounted, ...counted].flatMap((endpoints) => [...endpoints.keys()]),
  );
  const findUnmatchedSteps = unmatchedSteps({ uncounted, counted, rateLimit: { count, addHeaders: rateLimit.addHeaders } });

  const app = express();
  app.disable('x-powered-by');
  const trace = traceRequests({
    untraced: new Set(uncounted.flatMap((endpoints) => [...endpoints.keys()])),
    trustProxy: options.rateLimit?.trustProxy,
  });
  const listener = serve(app, {
    startExchange,
    checkHead: checkHead(),
    findSteps,
    findUnmatchedSteps,
    deadline,
    admission,
    endWithError,
    trace,
  });
  const server = createHttpServer(app, listener, refuseSocket({ format, rateLimit, log, logRequests, metrics: requestMetrics }));
  server.on('connection', noteConnection);
  server.once('close', rateLimit.close);
  compileInIdleTime(server, contract);
  return server;
}

function warnOfUnimplementedSchemes(authenticators: Readonly<Record<string, Authenticator>>, log: Log): void {
  for (const [scheme, authenticator] of Object.entries(authenticators)) {
    if (authenticator === unimplementedScheme)
      log.warn({ scheme }, `the security scheme ${scheme} is not written yet, so what needs it answers 501: src/security.ts`);
  }
}
