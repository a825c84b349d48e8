/** Composes the steps of each operation of a contract, once, at boot. Here is the list of the steps. */
import type { Contract, ContractOperation } from '@specwright/contract';
import type { SharedOptions, UntypedService } from './options.ts';
import type { Admission } from './pipeline/admission/admission.ts';
import { authenticate, type AuthenticateOptions } from './pipeline/authentication/authenticate.ts';
import type * as CallerWatch from './pipeline/authentication/caller-watch.ts';
import type { BodyOptions } from './pipeline/body/body-options.ts';
import { parseBody } from './pipeline/body/parse-body.ts';
import { type AnyHandler, callHandler } from './pipeline/call-handler.ts';
import { checkAccept } from './pipeline/check-accept.ts';
import type * as Compression from './pipeline/compression.ts';
import type { RequestMetrics } from './pipeline/context/request-metrics.ts';
import type { ServiceCors, Cors } from './pipeline/cors/cors.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import type { Readiness } from './endpoints/probes.ts';
import { checkHead } from './http/request-head.ts';
import { createErrorFormatter, type ErrorFormatter, type ErrorOptions } from './pipeline/error-formatter.ts';
import { handleError, toAppError } from './pipeline/error-response.ts';
import { type ExchangeLifecycle, lazyStep, requireReady, serviceStep } from './pipeline/exchange-lifecycle.ts';
import type { Exchange, ExchangeService } from './pipeline/exchange.ts';
import type { AnyStep, Step } from './pipeline/step.ts';
import type * as Idempotency from './pipeline/idempotency.ts';
import { type HeaderModules, operationHeaders } from './pipeline/operation-headers.ts';
import { countUnmatched, type EndpointTarget, type FindMatch, match } from './pipeline/match/match.ts';
import type * as Middleware from './pipeline/middleware.ts';
import type * as MockMissing from './pipeline/mock-missing.ts';
import type { RateLimit, RateLimits } from './pipeline/rate-limit/rate-limit.ts';
import { type ResponseValidation, sendResponse } from './pipeline/send-response.ts';
import type { OpenStreams } from './pipeline/streams/open-streams.ts';
import type * as Replies from './pipeline/streams/reply-source.ts';
import { validateRequest } from './pipeline/validate-request.ts';
import type { ServiceEndpoints } from './endpoints/server-endpoints.ts';

export interface ServiceParts extends Pick<SharedOptions<never>, 'responseValidation' | 'log'> {
  readonly now: () => Date;
  readonly readiness: Pick<Readiness, 'reason'> | undefined;
  readonly rateLimits: RateLimits;
  readonly cors: Cors | undefined;
  readonly metrics: RequestMetrics | undefined;
  readonly admission: Pick<Admission, 'admit'>;
  readonly exchanges: ExchangeLifecycle;
  readonly streams: OpenStreams;
  readonly bodies: BodyOptions;
  readonly routes: Step | undefined;
  readonly endpoints: (format: ErrorFormatter) => ServiceEndpoints;
  /** Loaded for services with the option. */
  readonly idempotency: typeof Idempotency.idempotency | undefined;
  readonly mockMissing: typeof MockMissing.mockMissing | undefined;
  readonly middlewareStep: typeof Middleware.middlewareStep | undefined;
  readonly compression: typeof Compression | undefined;
  readonly headerModules: HeaderModules;
  /** Loaded for services whose operations declare bodies that come in parts. */
  readonly ReplySource: typeof Replies.ReplySource | undefined;
  readonly CallerWatches: typeof CallerWatch.CallerWatches | undefined;
}

export interface Service extends ExchangeService {
  readonly contract: Contract;
  readonly find: FindMatch;
  readonly format: ErrorFormatter;
  readonly rateLimit: RateLimit;
  /** The same service with an endpoint beside its operations. */
  readonly withEndpoint: (path: string, create: CreateEndpoint) => Service;
}

/** An endpoint that needs the callers of a service: `count` counts a request for its caller. */
type CreateEndpoint = (given: {
  readonly authentication: AuthenticateOptions;
  readonly count: Step;
}) => Pick<EndpointTarget, 'methods' | 'readHeaders'> & { readonly step: Step };

