/** Composes the steps of each operation of a contract, once, at boot. Here is the list of the steps. */
import { type Contract, type ContractOperation, assertHandlersAndSecuritySchemes } from '@specwright/contract';
import type { Express } from 'express';
import { FrameworkError } from './errors.ts';
import type { Log } from './ops/log/logger.ts';
import type { SharedOptions, UntypedService } from './options.ts';
import type { Admission } from './pipeline/admission/admission.ts';
import { authenticate } from './pipeline/authentication/authenticate.ts';
import { type Authenticator, unimplementedScheme } from './pipeline/authentication/authenticators.ts';
import { type BodyOptions, parseBody } from './pipeline/body/parse-body.ts';
import { createParsedBodyWarning } from './pipeline/body/parsed-body.ts';
import { type AnyHandler, callHandler } from './pipeline/call-handler.ts';
import { negotiateCoding } from './pipeline/compression.ts';
import type { RequestMetrics } from './pipeline/context/request-metrics.ts';
import type { Cors } from './pipeline/cors/cors.ts';
import type { Endpoints } from './pipeline/endpoints/endpoints.ts';
import type { Readiness } from './pipeline/endpoints/probes.ts';
import { type ErrorFormatter, type ErrorOptions, createErrorFormatter, handleError, toAppError } from './pipeline/error-response.ts';
import type { AnyStep, Exchange, ExchangeService, Step } from './pipeline/exchange.ts';
import { idempotency, warnOfUnusedKeys } from './pipeline/idempotency.ts';
import { lifecycle } from './pipeline/lifecycle.ts';
import { checkHead } from './pipeline/match/check-head.ts';
import { countUnmatched } from './pipeline/match/count-unmatched.ts';
import { type EndpointTarget, type FindMatch, match } from './pipeline/match/match.ts';
import { assertMiddleware, middlewareOf, runMiddleware } from './pipeline/middleware.ts';
import { mockMissing } from './pipeline/mock-missing.ts';
import { operationHeaders } from './pipeline/operation-headers.ts';
import type { RateLimit, RateLimits } from './pipeline/rate-limit/rate-limit.ts';
import type { RequestDeadline } from './pipeline/request-deadline.ts';
import { send, validateResponse } from './pipeline/send-response.ts';
import { runAfterResponse } from './pipeline/service-steps.ts';
import type { OpenStreams } from './pipeline/streams/open-streams.ts';
import { type StreamOptions, sendStreamed } from './pipeline/streams/send-streamed.ts';
import type { CallFrom } from './pipeline/tools/operation-calls.ts';
import { TOOLS_PATH, TOOL_HEADERS, serveTools } from './pipeline/tools/serve-tools.ts';
import type { ToolServer } from './pipeline/tools/tool-server.ts';
import { validateRequest } from './pipeline/validate-request.ts';
import type { ServiceEndpoints } from './server-endpoints.ts';

/** What the services of a server share. */
export interface ServiceParts extends Pick<SharedOptions<never>, 'compression' | 'responseValidation' | 'log'> {
  readonly readiness: Pick<Readiness, 'reason'>;
  readonly rateLimits: RateLimits;
  readonly cors: Cors | undefined;
  readonly metrics: RequestMetrics | undefined;
  readonly admission: Admission;
  readonly deadline: RequestDeadline;
  readonly streams: OpenStreams;
  readonly bodies: BodyOptions;
  readonly app: Express;
  /** Runs the routes that the application has added. */
  readonly routes: Step | undefined;
  readonly endpoints: (format: ErrorFormatter) => ServiceEndpoints;
  /** What serves tools, and how it calls operations. */
  readonly tools: { readonly serve: ToolServer; readonly call: CallFrom; readonly origins: readonly string[] } | undefined;
}

/** A contract, ready to be served. */
export interface Service extends ExchangeService {
  readonly contract: Contract;
  readonly find: FindMatch;
  readonly format: ErrorFormatter;
  readonly rateLimit: RateLimit;
  /** Whether agents find tools at `/mcp`. */
  readonly hasTools: boolean;
}

const pass = () => undefined;

