/** Creates the handler of requests: what the contracts share, and which of them a request is for. */
import type { Request, Response } from 'express';
import { DEFAULT_MAX_BODY_BYTES, type ContractOperation, type ContractTypes, inBackground } from '@specwright/contract';
import { createService, type Service, type ServiceParts } from './create-service.ts';
import { splitTarget, withoutBase } from './http/request-target.ts';
import type { MetricSource } from '@specwright/contract/runtime';
import { createScrape, type Scrape } from './ops/scrape.ts';
import type {
  ListenOptions,
  MountOptions,
  RequestHandler,
  RequiredDb,
  ServerOptions,
  ServicesOptions,
  UntypedOptions,
  UntypedService,
} from './options.ts';
import { Admission } from './pipeline/admission/admission.ts';
import { BodyBudget, DEFAULT_BODY_BUDGET_BYTES, DEFAULT_SPOOL_BUDGET_BYTES } from './pipeline/body/body-budget.ts';
import { type BodyOptions, hasStreamedBodies } from './pipeline/body/body-options.ts';
import type { BodyStreams } from './pipeline/body/stream-body.ts';
import { refuseSocket, type RefuseSocket } from './pipeline/client-error.ts';
import { createExchanges } from './pipeline/context/request-context.ts';
import { admissionMetrics, bodyMetrics, RequestMetrics } from './pipeline/context/request-metrics.ts';
import { traceRequests } from './pipeline/context/trace-requests.ts';
import { createCors } from './pipeline/cors/cors.ts';
import type { Readiness } from './endpoints/probes.ts';
import type { NextHandler } from './pipeline/exchange.ts';
import { ExchangeLifecycle } from './pipeline/exchange-lifecycle.ts';
import { adoptRequest, createExpressApp } from './pipeline/express-app.ts';
import { runRoutes } from './pipeline/middleware.ts';
import { createRateLimits, type RateLimits } from './pipeline/rate-limit/rate-limit.ts';
import { createOpenStreams, type OpenStreams } from './pipeline/streams/open-streams.ts';
import { flushBeforeEnd, PartLifecycle } from './process/part-lifecycle.ts';
import { writesAsNode } from './pipeline/write-text.ts';
import { logMetrics, type ServerEndpoints, serverEndpoints } from './endpoints/server-endpoints.ts';

const REQUEST_TIMEOUT_MS = 2500;
const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/** After what a start has to do: the first requests are answered meanwhile, and compile what they need. */
const COMPILE_DELAY_MS = 250;

export type ServerParts = ReturnType<ServerAssembly['parts']>;

/**
 * Creates a handler that serves contracts in another application: `app.use('/v1', handler)` of Express, or any server of `node:http`.
 *
 * The path that Express mounts it at is part of `Location`, `Link`, the documentation and the published contract.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createRequestHandler<T extends ContractTypes, Caller, const Types extends readonly ContractTypes[] = [], Db = unknown>(
  options: ((ServerOptions<T, Caller, Db> & RequiredDb<Db>) | ServicesOptions<Types, Caller>) & MountOptions,
): RequestHandler {
  const { handler, compileSoon, startWhenReady } = createServerParts(options as UntypedOptions);
  compileSoon();
  startWhenReady((err) => options.log.error({ err }, 'a part of the server could not be started'));
  return handler;
}

/** @throws ContractError as `createRequestHandler` does. */
export const createServerParts = (options: UntypedOptions & Pick<ListenOptions, 'metricsPort'>): ServerParts =>
  new ServerAssembly(options).parts();

/** The parts that the services of a server share, and the handler that finds the service of a request. */
class ServerAssembly {
  readonly #options: UntypedOptions & Pick<ListenOptions, 'metricsPort'>;
  readonly #given: readonly UntypedService[];
  readonly #now: () => Date;
  readonly #expressApp = createExpressApp();
  readonly #metrics: RequestMetrics | undefined;
  readonly #rateLimits: RateLimits;
  readonly #admission: Admission;
  readonly #streams: OpenStreams;
  readonly #budget: BodyBudget;
  readonly #spoolBudget: BodyBudget;
  readonly #exchanges: ExchangeLifecycle;
  readonly #scrape: Scrape | undefined;
  readonly #closed = new AbortController();
  readonly #lifecycle: PartLifecycle;