export const createService = (options: UntypedService, parts: ServiceParts): Service => new ServiceSteps(options, parts).service();

const pass = () => undefined;
const notWatched = () => pass;

type Endpoint = readonly [path: string, target: EndpointTarget];

class ServiceSteps {
  readonly #options: UntypedService;
  readonly #parts: ServiceParts;
  readonly #contract: Contract;
  readonly #mode: ResponseValidation;
  readonly #errors: ErrorOptions;
  readonly #format: ErrorFormatter;
  readonly #rateLimit: RateLimit;
  readonly #cors: ServiceCors | undefined;
  readonly #authentication: AuthenticateOptions;
  readonly #callers: CallerWatch.CallerWatches | undefined;
  readonly #count: Step;
  readonly #checkHead: Step;
  readonly #parsedBodies = { isWarned: false };

  constructor(options: UntypedService, parts: ServiceParts) {
    const { contract, security: authenticators, realm = contract.title, mock } = options;
    this.#options = options;
    this.#parts = parts;
    this.#contract = contract;
    this.#mode = parts.responseValidation ?? 'strict';
    this.#errors = options.errors === 'next' ? { next: true } : (options.errors ?? {});
    this.#format = createErrorFormatter(this.#errors, contract);
    this.#rateLimit = parts.rateLimits.of(contract);
    this.#authentication = { authenticators, realm, statuses: this.#errors.statuses };
    const limitOne = this.#rateLimit.limit({ cost: 1 });
    this.#callers = parts.CallerWatches && new parts.CallerWatches(this.#authentication, this.#rateLimit);
    this.#count = countUnmatched(contract.operations, this.#authentication, limitOne ?? pass);
    this.#cors = parts.cors?.(contract.operations, { hasLimits: limitOne !== undefined, hasMock: mock !== undefined });
    this.#checkHead = checkHead(parts.compression?.removeCodings);
  }

