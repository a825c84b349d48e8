/** Composes what serves the requests of a server: loaded when one is made, with what its contracts and its options need, and no more. */
import { bodyKind, type ContractOperation, inBackground, sentMethod } from '@specwright/contract';
import { isTelemetryRegistered, type MetricSource } from '@specwright/contract/runtime';
import { createService, type Service, type ServiceParts } from './create-service.ts';
import type { Readiness } from './endpoints/probes.ts';
import { serverEndpoints } from './endpoints/server-endpoints.ts';
import type { Scrape } from './ops/scrape.ts';
import type { ListenOptions, UntypedOptions, UntypedService } from './options.ts';
import { addressFinder, createListener, type Listener } from './listener.ts';
import { Admission } from './pipeline/admission/admission.ts';
import { BodyBudget, DEFAULT_BODY_BUDGET_BYTES, DEFAULT_SPOOL_BUDGET_BYTES } from './pipeline/body/body-budget.ts';
import { createBodyOptions, hasStreamedBodies } from './pipeline/body/body-options.ts';
import type { RefuseSocket } from './pipeline/client-error.ts';
import type { RequestMetrics } from './pipeline/context/request-metrics.ts';
import type { TraceRequests } from './pipeline/context/trace-requests.ts';
import type { Cors } from './pipeline/cors/cors.ts';
import { ExchangeLifecycle } from './pipeline/exchange-lifecycle.ts';
import { adoptRequest, type ExpressApp } from './pipeline/express-app.ts';
import type { HeaderModules } from './pipeline/operation-headers.ts';
import { type RateLimits, withoutLimits } from './pipeline/rate-limit/rate-limit.ts';
import type { RefuseSocketOptions } from './pipeline/refuse-socket.ts';
import type { OpenStreams } from './pipeline/streams/open-streams.ts';
import { writesAsNode } from './pipeline/send-response.ts';
import { flushBeforeEnd, type PartLifecycle } from './process/part-lifecycle.ts';
import { routesOf } from './services.ts';
import type * as AddTools from './tools/add-tools.ts';
import type { ContractTools } from './tools/tool-server.ts';

const REQUEST_TIMEOUT_MS = 2500;
const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

export type PartOptions = UntypedOptions & Pick<ListenOptions, 'metricsPort'>;

export interface PipelineParts {
  readonly services: readonly UntypedService[];
  readonly expressApp: ExpressApp;
  readonly lifecycle: PartLifecycle;
  /** Those of each service, with the option `mcp`. */
  readonly tools: readonly (ContractTools | undefined)[];
  /** Called with each request of an operation that finds all slots taken. */
  readonly onFull: () => void;
}

export interface Pipeline {
  readonly handle: Listener;
  readonly refuse: RefuseSocket;
  readonly scrape: Scrape | undefined;
  /** How many more requests the server has time for; less than one in an overload. */
  readonly room: () => number;
  /** Ends the streams of items, whose clients are told to come back. */
  readonly stop: () => void;
  readonly close: () => void;
}

export async function createPipeline(options: PartOptions, parts: PipelineParts): Promise<Pipeline> {
  const { log, logRequests = 'all' } = options;
  const { services: given, expressApp, lifecycle } = parts;
  const shared = await createShared(options, given, parts.onFull);
  const { streams, metrics, rateLimits } = shared;
  const scrape = metrics && (await createScrape(options, metrics, shared, lifecycle.metrics));
  const endpoints = await createEndpoints(options, given, streams, scrape);
  const stepOptions: Omit<ServiceParts, 'endpoints'> = {
    ...shared,
    ...(await loadSteps(options, given, expressApp.app)),
    ...(await loadStreamed(given)),
    headerModules: await loadHeaders(given),
    cors: await createCors(options, given),
    responseValidation: options.responseValidation,
    log,
    readiness: options.readiness,
  };
  const services = given.map((service) => createService(service, { ...stepOptions, endpoints: endpoints.of(service) }));
  if (!writesAsNode())
    log.warn({ node: process.version }, 'this Node writes responses in another way than those before it: each is written in two parts');
  const [{ format, rateLimit }] = services as [Service];
  const refuse = createRefuseSocket({ format, rateLimit, log, logRequests, metrics });
  const trace = await createTrace(options, endpoints.untraced);
  const serve = createListener({
    log,
    logCaller: options.logCaller ?? (() => ({})),
    logRequests,
    metrics,
    passesOn: options.unmatched === 'next',
    adopt: (request, response) => adoptRequest(expressApp.app, request, response),
    run: createRun(options, shared.exchanges, lifecycle, trace),
  });
  const listener = serve(services);
  const withTools = await addTools(services, parts, {
    ...shared,
    calls: [expressApp, listener as never, refuse],
    origins: originsOf(options),
  });
  return {
    handle: withTools === services ? listener : serve(withTools),
    refuse,
    scrape,
    room: () => shared.admission.room,
    stop: streams.stopAll,
    close() {
      streams.stopAll();
      rateLimits.close();
    },
  };
}

