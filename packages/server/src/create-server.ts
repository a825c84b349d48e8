/** The request line, in order: what happens to a request from its first step to its last. Composed once, at boot. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import { operations, specDigest } from '../../../generated/operations.ts';
import { loadContract, assertProgram, type Contract, type ContractOperation } from './contract/load-contract.ts';
import type { Handlers, SecurityScheme } from './contract/handler-types.ts';
import { authenticate, unverified, type Authenticator } from './pipeline/authenticate.ts';
import { body } from './pipeline/parse-body.ts';
import { context } from './pipeline/request-context.ts';
import type { Log } from './pipeline/exchange.ts';
import { handle, type AnyHandler } from './pipeline/call-handler.ts';
import { lifecycle } from './pipeline/lifecycle.ts';
import { createLimits, NO_LIMITS, type LimitsOptions } from './pipeline/rate-limit.ts';
import { document } from './pipeline/contract-document.ts';
import { match, notFound } from './pipeline/match.ts';
import { metrics, type Metric } from './pipeline/metrics.ts';
import { probes, type Readiness } from './pipeline/probes.ts';
import { problem } from './pipeline/error-response.ts';
import { ready } from './pipeline/require-ready.ts';
import { respond, type ResponseValidation } from './pipeline/send-response.ts';
import { createServer } from './pipeline/http-server.ts';
import { validate } from './pipeline/validate-request.ts';
import { createLimiter, type Limiter, type LimiterOptions } from './limits/limiter.ts';
import { NAME, SPEC_FILE } from '../../../src/about.ts';

const SPEC = fileURLToPath(new URL(`../../../${SPEC_FILE}`, import.meta.url));

/** The contract of this service. @throws ContractError with everything that is wrong with it. */
export const loadServiceContract = (): Promise<Contract> => loadContract(SPEC, { operations, digest: specDigest });

export interface AppOptions {
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly authenticators: Readonly<Record<SecurityScheme, Authenticator>>;
  readonly responseValidation: ResponseValidation;
  readonly readiness: Readiness;
  readonly log: Log;
  /** None for a contract without `x-rate-limit-plans`. */
  readonly limits?: Omit<LimitsOptions, 'limiter'> & Pick<LimiterOptions, 'shared' | 'instances' | 'patience'>;
  /** Whether `GET /metrics` is served. */
  readonly metrics?: boolean;
  readonly now?: () => Date;
}

/** @returns the server; it does not listen yet. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createApp(options: AppOptions): Server {
  const { contract, handlers, authenticators, responseValidation, readiness, log, now = () => new Date() } = options;
  assertProgram(contract, Object.keys(handlers), Object.keys(authenticators));
  for (const [scheme, authenticator] of Object.entries<Authenticator>(authenticators)) {
    if (authenticator === unverified)
      log.warn({ scheme }, `the security scheme ${scheme} is not written yet, so what needs it answers 501: src/security.ts`);
  }
  const limiter = options.limits && createLimiter({ log, now: () => now().getTime(), ...options.limits });
  const limits = options.limits && limiter ? createLimits({ limiter, ...options.limits }) : NO_LIMITS;

  /** The steps of one operation: only those that it needs. */
  const line = (operation: ContractOperation): Router => {
    const handler: AnyHandler = handlers[operation.id as keyof Handlers];
    const steps = Router();
    steps.use(ready(() => readiness.reason()));
    if (operation.requirements.length > 0) steps.use(authenticate(operation.requirements, { authenticators, realm: NAME }));
    steps.use(limits.limit(operation));
    if (operation.deprecation !== null || operation.stability !== null) steps.use(lifecycle(operation, operations));
    if (operation.body !== null) steps.use(body(operation));
    steps.use(validate(operation));
    steps.use(handle(operation.id, handler));
    steps.use(respond(responseValidation));
    return steps;
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(context({ log, now, headers: limits.known }));
  app.use(
    match(
      contract.operations.map((operation) => ({ operation, line: line(operation) })),
      limits.count,
    ),
  );
  // What is not of the contract stands behind it, so that it never hides an operation.
  // Probes are not counted: whoever supervises the server has to be answered.
  app.use(probes(readiness));
  if (options.metrics) app.use(metrics(() => (limiter ? limitMetrics(limiter.counts) : [])));
  app.use(limits.others, document(contract), notFound);
  app.use(problem(responseValidation, limits.count));
  const server = createServer(app, limits.unread);
  server.once('close', () => limiter?.close());
  return server;
}

/** Decisions that the shared store has made are exact; those made alone are each instance's share. */
function limitMetrics({ shared, local, outages, refused, banned }: Limiter['counts']): Metric[] {
  return [
    { name: 'rate_limit_decisions_total', help: 'Decisions about requests, by who made them.', label: 'store', values: { shared, local } },
    { name: 'rate_limit_refusals_total', help: 'Requests that were refused.', label: 'reason', values: { limit: refused, ban: banned } },
    { name: 'rate_limit_outages_total', help: 'Times that the shared store did not answer.', label: 'store', values: { shared: outages } },
  ];
}