  /** @param endpoints beside those of every service. */
  service(endpoints: Endpoint[] = []): Service {
    const { base = '' } = this.#options;
    const endWithError = handleError({
      passOn: this.#errors.next,
      format: this.#format,
      responseValidation: this.#mode,
      rateLimit: { count: this.#count, addHeaders: this.#rateLimit.addHeaders },
      metrics: this.#parts.metrics,
    });
    return {
      contract: this.#contract,
      base,
      find: this.#match(endpoints),
      format: this.#format,
      log: this.#parts.log,
      now: this.#parts.now,
      encode: this.#parts.compression?.encode,
      rateLimit: this.#rateLimit,
      boundLookUp: this.#rateLimit.boundLookUp,
      bucketOf: this.#rateLimit.bucketOf,
      endWithError,
      withEndpoint: (path, create) => this.service([...endpoints, [path, this.#endpoint(create)]]),
    };
  }

  /** The steps of an operation, in order: only those that it needs. */
  #stepsOf(operation: ContractOperation): readonly AnyStep[] {
    const { steps: { beforeHandler = [] } = {} } = this.#options;
    const { operations } = this.#contract;
    const { readiness, admission, exchanges, bodies, streams, headerModules } = this.#parts;
    const { lifecycle } = headerModules;
    const formatError = (exchange: Exchange, error: unknown) => this.#format(toAppError(error), exchange.operation).body;
    const sendStreamed = lazyStep(async () =>
      (await import('./pipeline/streams/send-streamed.ts')).sendStreamed({
        mode: this.#mode,
        streams,
        formatError,
        watchCaller: this.#watchCallerOf(operation),
      }),
    );
    return listed([
      lifecycle?.linkSuccessor(operation, operations),
      ...this.#begin(operation),
      readiness && requireReady(readiness),
      admission.admit(),
      authenticate(operation.requirements, this.#authentication),
      exchanges.acquireSlot,
      this.#rateLimit.limit(operation),
      lifecycle?.deprecation(operation, operations),
      checkAccept(operation),
      parseBody(operation, bodies, () => this.#watchCallerOf(operation), this.#parsedBodies),
      validateRequest(operation),
      streams.reserveStream(operation),
      ...beforeHandler.map(serviceStep),
      this.#callHandler(operation),
      sendResponse(this.#mode, sendStreamed),
    ]);
  }

  /** The first steps of every request. @param more what runs before the deadline begins. */
  #begin(operation: ContractOperation | undefined, more?: Step): readonly (Step | undefined)[] {
    const { use = [], steps: { before = [], after = [] } = {} } = this.#options;
    const middleware = this.#parts.middlewareStep?.(use, operation?.id);
    return [
      this.#cors?.addHeaders(operation),
      runAfterResponse(after),
      this.#checkHead,
      middleware,
      more,
      this.#parts.exchanges.start(middleware === undefined && more === undefined ? 'arrival' : 'now'),
      ...before.map(serviceStep),
    ];
  }

  /** The steps of a request without an operation: the routes of the application come first. */
  #otherSteps(...end: readonly (Step | undefined)[]): readonly AnyStep[] {
    return listed([...this.#begin(undefined, this.#parts.routes), ...end]);
  }

  /** The steps of a preflight, which browsers send without credentials: neither middleware nor steps of the service refuse it. */
  #preflightSteps(addCors: Step, answer: Step): readonly AnyStep[] {
    return listed([addCors, runAfterResponse(this.#options.steps?.after ?? []), this.#checkHead, this.#rateLimit.addHeaders, answer]);
  }

  #watchCallerOf(operation: ContractOperation): CallerWatch.WatchCaller {
    return this.#callers?.of(operation) ?? notWatched;
  }

  #callHandler(operation: ContractOperation) {
    const { db, mock, handlers, idempotency: store } = this.#options;
    const { idempotency, mockMissing, ReplySource } = this.#parts;
    const handler = handlers[operation.id] as AnyHandler;
    const callWith = (database: unknown) => {
      const call = callHandler(operation.id, handler, { db: database, ReplySource });
      return mock === undefined || mockMissing === undefined ? call : mockMissing(operation, call, mock, ReplySource);
    };
    if (!operation.acceptsIdempotencyKey || store === undefined || idempotency === undefined) return callWith(db);
    return idempotency(operation, callWith, db, { store, addressOf: this.#rateLimit.addressOf, responseValidation: this.#mode });
  }

  #endpoint(create: CreateEndpoint): EndpointTarget {
    const [authentication, count] = [this.#authentication, this.#count];
    const { step, ...target } = create({ authentication, count });
    return { ...target, steps: this.#otherSteps(step), count };
  }

  #match(more: readonly Endpoint[]): FindMatch {
    const { operations } = this.#contract;
    const { headerModules } = this.#parts;
    const { uncounted, counted } = this.#parts.endpoints(this.#format);
    const endpointsOf = (some: readonly Endpoints[], countIt: Step) =>
      some.flatMap((endpoints) =>
        [...endpoints].map(([path, answer]) => [path, { steps: this.#otherSteps(countIt, answer), count: countIt }] as const),
      );
    const cors = this.#cors;
    return match({
      operations: operations.map((operation) => ({
        operation,
        steps: this.#stepsOf(operation),
        headers: operationHeaders(operation, operations, headerModules),
      })),
      endpoints: new Map([...endpointsOf(uncounted, this.#rateLimit.addHeaders), ...endpointsOf(counted, this.#count), ...more]),
      count: this.#count,
      acceptQuery: headerModules.acceptQuery,
      options: (end) => this.#otherSteps(...end),
      preflights: cors && ((path) => cors.preflights(path, (addCors) => this.#preflightSteps(addCors, path.answer))),
      unmatched: (refuse) => this.#otherSteps(refuse),
    });
  }
}

/** Steps set fields of the exchange, each its own. */
const listed = (steps: readonly (Step | undefined)[]): readonly AnyStep[] => steps.filter((step) => step !== undefined);

/** Runs `steps` when the response is closed. @returns `undefined` without steps. */
function runAfterResponse(steps: readonly Step[]): Step | undefined {
  if (steps.length === 0) return undefined;
  const run = async (exchange: Exchange): Promise<void> => {
    for (const step of steps) await step(exchange);
  };
  return (exchange) => {
    exchange.response.once('close', () => {
      run(exchange).catch((err: unknown) =>
        exchange.log.error({ operation: exchange.operation?.id, err }, 'a step after the response failed'),
      );
    });
  };
}
