/** Creates the handler of requests: what the contracts share, and which of them a request is for. */
import type { Request, Response } from 'express';
import { DEFAULT_MAX_BODY_BYTES, type ContractTypes, inBackground } from '@specwright/contract';
import { createService, type Service, type ServiceParts } from './create-service.ts';
import { splitTarget, withoutBase } from './http/request-target.ts';
import type { Log } from './log/logger.ts';
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
import { refuseSocket } from './pipeline/client-error.ts';
import { createExchanges } from './pipeline/context/request-context.ts';
import { admissionMetrics, bodyMetrics, RequestMetrics } from './pipeline/context/request-metrics.ts';
import { traceRequests } from './pipeline/context/trace-requests.ts';
import { createCors } from './pipeline/cors/cors.ts';
import type { Readiness } from './endpoints/probes.ts';
import type { NextHandler } from './pipeline/exchange.ts';
import { ExchangeLifecycle } from './pipeline/exchange-lifecycle.ts';
import { adoptRequest, createExpressApp, type ExpressApp } from './pipeline/express-app.ts';
import { runRoutes } from './pipeline/middleware.ts';
import { createRateLimits } from './pipeline/rate-limit/rate-limit.ts';
import { createOpenStreams, type OpenStreams } from './pipeline/streams/open-streams.ts';
import { flushBeforeEnd, PartLifecycle } from './process/part-lifecycle.ts';
import { findService, mountedTarget, routesOf, withRoot } from './services.ts';
import { addTools } from './tools/add-tools.ts';
import type { ToolOptions } from './tools/serve-tools.ts';
import { writesAsNode } from './pipeline/write-text.ts';
import { logMetrics, serverEndpoints } from './endpoints/server-endpoints.ts';

const REQUEST_TIMEOUT_MS = 2500;
const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/** After what a start has to do: the first requests are answered meanwhile, and compile what they need. */
const COMPILE_DELAY_MS = 250;

type PartOptions = UntypedOptions & Pick<ListenOptions, 'metricsPort'>;

type Listener = (request: Request, response: Response, next?: NextHandler) => void;

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
export function createServerParts(options: PartOptions) {
  const { log, logRequests = 'all', mcp, cors } = options;
  if (options.routes !== undefined && options.unmatched === 'next')
    throw new Error('`routes` and `unmatched: "next"` are both for what the contract does not have: add the routes to the application');
  const given = withRoot(options.services ?? [options]);
  const expressApp = createExpressApp();
  const lifecycle = lifecycleOf(options);
  const shared = createShared(options, given);
  const scrape =
    shared.metrics && createScrapeOf(options, shared.metrics, [...sharedMetrics(shared), logMetrics(log), ...lifecycle.metrics]);
  const { of: endpointsOf, untraced } = createEndpoints(options, given, shared.streams, scrape);
  const parts: Omit<ServiceParts, 'endpoints'> = {
    ...shared,
    compression: options.compression,
    // A mock is for front ends in development, which have an origin of their own.
    cors: createCors(cors ?? (given.some(({ mock }) => mock !== undefined) ? { origins: ['*'] } : undefined)),
    responseValidation: options.responseValidation,
    log,
    readiness: options.readiness ?? ALWAYS_READY,
    routes: options.routes && runRoutes(expressApp.app, options.routes),
  };
  const services = given.map((service) => createService(service, { ...parts, endpoints: endpointsOf(service) }));
  warn(options, services);
  const [{ format, rateLimit }] = services as [Service];
  const refuse = refuseSocket({ format, rateLimit, log, logRequests, metrics: shared.metrics });
  const serve = createListener(options, { ...shared, ...expressApp, lifecycle, untraced });
  const listener = serve(services);
  const calls: ToolOptions['calls'] = [expressApp, listener as never, refuse];
  const handle = mcp === undefined ? listener : serve(addTools(services, mcp, { ...shared, log, calls, origins: cors?.origins ?? [] }));
  const closed = new AbortController();
  const close = () => {
    closed.abort();
    shared.streams.stopAll();
    shared.rateLimits.close();
    return lifecycle.close();
  };
  return {
    expressApp,
    handler: Object.assign(handle as unknown as RequestHandler, { close }),
    /** Starts the parts, now or when the server becomes ready for the first time. @param fail gets what a start has thrown. */
    startWhenReady: (fail: (error: unknown) => void) => {
      const start = () => void lifecycle.start().catch(fail);
      if (options.readiness?.onReady === undefined) start();
      else options.readiness.onReady(start);
    },
    /** Ends the streams of items, whose clients are told to come back, and the background work of parts. */
    stop: () => {
      shared.streams.stopAll();
      inBackground(lifecycle.stop());
    },
    scrape,
    refuse,
    /** How many more requests the server has time for; less than one in an overload. */
    room: () => shared.admission.room,
    /** Compiles all schemas in idle time, from soon on. */
    compileSoon: () => {
      if (options.background !== false) compileSoon(services, log, closed.signal);
    },
  };
}

