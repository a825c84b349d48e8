/** Creates the handler of requests: what the contracts share, and which of them a request is for. */
import type { Request, Response } from 'express';
import { DEFAULT_MAX_BODY_BYTES, type ContractOperation, type ContractTypes, inBackground } from '@specwright/contract';
import { createService, type Service } from './create-service.ts';
import { splitTarget, withoutBase } from './http/request-target.ts';
import { createScrape, type Scrape } from './ops/scrape.ts';
import type {
  ListenOptions,
  MountOptions,
  RequestHandler,
  ServerOptions,
  ServicesOptions,
  UntypedOptions,
  UntypedService,
} from './options.ts';
import { createAdmission } from './pipeline/admission/admission.ts';
import { BodyBudget, DEFAULT_BODY_BUDGET_BYTES } from './pipeline/body/body-budget.ts';
import { DEFAULT_SPOOL_BUDGET_BYTES } from './pipeline/body/multipart/temporary-file.ts';
import type { WhileReading } from './pipeline/body/read-body.ts';
import { createBodyStreams, type WhileWaiting } from './pipeline/body/stream-body.ts';
import { refuseSocket, type RefuseSocket } from './pipeline/client-error.ts';
import { createExchanges } from './pipeline/context/request-context.ts';
import { admissionMetrics, bodyMetrics, createRequestMetrics } from './pipeline/context/request-metrics.ts';
import { traceRequests } from './pipeline/context/trace-requests.ts';
import { createCors } from './pipeline/cors/cors.ts';
import type { Readiness } from './pipeline/endpoints/probes.ts';
import type { NextHandler } from './pipeline/exchange.ts';
import { adoptRequest, createExpressApp, type ExpressApp } from './pipeline/express-app.ts';
import { runRoutes } from './pipeline/middleware.ts';
import { createRateLimits } from './pipeline/rate-limit/rate-limit.ts';
import { createRequestDeadline } from './pipeline/request-deadline.ts';
import { serve } from './pipeline/serve.ts';
import { createOpenStreams } from './pipeline/streams/open-streams.ts';
import { createOperationCalls } from './pipeline/tools/operation-calls.ts';
import { writesAsNode } from './pipeline/write-text.ts';
import { logMetrics, serverEndpoints } from './server-endpoints.ts';
import { findService, mountedTarget, mountPath, withRoot } from './services.ts';

const REQUEST_TIMEOUT_MS = 2500;
const ALWAYS_READY: Readiness = { reason: () => undefined, check: async () => undefined };

/** After what a start has to do: the first requests are answered meanwhile, and compile what they need. */
const COMPILE_DELAY_MS = 250;

/** What a server needs beside the handler. */
export interface ServerParts {
  readonly expressApp: ExpressApp;
  readonly handler: RequestHandler;
  readonly refuse: RefuseSocket;
  /** Ends the streams of items, whose clients are told to come back. */
  readonly stopStreams: () => void;
  /** If metrics are enabled. */
  readonly scrape: Scrape | undefined;
  /** Compiles all schemas in idle time, from soon on. */
  readonly compileSoon: () => void;
}