  constructor(options: UntypedOptions & Pick<ListenOptions, 'metricsPort'>) {
    const { log, now, requestTimeoutMs = REQUEST_TIMEOUT_MS, metrics = false } = options;
    if (options.routes !== undefined && options.unmatched === 'next')
      throw new Error('`routes` and `unmatched: "next"` are both for what the contract does not have: add the routes to the application');
    this.#options = options;
    this.#given = withRoot(options.services ?? [options]);
    this.#now = now ?? (() => new Date());
    this.#lifecycle = lifecycleOf(options);
    const isMeasured = metrics !== false || options.metricsPort !== undefined;
    this.#metrics = isMeasured ? new RequestMetrics(routesOf(this.#given)) : undefined;
    this.#rateLimits = createRateLimits(options.rateLimit, { log, now: now === undefined ? Date.now : () => now().getTime() });
    this.#admission = new Admission({ requestTimeoutMs, log });
    this.#streams = createOpenStreams(options.streams);
    this.#budget = new BodyBudget(options.bodyBudgetBytes ?? DEFAULT_BODY_BUDGET_BYTES, requestTimeoutMs / 2);
    this.#spoolBudget = new BodyBudget(options.spoolBudgetBytes ?? DEFAULT_SPOOL_BUDGET_BYTES, requestTimeoutMs / 2);
    this.#exchanges = new ExchangeLifecycle({ requestTimeoutMs, admission: this.#admission, log });
    const sources = this.#metrics && this.#metricSources(this.#metrics);
    this.#scrape = sources && createScrape(sources, log, typeof metrics === 'boolean' ? {} : metrics);
  }