/** Without background work, what a request has left to be done is done before its response ends. */
function createRun(
  { background = true, parts = [] }: PartOptions,
  { run }: ExchangeLifecycle,
  lifecycle: PartLifecycle,
  trace: TraceRequests | undefined,
): ExchangeLifecycle['run'] {
  const traced = trace === undefined ? run : trace(run);
  if (background || parts.every(({ flush }) => flush === undefined)) return traced;
  return (exchange, steps) => {
    flushBeforeEnd(exchange.response, lifecycle);
    traced(exchange, steps);
  };
}

const originsOf = ({ cors }: PartOptions): readonly string[] => cors?.origins ?? [];

/** What the services of a server share. */
async function createShared(options: PartOptions, given: readonly UntypedService[], onFull: () => void) {
  const { log, now, requestTimeoutMs = REQUEST_TIMEOUT_MS, metrics = false } = options;
  const isMeasured = metrics !== false || options.metricsPort !== undefined;
  const admission = new Admission({ requestTimeoutMs, log, onFull });
  const exchanges = new ExchangeLifecycle({ requestTimeoutMs, admission, log });
  const budget = new BodyBudget(options.bodyBudgetBytes ?? DEFAULT_BODY_BUDGET_BYTES, requestTimeoutMs / 2);
  const spoolBudget = new BodyBudget(options.spoolBudgetBytes ?? DEFAULT_SPOOL_BUDGET_BYTES, requestTimeoutMs / 2);
  return {
    now: now ?? (() => new Date()),
    metrics: isMeasured ? new (await import('./pipeline/context/request-metrics.ts')).RequestMetrics(routesOf(given)) : undefined,
    rateLimits: await createRateLimits(options, given),
    streams: await createStreams(options, given),
    bodies: createBodyOptions(options.maxBodyBytes, budget, spoolBudget, exchanges),
    admission,
    exchanges,
  };
}

type Shared = Awaited<ReturnType<typeof createShared>>;

async function createRateLimits({ rateLimit, log, now }: PartOptions, given: readonly UntypedService[]): Promise<RateLimits> {
  const { trustProxy } = rateLimit ?? {};
  const addressOf = addressFinder(trustProxy);
  const hasPlans = rateLimit?.plans !== undefined || given.some(({ contract }) => contract.rateLimitPlans !== undefined);
  if (rateLimit === undefined || !hasPlans) return withoutLimits(addressOf);
  const { createRateLimits: create } = await import('./pipeline/rate-limit/plan-limits.ts');
  return create(rateLimit, addressOf, { log, now: now === undefined ? Date.now : () => now().getTime() });
}

const operationsOf = (services: readonly UntypedService[]): readonly ContractOperation[] =>
  services.flatMap(({ contract }) => contract.operations);

/** Whether a handler may answer with bytes as they come, or with items: not where the contract declares JSON alone. */
const hasStreamedReplies = ({ hasItems, responses }: ContractOperation): boolean =>
  hasItems || Object.values(responses).some(({ types }) => types.some((type) => bodyKind(type) !== 'json'));

const NO_STREAMS: OpenStreams = {
  reserveStream: () => undefined,
  assertOpen: () => undefined,
  onStop: () => () => undefined,
  stopAll: () => undefined,
  metrics: () => [],
};

/** The pages of the documentation end with the server as streams of items do, and metrics say that there are none. */
async function createStreams({ streams, docs = false, metrics = false, metricsPort }: PartOptions, given: readonly UntypedService[]) {
  const isAsked = docs !== false || metrics !== false || metricsPort !== undefined;
  if (!isAsked && !operationsOf(given).some(({ hasItems }) => hasItems)) return NO_STREAMS;
  return (await import('./pipeline/streams/open-streams.ts')).createOpenStreams(streams);
}

async function loadHeaders(given: readonly UntypedService[]): Promise<HeaderModules> {
  const operations = operationsOf(given);
  const [acceptQuery, lifecycle] = await Promise.all([
    operations.some(({ method }) => sentMethod(method) === 'QUERY') ? import('./pipeline/accept-query.ts') : undefined,
    operations.some(({ stability, deprecation }) => (stability ?? deprecation) !== null)
      ? import('./pipeline/operation-lifecycle.ts')
      : undefined,
  ]);
  return { acceptQuery, lifecycle };
}