/**
 * Creates a handler that serves contracts in another application: `app.use('/v1', handler)` of Express, or any server of `node:http`.
 *
 * The path that Express mounts it at is part of `Location`, `Link`, the documentation and the published contract.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createRequestHandler<T extends ContractTypes, Caller, const Types extends readonly ContractTypes[] = []>(
  options: (ServerOptions<T, Caller> | ServicesOptions<Types, Caller>) & MountOptions,
): RequestHandler {
  const { handler, compileSoon } = createServerParts(options as UntypedOptions);
  compileSoon();
  return handler;
}

/** @throws ContractError as `createRequestHandler` does. */
export function createServerParts(options: UntypedOptions & Pick<ListenOptions, 'metricsPort'>): ServerParts {
  const { log, now = () => new Date(), unmatched = 'respond', requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const given = withRoot(options.services ?? [options]);
  if (options.routes !== undefined && unmatched === 'next')
    throw new Error('`routes` and `unmatched: "next"` are both for what the contract does not have: add the routes to the application');
  const expressApp = createExpressApp();
  const { app } = expressApp;
  const rateLimits = createRateLimits(options.rateLimit, { log, now: options.now === undefined ? Date.now : () => now().getTime() });
  const { metrics = false, metricsPort } = options;
  const requestMetrics = metrics !== false || metricsPort !== undefined ? createRequestMetrics(routesOf(given)) : undefined;
  const admission = createAdmission({
    requestTimeoutMs,
    rateLimit: { addressOf: rateLimits.addressOf, bucketOf: (exchange) => exchange.service.bucketOf(exchange) },
    log,
  });
  const deadline = createRequestDeadline(requestTimeoutMs, (exchange, error) => {
    admission.expire(exchange);
    exchange.upload?.detach();
    inBackground(exchange.service.endWithError(exchange, error), log, 'a request could not be ended at its deadline');
  });
  const streams = createOpenStreams(options.streams);
  const whileReading: WhileReading = {
    begin: (exchange) => {
      deadline.whileReading.begin(exchange);
      admission.whileReading.begin(exchange);
    },
    end: (exchange) => {
      deadline.whileReading.end(exchange);
      return admission.whileReading.end(exchange);
    },
  };
  const whileWaiting: WhileWaiting = {
    begin: whileReading.begin,
    end: (exchange) => {
      deadline.whileReading.end(exchange);
      admission.resume(exchange);
    },
  };
  const { readiness = ALWAYS_READY, compression, responseValidation, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const budget = new BodyBudget(options.bodyBudgetBytes ?? DEFAULT_BODY_BUDGET_BYTES, requestTimeoutMs / 2);
  const spoolBudget = new BodyBudget(options.spoolBudgetBytes ?? DEFAULT_SPOOL_BUDGET_BYTES, requestTimeoutMs / 2);
  const bodies = {
    maxBodyBytes,
    whileReading,
    budget,
    spoolBudget,
    streams: createBodyStreams(budget, whileWaiting),
    onItem: deadline.restart,
  };
  const sources = requestMetrics && [
    requestMetrics.read,
    () => [...admissionMetrics(admission.counts), ...bodyMetrics(budget.used, spoolBudget.used)],
    rateLimits.metrics,
    streams.metrics,
    logMetrics(log),
    ...(options.metricSources ?? []),
  ];
  const scrape = sources && createScrape(sources, log, typeof metrics === 'boolean' ? {} : metrics);
  const endpoints = serverEndpoints({
    services: given,
    readiness,
    docs: options.docs ?? false,
    scrape: metricsPort === undefined ? scrape : undefined,
    unmatched,
    streams,
    log,
  });
  const parts = {
    compression,
    // A mock is for front ends in development, which have an origin of their own.
    cors: createCors(options.cors ?? (given.some(({ mock }) => mock !== undefined) ? { origins: ['*'] } : undefined)),
    responseValidation,
    log,
    readiness,
    rateLimits,
    metrics: requestMetrics,
    admission,
    deadline,
    streams,
    bodies,
    tools: options.mcp && {
      serve: options.mcp,
      // They come in as any request does.
      call: createOperationCalls(
        expressApp,
        (...args) => listener(...(args as [Request, Response])),
        (...args) => refuse(...args),
      ),
      origins: options.cors?.origins ?? [],
    },
  };
  const routes = options.routes && runRoutes(app, options.routes);
  const services = given.map((service) => createService(service, { ...parts, app, routes, endpoints: endpoints.of(service) }));
  const [first] = services as [Service];
  if (options.mcp !== undefined && !services.some(({ hasTools }) => hasTools))
    log.warn({}, 'there are no tools, so nothing is at /mcp: add `x-mcp: true` to the operations that agents may call');
  if (services.every(({ contract }) => contract.operations.length === 0))
    log.warn({}, 'the contract has no operations, so every request is answered 404: add them to its paths');

  if (!writesAsNode())
    log.warn({ node: process.version }, 'this Node writes responses in another way than those before it: each is written in two parts');

  const start = createExchanges({
    log,
    now,
    logCaller: options.logCaller ?? (() => ({})),
    logRequests: options.logRequests ?? 'all',
    metrics: requestMetrics,
  });
  const run = serve({ deadline, admission, budget, log });
  const trace = traceRequests({ untraced: endpoints.untraced, trustProxy: options.rateLimit?.trustProxy });
  const handle = trace(run);
  const serviceOf = findService(services);
  const listener = (request: Request, response: Response, next?: NextHandler): void => {
    const target = splitTarget(mountedTarget(request));
    const service = serviceOf(target.path);
    const { path, search } = withoutBase(target, service.base);
    const found = service.find(request, path, search);
    if (!found.isServed && unmatched === 'next' && next !== undefined) return next();
    const base = mountPath(request) + service.base;
    adoptRequest(app, request, response);
    handle(start(request, response, { service, base, path, search, found, next }), found.steps);
  };

  const refuse = refuseSocket({
    format: first.format,
    rateLimit: first.rateLimit,
    log,
    logRequests: options.logRequests ?? 'all',
    metrics: requestMetrics,
  });
  const closed = new AbortController();
  const close = () => {
    closed.abort();
    streams.stopAll();
    rateLimits.close();
  };
  return {
    expressApp,
    handler: Object.assign(listener as unknown as RequestHandler, { close }),
    stopStreams: streams.stopAll,
    scrape,
    refuse,
    compileSoon() {
      const compile = async () => {
        for (const { contract } of services) await contract.compileAhead(closed.signal);
      };
      setTimeout(() => inBackground(compile(), log, 'the schemas could not be compiled ahead'), COMPILE_DELAY_MS).unref();
    },
  };
}

/** The path of each operation, as it is in requests. */
const routesOf = (services: readonly UntypedService[]): Map<ContractOperation, string> =>
  new Map(
    services.flatMap(({ contract, base = '' }) => contract.operations.map((operation) => [operation, base + operation.path] as const)),
  );
