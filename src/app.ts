/** The request line, in order: what happens to a request from its first step to its last. Composed once, at boot. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import { operations, specDigest } from '../generated/operations.ts';
import { loadContract, requireProgram, type Contract, type ContractOperation } from './contract/load.ts';
import type { Caller, Handlers, SecurityScheme } from './contract/types.ts';
import type { Database } from './db/connect.ts';
import { findCaller as lookUp } from './db/keys.ts';
import type { WebhookRules } from './db/webhook-url.ts';
import { createHandlers } from './handlers/index.ts';
import { authenticate, bearer, type Authenticator } from './http/authenticate.ts';
import { body } from './http/body.ts';
import { context } from './http/context.ts';
import type { Log } from './http/exchange.ts';
import { handle, type AnyHandler } from './http/handle.ts';
import { lifecycle } from './http/lifecycle.ts';
import { document } from './http/document.ts';
import { match, notFound } from './http/match.ts';
import { probes, type Readiness } from './http/probes.ts';
import { problem } from './http/problem.ts';
import { ready } from './http/ready.ts';
import { respond, type ResponseValidation } from './http/respond.ts';
import { createServer } from './http/server.ts';
import { validate } from './http/validate.ts';

const SPEC = fileURLToPath(new URL('../spec/petstore.yaml', import.meta.url));

/** The contract of this service. @throws ContractError with everything that is wrong with it. */
export const loadServiceContract = (): Promise<Contract> => loadContract(SPEC, { operations, digest: specDigest });

export interface AppOptions {
  readonly contract: Contract;
  readonly db: Database;
  readonly responseValidation: ResponseValidation;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly now?: () => Date;
  readonly webhooks?: WebhookRules;
  readonly handlers?: Handlers;
  /** Whose an API key is; the database is asked for each request if it is not given. */
  readonly findCaller?: (key: string) => Promise<Caller | undefined>;
  readonly authenticators?: Readonly<Record<SecurityScheme, Authenticator>>;
}

/** @returns the server; it does not listen yet. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createApp(options: AppOptions): Server {
  const { contract, db, responseValidation, readiness, log, now = () => new Date() } = options;
  const findCaller = options.findCaller ?? ((key: string) => lookUp(db, key));
  const handlers = options.handlers ?? createHandlers(db, options.webhooks);
  const authenticators = options.authenticators ?? { bearerAuth: bearer('petstore', findCaller) };
  requireProgram(contract, Object.keys(handlers), Object.keys(authenticators));

  /** The steps of one operation: only those that it needs. */
  const line = (operation: ContractOperation): Router => {
    const handler: AnyHandler = handlers[operation.id as keyof Handlers];
    const steps = Router();
    steps.use(ready(() => readiness.reason()));
    if (operation.security.length > 0) steps.use(authenticate(operation, authenticators));
    // Plan limits stand here, between who calls and what it costs to serve them.
    if (operation.deprecation !== null || operation.stability !== null) steps.use(lifecycle(operation, operations));
    if (operation.body !== null) steps.use(body(operation));
    steps.use(validate(operation));
    steps.use(handle(operation.id, handler));
    steps.use(respond(responseValidation));
    return steps;
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(context({ log, now }));
  app.use(match(contract.operations.map((operation) => ({ operation, line: line(operation) }))));
  // What is not of the contract stands behind it, so that it never hides an operation.
  app.use(probes(readiness), document(contract), notFound);
  app.use(problem(responseValidation));
  return createServer(app);
}