/** @throws ContractError if handlers, authenticators or middleware do not fit the contract. */
export function createService(options: UntypedService, parts: ServiceParts): Service {
  const { contract, base = '', realm = contract.title, use = [], steps: added = {}, mock } = options;
  const errors: ErrorOptions = options.errors === 'next' ? { next: true } : (options.errors ?? {});
  const { handlers, security: authenticators, idempotency: store } = options;
  const { log, admission, deadline, bodies, responseValidation = 'strict' } = parts;
  assertHandlersAndSecuritySchemes(contract, Object.keys(handlers), Object.keys(authenticators));
  assertMiddleware(contract, use);
  if (mock === undefined) warnOfUnimplementedSchemes(authenticators, log);

  const rateLimit = parts.rateLimits.of(contract);
  const authentication = { authenticators, realm, statuses: errors.statuses, boundLookUp: rateLimit.boundLookUp };
  const limitOne = rateLimit.limit({ cost: 1 });
  const count = countUnmatched(contract.operations, authentication, limitOne ?? pass);
  const cors = parts.cors?.of(contract.operations, { hasLimits: limitOne !== undefined, hasMock: mock !== undefined });
  const format = createErrorFormatter(errors, contract);
  const endWithError = handleError({
    passOn: errors.next,
    format,
    responseValidation,
    rateLimit: { count, addHeaders: rateLimit.addHeaders },
    metrics: parts.metrics,
  });
  const formatError = (exchange: Exchange, error: unknown) => format(toAppError(error), exchange.operation).body;
  const idempotencyOptions = store && { store, addressOf: rateLimit.addressOf, responseValidation, mock };
  if (store === undefined) warnOfUnusedKeys(contract.operations, log);

  const { before = [], beforeHandler = [], after = [] } = added;

  const handlerOf = ({ id }: ContractOperation) => handlers[id] as AnyHandler;

  const checkRequestHead = checkHead();
  const negotiate = parts.compression ? negotiateCoding() : undefined;
  const warnOfParsedBody = createParsedBodyWarning();

  /** What every request begins with. @param more what runs before the deadline begins. */
  const begin = (operation: ContractOperation | undefined, more?: Step): readonly (Step | undefined)[] => {
    const middleware = runMiddleware(middlewareOf(use, operation?.id));
    return [
      cors?.addHeaders(operation),
      runAfterResponse(after),
      checkRequestHead,
      negotiate,
      middleware,
      more,
      middleware === undefined && more === undefined ? deadline.start : deadline.startNow,
      ...before,
    ];
  };

  /** The steps of an operation, in order: only those that it needs. */
  const stepsOf = (operation: ContractOperation): readonly AnyStep[] =>
    listed([
      operationHeaders(operation, contract.operations),
      ...begin(operation),
      requireReady(() => parts.readiness.reason()),
      admission.admit(),
      authenticate(operation.requirements, authentication),
      admission.acquireSlot,
      rateLimit.limit(operation),
      lifecycle(operation, contract.operations),
      parseBody(operation, bodies, warnOfParsedBody),
      validateRequest(operation),
      parts.streams.reserveStream(operation),
      ...beforeHandler,
      idempotency(operation, mockMissing(operation, callHandler(operation.id, handlerOf(operation)), mock), idempotencyOptions),
      sendResponse({ mode: responseValidation, streams: parts.streams, formatError }),
    ]);

  /** The steps of any other request: the routes of the application come first. */
  const otherSteps = (...end: readonly (Step | undefined)[]): readonly AnyStep[] => listed([...begin(undefined, parts.routes), ...end]);

  /** The steps of a preflight, which browsers send without credentials: neither middleware nor steps of the service refuse it. */
  const preflightSteps = (addCors: Step, answer: Step): readonly AnyStep[] =>
    listed([addCors, runAfterResponse(after), checkRequestHead, rateLimit.addHeaders, answer]);

  /** `POST /mcp`, if there are tools. */
  const toolEndpoint = (): (readonly [string, EndpointTarget])[] => {
    const tools = parts.tools?.serve(contract);
    if (parts.tools === undefined || tools === undefined || tools.operations.size === 0) return [];
    const steps = serveTools({ ...parts.tools, contract, tools, authentication, bodies, deadline, count });
    return [[TOOLS_PATH, { methods: ['POST'], steps: otherSteps(...steps), readHeaders: TOOL_HEADERS, count }]];
  };

  const toolEndpoints = toolEndpoint();
  const { uncounted, counted } = parts.endpoints(format);
  const endpointsOf = (some: readonly Endpoints[], countIt: Step) =>
    some.flatMap((endpoints) =>
      [...endpoints].map(([path, answer]) => [path, { steps: otherSteps(countIt, answer), count: countIt }] as const),
    );
  const find = match({
    operations: contract.operations.map((operation) => ({ operation, steps: stepsOf(operation) })),
    endpoints: new Map([...endpointsOf(uncounted, rateLimit.addHeaders), ...endpointsOf(counted, count), ...toolEndpoints]),
    count,
    options: (end) => otherSteps(...end),
    preflights: cors && ((path) => cors.preflights(path, (addCors) => preflightSteps(addCors, path.answer))),
    unmatched: (refuse) => otherSteps(refuse),
  });
  return { base, contract, find, format, rateLimit, bucketOf: rateLimit.bucketOf, endWithError, hasTools: toolEndpoints.length > 0 };
}

/** Steps set fields of the exchange, each its own. */
const listed = (steps: readonly (Step | undefined)[]): readonly AnyStep[] => steps.filter((step) => step !== undefined);

function warnOfUnimplementedSchemes(authenticators: Readonly<Record<string, Authenticator>>, log: Log): void {
  for (const [scheme, authenticator] of Object.entries(authenticators)) {
    if (authenticator === unimplementedScheme)
      log.warn({ scheme }, `the security scheme ${scheme} is not written yet, so what needs it answers 501: src/security.ts`);
  }
}

/** @param reason why the server is not ready, in words for an operator; `undefined` when it is. @throws AppError service_unavailable */
function requireReady(reason: () => string | undefined): Step {
  return () => {
    const cause = reason();
    if (cause !== undefined)
      throw new FrameworkError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
  };
}

/** Pipeline step: validates the response of the handler and sends it. */
export function sendResponse(options: StreamOptions): Step {
  const { mode } = options;
  return (exchange: Exchange) => {
    const { handlerResponse } = exchange;
    if (handlerResponse === undefined) throw new Error('this step must come after callHandler');
    if (handlerResponse.streamed !== undefined) return sendStreamed(exchange, handlerResponse, handlerResponse.streamed, options);
    // What was valid when it was stored is sent, even if the contract has gained a requirement since.
    return send(exchange, validateResponse(exchange, handlerResponse, exchange.isReplay && mode === 'strict' ? 'log' : mode));
  };
}