/** What the services of a server share. */
function createShared(options: PartOptions, given: readonly UntypedService[]) {
  const { log, now, requestTimeoutMs = REQUEST_TIMEOUT_MS, metrics = false } = options;
  const isMeasured = metrics !== false || options.metricsPort !== undefined;
  const admission = new Admission({ requestTimeoutMs, log });
  const exchanges = new ExchangeLifecycle({ requestTimeoutMs, admission, log });
  const budget = new BodyBudget(options.bodyBudgetBytes ?? DEFAULT_BODY_BUDGET_BYTES, requestTimeoutMs / 2);
  const spoolBudget = new BodyBudget(options.spoolBudgetBytes ?? DEFAULT_SPOOL_BUDGET_BYTES, requestTimeoutMs / 2);
  return {
    now: now ?? (() => new Date()),
    metrics: isMeasured ? new RequestMetrics(routesOf(given)) : undefined,
    rateLimits: createRateLimits(options.rateLimit, { log, now: now === undefined ? Date.now : () => now().getTime() }),
    streams: createOpenStreams(options.streams),
    bodies: bodyOptions(options.maxBodyBytes, budget, spoolBudget, exchanges),
    admission,
    exchanges,
  };
}

type Shared = ReturnType<typeof createShared>;

function bodyOptions(
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  budget: BodyBudget,
  spoolBudget: BodyBudget,
  lifecycle: ExchangeLifecycle,
): BodyOptions {
  let streams: Promise<BodyStreams> | undefined;
  const load = async () => (await import('./pipeline/body/stream-body.ts')).createBodyStreams(budget, lifecycle);
  return { maxBodyBytes, lifecycle, budget, spoolBudget, streams: () => (streams ??= load()) };
}

const sharedMetrics = ({ admission, bodies, rateLimits, streams }: Shared): readonly MetricSource[] => [
  () => [...admissionMetrics(admission.counts), ...bodyMetrics(bodies.budget.used, bodies.spoolBudget.used)],
  rateLimits.metrics,
  streams.metrics,
];

const createScrapeOf = ({ log, metrics }: PartOptions, own: RequestMetrics, sources: readonly MetricSource[]): Scrape =>
  createScrape([own.read, ...sources], log, typeof metrics === 'object' ? metrics : {});

function createEndpoints(options: PartOptions, services: readonly UntypedService[], streams: OpenStreams, scrape: Scrape | undefined) {
  const { readiness = ALWAYS_READY, docs = false, unmatched = 'respond', metricsPort, log } = options;
  return serverEndpoints({ services, readiness, docs, scrape: metricsPort === undefined ? scrape : undefined, unmatched, streams, log });
}

function warn({ log }: PartOptions, services: readonly Service[]): void {
  if (services.every(({ contract }) => contract.operations.length === 0))
    log.warn({}, 'the contract has no operations, so every request is answered 404: add them to its paths');
  if (!writesAsNode())
    log.warn({ node: process.version }, 'this Node writes responses in another way than those before it: each is written in two parts');
}

interface ListenerParts extends Pick<Shared, 'exchanges' | 'metrics'>, Pick<ExpressApp, 'app'> {
  readonly lifecycle: PartLifecycle;
  /** Paths that get no span. */
  readonly untraced: ReadonlySet<string>;
}

/** @returns a function that makes what serves requests to services: it finds the service of each, and what it is for. */
function createListener(options: PartOptions, { app, exchanges, lifecycle, metrics, untraced }: ListenerParts) {
  const { log, logCaller = () => ({}), logRequests = 'all', unmatched = 'respond', rateLimit, background = true, parts = [] } = options;
  const isFlushed = !background && parts.some(({ flush }) => flush !== undefined);
  const start = createExchanges({ log, logCaller, logRequests, metrics });
  const run = traceRequests({ untraced, trustProxy: rateLimit?.trustProxy })(exchanges.run);
  return (services: readonly Service[]): Listener => {
    const serviceOf = findService(services);
    const only = services.length === 1 ? services[0] : undefined;
    return (request, response, next) => {
      // Express and this server's own requests say that nothing was taken from the URL.
      const { url, mount } = request.baseUrl === '' ? { url: request.url, mount: '' } : mountedTarget(request);
      const target = splitTarget(url);
      const service = only ?? serviceOf(target.path);
      const { path, search } = service.base === '' ? target : withoutBase(target, service.base);
      const found = service.find(request, path, search);
      if (!found.isServed && unmatched === 'next' && next !== undefined) return next();
      adoptRequest(app, request, response);
      if (isFlushed) flushBeforeEnd(response, lifecycle);
      run(start(request, response, { service, base: mount + service.base, path, search, found, next }), found.steps);
    };
  };
}

function compileSoon(services: readonly Service[], log: Log, closed: AbortSignal): void {
  const compile = async () => {
    await loadAhead(services);
    for (const { contract } of services) await contract.compileAhead(closed);
  };
  const timer = setTimeout(() => inBackground(compile(), log, 'the schemas could not be compiled ahead'), COMPILE_DELAY_MS).unref();
  // A server that is closed before, as in a short test, loads nothing any more.
  closed.addEventListener('abort', () => clearTimeout(timer), { once: true });
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
