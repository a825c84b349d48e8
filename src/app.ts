/** The request line, in order: what happens to a request from its first step to its last. Composed once, at boot. */
import express, { Router, type Express } from 'express';
import { operations } from '../generated/operations.ts';
import { requireProgram, type Contract, type ContractOperation } from './contract/load.ts';
import type { Handlers, SecurityScheme } from './contract/types.ts';
import { authenticate, type Authenticator } from './http/authenticate.ts';
import { body } from './http/body.ts';
import { context } from './http/context.ts';
import type { Log } from './http/exchange.ts';
import { handle, type AnyHandler } from './http/handle.ts';
import { lifecycle } from './http/lifecycle.ts';
import { match } from './http/match.ts';
import { probes, type Readiness } from './http/probes.ts';
import { problem } from './http/problem.ts';
import { ready } from './http/ready.ts';
import { respond, type ResponseValidation } from './http/respond.ts';
import { validate } from './http/validate.ts';

export interface AppOptions {
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly authenticators: Readonly<Record<SecurityScheme, Authenticator>>;
  readonly responseValidation: ResponseValidation;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly now?: () => Date;
}

/** @throws ContractError if the handlers and authenticators are not those of the contract. */
export function createApp(options: AppOptions): Express {
  const { contract, responseValidation, log, now = () => new Date() } = options;
  requireProgram(contract, Object.keys(options.handlers), Object.keys(options.authenticators));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(context({ log, now }));
  app.use(probes(options.readiness));
  app.use(match(contract.operations.map((operation) => ({ operation, line: line(operation, options) }))));
  app.use(problem(responseValidation));
  return app;
}

/** The steps of one operation: only those that it needs. */
function line(operation: ContractOperation, { handlers, authenticators, responseValidation, readiness }: AppOptions): Router {
  const handler: AnyHandler = handlers[operation.id as keyof Handlers];
  const steps = Router();
  steps.use(ready(readiness.reason));
  if (operation.security.length > 0) steps.use(authenticate(operation, authenticators));
  // Plan limits stand here, between who calls and what it costs to serve them.
  if (operation.deprecation !== null || operation.stability !== null) steps.use(lifecycle(operation, operations));
  if (operation.body !== null) steps.use(body(operation));
  steps.use(validate(operation));
  steps.use(handle(operation.id, handler));
  steps.use(respond(responseValidation));
  return steps;
}