/** What bodies that come in parts need, of requests and of responses. */
async function loadStreamed(given: readonly UntypedService[]): Promise<Pick<ServiceParts, 'ReplySource' | 'CallerWatches'>> {
  const operations = operationsOf(given);
  const hasReplies = operations.some(hasStreamedReplies);
  const [replies, watches] = await Promise.all([
    hasReplies ? import('./pipeline/streams/reply-source.ts') : undefined,
    hasReplies || operations.some(hasStreamedBodies) ? import('./pipeline/authentication/caller-watch.ts') : undefined,
  ]);
  return { ReplySource: replies?.ReplySource, CallerWatches: watches?.CallerWatches };
}

/** Steps that few services have. */
async function loadSteps(
  { routes, compression }: PartOptions,
  given: readonly UntypedService[],
  app: ExpressApp['app'],
): Promise<Pick<ServiceParts, 'compression' | 'idempotency' | 'mockMissing' | 'routes' | 'middlewareStep'>> {
  const isUsed = (option: 'idempotency' | 'mock') => given.some((service) => service[option] !== undefined);
  const hasMiddleware = given.some(({ use = [] }) => use.length > 0);
  const [codings, idempotency, mock, middleware] = await Promise.all([
    compression === true ? import('./pipeline/compression.ts') : undefined,
    isUsed('idempotency') ? import('./pipeline/idempotency.ts') : undefined,
    isUsed('mock') ? import('./pipeline/mock-missing.ts') : undefined,
    hasMiddleware || routes !== undefined ? import('./pipeline/middleware.ts') : undefined,
  ]);
  return {
    compression: codings,
    idempotency: idempotency?.idempotency,
    mockMissing: mock?.mockMissing,
    middlewareStep: middleware?.middlewareStep,
    routes: routes && middleware?.runRoutes(app),
  };
}

async function createCors({ cors }: PartOptions, given: readonly UntypedService[]): Promise<Cors | undefined> {
  // A mock is for front ends in development, which have another origin.
  const options = cors ?? (given.some(({ mock }) => mock !== undefined) ? { origins: ['*'] } : undefined);
  if (options === undefined || options.origins.length === 0) return undefined;
  return (await import('./pipeline/cors/cors.ts')).createCors(options);
}

function createRefuseSocket(options: RefuseSocketOptions): RefuseSocket {
  let loading: Promise<RefuseSocket> | undefined;
  const load = async () => (await import('./pipeline/refuse-socket.ts')).refuseSocket(options);
  return (error, socket) =>
    inBackground(
      (loading ??= load()).then((refuse) => refuse(error, socket)),
      options.log,
    );
}

/** Without an SDK of OpenTelemetry nothing of it is loaded. */
async function createTrace({ rateLimit }: PartOptions, untraced: ReadonlySet<string>): Promise<TraceRequests | undefined> {
  if (!isTelemetryRegistered()) return undefined;
  return (await import('./pipeline/context/trace-requests.ts')).traceRequests({ untraced, trustProxy: rateLimit?.trustProxy });
}

async function addTools(services: readonly Service[], { tools }: PipelineParts, options: Parameters<typeof AddTools.addTools>[2]) {
  if (tools.every((some) => some === undefined || some.operations.size === 0)) return services;
  return (await import('./tools/add-tools.ts')).addTools(services, tools, options);
}

function createEndpoints(options: PartOptions, services: readonly UntypedService[], streams: OpenStreams, scrape: Scrape | undefined) {
  const { readiness = ALWAYS_READY, docs = false, unmatched = 'respond', metricsPort, log } = options;
  return serverEndpoints({ services, readiness, docs, scrape: metricsPort === undefined ? scrape : undefined, unmatched, streams, log });
}

async function createScrape(options: PartOptions, own: RequestMetrics, shared: Shared, more: readonly MetricSource[]): Promise<Scrape> {
  const { log, metrics } = options;
  const { admission, bodies, rateLimits, streams } = shared;
  const [{ createScrape: create }, { admissionMetrics, bodyMetrics, logMetrics }] = await Promise.all([
    import('./ops/scrape.ts'),
    import('./pipeline/context/request-metrics.ts'),
  ]);
  const ofServer = () => [
    ...admissionMetrics(admission.counts),
    ...bodyMetrics(bodies.budget.used, bodies.spoolBudget.used),
    ...logMetrics(log),
  ];
  return create([own.read, ofServer, rateLimits.metrics, streams.metrics, ...more], log, typeof metrics === 'object' ? metrics : {});
}
