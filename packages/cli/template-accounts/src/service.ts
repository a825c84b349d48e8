/** The service, composed: what it serves, with whose security, errors and limits. */
import { ACCOUNT_ERRORS, accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore } from '@specwright/accounts';
import type { OpenDatabase } from '@specwright/postgres';
import { createServer, loadContract, type Contract, type Log, type PlanTable, type Readiness } from '@specwright/server';
import { contract as generated, type ContractTypes } from '../generated/contract.ts';
import { NAME, type Config } from './config.ts';
import { ERRORS } from './errors.ts';
import { createHandlers } from './handlers/index.ts';
import { DEFAULT_PLANS } from './plans.ts';
import { createSecurity, logCaller } from './security.ts';

/** @throws ContractError with everything that is wrong with it. */
export const loadServiceContract = (): Promise<Contract<ContractTypes>> =>
  loadContract(new URL('../spec/openapi.yaml', import.meta.url), generated);

export interface ServiceOptions {
  readonly config: Config;
  readonly contract: Contract<ContractTypes>;
  readonly database: Pick<OpenDatabase, 'db' | 'url'>;
  readonly readiness?: Readiness;
  readonly log: Log;
  /** Other limits than those of the contract. */
  readonly plans?: PlanTable;
}

/** The server, which does not listen yet. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createService({ config, contract, database: { db, url }, plans: given, log, ...options }: ServiceOptions) {
  const plans = given ?? contract.rateLimitPlans ?? DEFAULT_PLANS;
  assertPlans(plans);
  const callers = openCallerCache(db, { log });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout });
  // For operations that declare the header `Idempotency-Key`.
  const idempotency = openIdempotencyStore(db, createHandlers, { log });
  // Opens a connection before the first request needs it. If there is no database, readiness says so.
  void store.bans().catch(() => undefined);
  const server = createServer({
    ...options,
    log,
    contract,
    handlers: createHandlers(db),
    security: createSecurity((key) => callers.find(key)),
    idempotency,
    realm: NAME,
    errors: { statuses: { ...ACCOUNT_ERRORS, ...ERRORS } },
    // Counted in the database, so exactly, however many instances there are.
    rateLimit: {
      store,
      plans,
      subject: accountSubject,
      trustProxy: config.trustProxy,
      instances: config.instances,
      timeoutMs: config.rateLimitTimeout,
    },
    responseValidation: config.responseValidation,
    requestTimeoutMs: config.requestTimeout,
    metrics: config.metrics,
    logCaller,
  });
  return {
    server,
    /** Releases what the service has opened. Call it once the server is closed. */
    async close(): Promise<void> {
      idempotency.close();
      await Promise.all([callers.close(), store.close()]);
    },
  };
}
