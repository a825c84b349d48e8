/** The pet store, composed: what it serves, with whose security, errors and limits, and its parts. */
import type { Server } from 'node:http';
import { accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore, openSignUps } from '@specwright/accounts';
import { createSender } from '@specwright/accounts/webhooks';
import type { OpenDatabase } from '@specwright/postgres';
import { openEventFeed } from '@specwright/postgres/events';
import { createServer, loadContract, rateLimitOptions, serverOptions } from '@specwright/server';
import type { Contract, Readiness, ServerOptions } from '@specwright/server';
import { contract as generated, rateLimitPlans } from '../generated/contract.ts';
import { outgoing } from '../generated/outgoing.ts';
import { NAME, type Config } from './config.ts';
import { createCleanup } from './db/cleanup.ts';
import { ERRORS } from './errors.ts';
import { createHandlers } from './handlers/index.ts';
import { createSecurity, logCaller, type Caller } from './security.ts';
import { checkSignUps, type PetStoreTypes, type SignUpOperation } from './sign-ups.ts';
import { messageParts } from './worker.ts';

/** @param omit of `omittedOperations`; without it both ways of signing up are served. @throws ContractError with everything that is wrong with it. */
export const loadPetStore = (omit: readonly SignUpOperation[] = []): Promise<Contract<PetStoreTypes>> =>
  loadContract(new URL('../spec/petstore.yaml', import.meta.url), generated, { omit });

export interface ServiceOptions extends Pick<ServerOptions<PetStoreTypes, Caller>, 'contract' | 'log' | 'mcp' | 'mock'> {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly readiness: Readiness;
  /** Whether this process does what one of several does for all; `true` if it is not given. */
  readonly isFirstWorker?: boolean;
}

/** The server, which does not listen yet. It closes the database. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createService({ config, contract, database, isFirstWorker = true, ...given }: ServiceOptions): Server {
  assertPlans(rateLimitPlans);
  const { log } = given;
  const { db, url } = database;
  const options = serverOptions(config);
  const { background } = options;
  const events = openEventFeed(db, { log, background, retentionHours: config.stockEventRetentionHours });
  const callers = openCallerCache(db, { log, background, keyRetentionDays: config.keyRetentionDays });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout, background });
  const idempotency = openIdempotencyStore(db, { log, background });
  const cleanup = background ? createCleanup(db, log) : {};
  const messages = messageParts(db, log, config, config.worker && isFirstWorker);
  const sender = createSender(contract, outgoing);
  return createServer({
    ...options,
    ...given,
    contract,
    handlers: createHandlers({ sender, allowPrivate: config.webhookAllowPrivate, signUps: openSignUps(config) }),
    db,
    security: createSecurity(callers.find),
    idempotency,
    realm: NAME,
    errors: { statuses: ERRORS },
    rateLimit: { ...rateLimitOptions(config), store, subject: accountSubject },
    parts: [database, callers, store, events, idempotency, cleanup, checkSignUps(db, log, config), ...messages],
    logCaller,
  });
}