  parts() {
    const { log, logRequests = 'all' } = this.#options;
    const endpoints = this.#endpoints();
    const listener: Listener = (...args) => handle(...args);
    const refuse: RefuseSocket = (...args) => refuseIt(...args);
    const services = this.#services(endpoints, listener, refuse);
    const [first] = services as [Service];
    this.#warn(services);
    const refuseIt = refuseSocket({ format: first.format, rateLimit: first.rateLimit, log, logRequests, metrics: this.#metrics });
    const handle = this.#listener(services, endpoints.untraced);
    const close = () => {
      this.#closed.abort();
      this.#streams.stopAll();
      this.#rateLimits.close();
      return this.#lifecycle.close();
    };
    return {
      expressApp: this.#expressApp,
      handler: Object.assign(handle as unknown as RequestHandler, { close }),
      /** Starts the parts, now or when the server becomes ready for the first time. @param fail gets what a start has thrown. */
      startWhenReady: (fail: (error: unknown) => void) => this.#startWhenReady(fail),
      /** Ends the streams of items, whose clients are told to come back, and the background work of parts. */
      stop: () => {
        this.#streams.stopAll();
        inBackground(this.#lifecycle.stop());
      },
      scrape: this.#scrape,
      refuse: refuseIt,
      /** How many more requests the server has time for; less than one in an overload. */
      room: () => this.#admission.room,
      /** Compiles all schemas in idle time, from soon on. */
      compileSoon: () => this.#compileSoon(services),
    };
  }

  #metricSources(metrics: RequestMetrics): readonly MetricSource[] {
    return [
      metrics.read,
      () => [...admissionMetrics(this.#admission.counts), ...bodyMetrics(this.#budget.used, this.#spoolBudget.used)],
      this.#rateLimits.metrics,
      this.#streams.metrics,
      logMetrics(this.#options.log),
      ...this.#lifecycle.metrics,
    ];
  }

  #endpoints(): ServerEndpoints {
    const { readiness = ALWAYS_READY, docs = false, unmatched = 'respond', metricsPort, log } = this.#options;
    const scrape = metricsPort === undefined ? this.#scrape : undefined;
    return serverEndpoints({ services: this.#given, readiness, docs, scrape, unmatched, streams: this.#streams, log });
  }

  #services(endpoints: ServerEndpoints, listener: Listener, refuse: RefuseSocket): readonly Service[] {
    const { log, readiness = ALWAYS_READY, compression, responseValidation, cors, mcp } = this.#options;
    const { app } = this.#expressApp;
    const isMocked = this.#given.some(({ mock }) => mock !== undefined);
    const parts: Omit<ServiceParts, 'endpoints'> = {
      compression,
      // A mock is for front ends in development, which have an origin of their own.
      cors: createCors(cors ?? (isMocked ? { origins: ['*'] } : undefined)),
      responseValidation,
      log,
      now: this.#now,
      readiness,
      rateLimits: this.#rateLimits,
      metrics: this.#metrics,
      admission: this.#admission,
      exchanges: this.#exchanges,
      streams: this.#streams,
      bodies: this.#bodies(),
      // Calls of tools come in as any request does.
      tools: mcp && { serve: mcp, calls: [this.#expressApp, listener as never, refuse], origins: cors?.origins ?? [] },
      app,
      routes: this.#options.routes && runRoutes(app, this.#options.routes),
    };
    return this.#given.map((service) => createService(service, { ...parts, endpoints: endpoints.of(service) }));
  }

  #bodies(): BodyOptions {
    const [budget, spoolBudget, lifecycle] = [this.#budget, this.#spoolBudget, this.#exchanges];
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = this.#options;
    let streams: Promise<BodyStreams> | undefined;
    const load = async () => (await import('./pipeline/body/stream-body.ts')).createBodyStreams(budget, lifecycle);
    return { maxBodyBytes, lifecycle, budget, spoolBudget, streams: () => (streams ??= load()) };
  }

  #warn(services: readonly Service[]): void {
    const { log, mcp } = this.#options;
    if (mcp !== undefined && !services.some(({ hasTools }) => hasTools))
      log.warn({}, 'there are no tools, so nothing is at /mcp: add `x-mcp: true` to the operations that agents may call');
    if (services.every(({ contract }) => contract.operations.length === 0))
      log.warn({}, 'the contract has no operations, so every request is answered 404: add them to its paths');
    if (!writesAsNode())
      log.warn({ node: process.version }, 'this Node writes responses in another way than those before it: each is written in two parts');
  }

  #listener(services: readonly Service[], untraced: ReadonlySet<string>): Listener {
    const {
      log,
      logCaller = () => ({}),
      logRequests = 'all',
      unmatched = 'respond',
      rateLimit,
      background = true,
      parts = [],
    } = this.#options;
    const isFlushed = !background && parts.some(({ flush }) => flush !== undefined);
    const start = createExchanges({ log, logCaller, logRequests, metrics: this.#metrics });
    const handle = traceRequests({ untraced, trustProxy: rateLimit?.trustProxy })(this.#exchanges.run);
    const serviceOf = findService(services);
    const { app } = this.#expressApp;
    return (request, response, next) => {
      const target = splitTarget(mountedTarget(request));
      const service = serviceOf(target.path);
      const { path, search } = withoutBase(target, service.base);
      const found = service.find(request, path, search);
      if (!found.isServed && unmatched === 'next' && next !== undefined) return next();
      const base = mountPath(request) + service.base;
      adoptRequest(app, request, response);
      if (isFlushed) flushBeforeEnd(response, this.#lifecycle);
      handle(start(request, response, { service, base, path, search, found, next }), found.steps);
    };
  }

  #startWhenReady(fail: (error: unknown) => void): void {
    const { readiness = ALWAYS_READY } = this.#options;
    const start = () => void this.#lifecycle.start().catch(fail);
    if (readiness.onReady === undefined) start();
    else readiness.onReady(start);
  }

  #compileSoon(services: readonly Service[]): void {
    if (this.#options.background === false) return;
    const compile = async () => {
      await loadAhead(services);
      for (const { contract } of services) await contract.compileAhead(this.#closed.signal);
    };
    const { log } = this.#options;
    const timer = setTimeout(() => inBackground(compile(), log, 'the schemas could not be compiled ahead'), COMPILE_DELAY_MS).unref();
    // A server that is closed before, as in a short test, loads nothing any more.
    this.#closed.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
}

/** Loads the modules of what some contracts have, before a request needs them. */
async function loadAhead(services: readonly Service[]): Promise<void> {
  const operations = services.flatMap(({ contract }) => contract.operations);
  if (operations.some(hasStreamedBodies))
    await Promise.all([import('./pipeline/body/streamed-bodies.ts'), import('./pipeline/body/stream-body.ts')]);
  if (operations.some(({ hasItems }) => hasItems)) await import('./pipeline/streams/send-streamed.ts');
}

const lifecycleOf = ({ readiness, parts = [], log }: UntypedOptions): PartLifecycle =>
  new PartLifecycle(parts, log, () => readiness?.stop?.());

type Listener = (request: Request, response: Response, next?: NextHandler) => void;

const routesOf = (services: readonly UntypedService[]): Map<ContractOperation, string> =>
  new Map(
    services.flatMap(({ contract, base = '' }) => contract.operations.map((operation) => [operation, base + operation.path] as const)),
  );

// The services of a server by the paths below which they are served.

/** Segments of unreserved characters (RFC 3986, section 2.3), so that a base is compared as it is written. */
const BASE = /^(\/[\w.~-]+)*$/;

/**
 * Checks the bases of the services, and adds a service without operations for what is at the root, if there is none.
 *
 * @throws Error for a base that is not a path, and for one that two services have.
 */
function withRoot(services: readonly UntypedService[]): readonly UntypedService[] {
  const [first] = services;
  if (first === undefined) throw new Error('a server needs a contract: give createServer at least one of `services`');
  const bases = services.map(({ base = '' }) => base);
  for (const [index, base] of bases.entries()) {
    if (!BASE.test(base)) throw new Error(`the base ${JSON.stringify(base)} is not a path: write it as "/v1", without a slash at the end`);
    if (bases.indexOf(base) !== index) throw new Error(`two services have the base "${base}": give each its own`);
  }
  const distinct = services.map((service, index) => withOwnOperations(service, services.slice(0, index)));
  if (bases.includes('')) return distinct;
  const use = (first.use ?? []).filter((one) => typeof one === 'function' || one.operations === undefined);
  const root: UntypedService = { ...first, base: '', contract: { ...first.contract, operations: [] }, handlers: {}, security: {}, use };
  return [...distinct, root];
}

/** A contract may be served twice, for different callers: its operations are told apart in metrics and in the log, which keep them by identity. */
function withOwnOperations(service: UntypedService, before: readonly UntypedService[]): UntypedService {
  const { contract } = service;
  if (!before.some((other) => other.contract === contract)) return service;
  const operations = contract.operations.map((operation) => Object.create(operation) as ContractOperation);
  return { ...service, contract: { ...contract, operations } };
}

/** @returns a function that finds the service of a path: the one with the longest base. */
function findService<T extends { readonly base: string }>(services: readonly T[]): (path: string) => T {
  const byLength = [...services].sort((a, b) => b.base.length - a.base.length);
  const last = byLength.at(-1) as T;
  if (byLength.length === 1) return () => last;
  return (path) =>
    byLength.find(({ base }) => path.startsWith(base) && (path.length === base.length || path[base.length] === '/' || base === '')) ?? last;
}

/** The target below the path of the mount. Express 4 takes a slash too many for a part of that path: `/v1//notes` is no `/notes`. */
function mountedTarget({
  baseUrl = '',
  originalUrl,
  url,
}: Partial<Pick<Request, 'baseUrl' | 'originalUrl'>> & Pick<Request, 'url'>): string {
  const hasTaken = baseUrl !== '' && originalUrl?.length === baseUrl.length + 1 + url.length && originalUrl.startsWith('/', baseUrl.length);
  return hasTaken && originalUrl.endsWith(url) ? `/${url}` : url;
}

/** The path that an application has mounted the handler at: what it has taken from the URL. */
function mountPath({ baseUrl, originalUrl, url }: Partial<Pick<Request, 'baseUrl' | 'originalUrl'>> & Pick<Request, 'url'>): string {
  // Express says it.
  if (baseUrl !== undefined) return baseUrl;
  // Others keep the URL that they have cut (connect, middie).
  return originalUrl?.endsWith(url) ? originalUrl.slice(0, -url.length) : '';
}
