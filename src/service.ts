/** The pet store, composed: what it serves, with whose security, errors and limits, and its parts. */
import type { Server } from 'node:http';
import { accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore, openSignUps } from '@specwright/accounts';
import { createSender, getWebhook, queueMetrics } from '@specwright/accounts/webhooks';
import type { OpenDatabase } from '@specwright/postgres';
import { openEventFeed } from '@specwright/postgres/events';
import { createServer, loadContract, rateLimitOptions, serverOptions, workTimeout } from '@specwright/server';
import type { Contract, Log, Mock, Readiness, ToolServer } from '@specwright/server';
import { contract as generated, rateLimitPlans, type ContractTypes } from '../generated/contract.ts';
import { outgoing } from '../generated/outgoing.ts';
import { NAME, type Config } from './config.ts';
import { createCleanup } from './db/cleanup.ts';
import { ERRORS } from './errors.ts';
import { createHandlers } from './handlers/index.ts';
import { createSecurity, logCaller } from './security.ts';
import { createMessageWorker } from './worker.ts';

/** @throws ContractError with everything that is wrong with it. */
export const loadPetStore = (): Promise<Contract<ContractTypes>> =>
  loadContract(new URL('../spec/petstore.yaml', import.meta.url), generated);

export interface ServiceOptions {
  readonly config: Config;
  readonly contract: Contract<ContractTypes>;
  readonly database: OpenDatabase;
  readonly readiness: Readiness;
  readonly log: Log;
  /** Whether this process does what one of several does for all; `true` if it is not given. */
  readonly isFirstWorker?: boolean;
  /** Answers for handlers that are not written yet. */
  readonly mock?: Mock | undefined;
  /** Serves tools for agents. */
  readonly mcp?: ToolServer | undefined;
}

/** The server, which does not listen yet. It closes the database. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createService({ config, contract, database, readiness, log, isFirstWorker = true, mock, mcp }: ServiceOptions): Server {
  assertPlans(rateLimitPlans);
  const { db, url } = database;
  const serverOption = serverOptions(config, { docsOmit: config.signUpAccount ? ['createAccount'] : ['requestSignUp', 'confirmSignUp'] });
  const { background } = serverOption;
  const { webhookTimeout: timeout, messageRetentionDays: retentionDays, webhookAllowPrivate: allowPrivate, signUpAccount } = config;
  const events = openEventFeed(db, { log, background, retentionHours: config.stockEventRetentionHours });
  const callers = openCallerCache(db, { log, background, keyRetentionDays: config.keyRetentionDays });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout, background });
  const idempotency = openIdempotencyStore(db, { log, background });
  const worker = createMessageWorker({ db, log, timeout, stopTimeout: workTimeout(config.shutdownTimeout), retentionDays, allowPrivate });
  const warnOfSignUps = (err: unknown) => log.warn({ err }, 'mails of sign-ups are not sent: SIGN_UP_ACCOUNT needs a webhook');
  return createServer({
    ...serverOption,
    contract,
    handlers: createHandlers({ sender: createSender(contract, outgoing), allowPrivate, signUps: openSignUps(config) }),
    db,
    security: createSecurity(callers.find),
    idempotency,
    mock,
    mcp,
    realm: NAME,
    errors: { statuses: ERRORS },
    rateLimit: { ...rateLimitOptions(config), store, subject: accountSubject },
    parts: [
      database,
      callers,
      store,
      events,
      idempotency,
      ...(background ? [createCleanup(db, log)] : []),
      ...(signUpAccount === undefined ? [] : [{ start: () => getWebhook(db, signUpAccount).catch(warnOfSignUps) }]),
      { metrics: () => queueMetrics(db) },
      config.worker && isFirstWorker ? worker : { metrics: worker.metrics },
    ],
    readiness,
    log,
    logCaller,
  });
}
