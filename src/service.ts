/** The pet store, composed: what it serves, with whose security, errors and limits, and what it does beside requests. */
import { join, relative } from 'node:path';
import { accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore, openSignUps } from '@specwright/accounts';
import { databaseMetrics, notificationMetrics, type OpenDatabase } from '@specwright/postgres';
import { createServer, loadContract, serverOptions, workTimeout } from '@specwright/server';
import type { Contract, Greeting, Log, Mock, Readiness, ToolServer } from '@specwright/server';
import { createSender, getWebhook, queueMetrics } from '@specwright/accounts/webhooks';
import { contract as generated, rateLimitPlans, type ContractTypes } from '../generated/contract.ts';
import { outgoing } from '../generated/outgoing.ts';
import { NAME, type Config } from './config.ts';
import { startCleanup } from './db/cleanup.ts';
import { ensureDemoAccount } from './db/seeds/demo-account.ts';
import { openStockFeed } from './db/stock-feed.ts';
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
  /** Answers for handlers that are not written yet. */
  readonly mock?: Mock | undefined;
  /** Serves tools for agents. */
  readonly mcp?: ToolServer | undefined;
}

export type Service = ReturnType<typeof createService>;

export function createService({ config, contract, database: { db, url, embedded }, readiness, log, mock, mcp }: ServiceOptions) {
  assertPlans(rateLimitPlans);
  const allowPrivate = config.webhookAllowPrivate;
  const sender = createSender(contract, outgoing);
  // A function is frozen after a response: what is left to be done is done before.
  const background = config.profile === 'server';
  const feed = openStockFeed(db, { log, background });
  const callers = openCallerCache(db, { log, background, keyRetentionDays: config.keyRetentionDays });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout, background });
  const endCleanup = background ? startCleanup(db, log, config.stockEventRetentionHours) : undefined;
  const idempotency = openIdempotencyStore(db, { log, background });
  const { webhookTimeout: timeout, messageRetentionDays: retentionDays } = config;
  const stopTimeout = workTimeout(config.shutdownTimeout);
  const worker = createMessageWorker({ db, log, timeout, stopTimeout, retentionDays, allowPrivate });
  const keyFile = join(config.dataDir, 'demo-key');

  const server = createServer({
    ...serverOptions(config, { docsOmit: config.signUpAccount ? ['createAccount'] : ['requestSignUp', 'confirmSignUp'] }),
    contract,
    handlers: createHandlers({ sender, feed, allowPrivate, signUps: openSignUps(config) }),
    db,
    security: createSecurity(callers.find),
    idempotency,
    mock,
    mcp,
    realm: NAME,
    errors: { statuses: ERRORS },
    rateLimit: {
      store,
      subject: accountSubject,
      trustProxy: config.trustProxy,
      instances: config.instances * config.workers,
      timeoutMs: config.rateLimitTimeout,
    },
    metricSources: [databaseMetrics(db), notificationMetrics, store.metrics, callers.metrics, () => queueMetrics(db), worker.metrics],
    readiness,
    settle: background ? undefined : () => Promise.all([callers.settle(), feed.settle()]),
    log,
    logCaller,
  });

  return {
    server,
    /** Before the first request: opens a connection for the limits, and makes the demo account of an embedded database. */
    async prepare(): Promise<{ demoKey: string | undefined }> {
      // If there is no database, readiness says so.
      await store.bans().catch(() => undefined);
      const warn = (err: unknown) => log.warn({ err }, 'mails of sign-ups are not sent: SIGN_UP_ACCOUNT needs a webhook');
      if (config.signUpAccount !== undefined) await getWebhook(db, config.signUpAccount).catch(warn);
      return { demoKey: embedded ? await ensureDemoAccount(db, keyFile, new Date()) : undefined };
    },
    /** Delivers messages from now on. Called when the server listens and is ready, maybe more than once. */
    begin(): void {
      if (config.worker) worker.start();
    },
    /** What a person who has started the server is told. @param demoKey if it was made now. */
    greeting(port: number, demoKey: string | undefined): Pick<Greeting, 'facts' | 'hints'> {
      if (!embedded) return { hints: [['API key', 'npm run -s administer -- accounts create --email you@example.com']] };
      const file = relative(process.cwd(), keyFile);
      const call = (key: string) => ['try it', `curl -H ${key} http://localhost:${port}/pets`] as const;
      const next = ['next', '`npm run dev` serves while you edit spec/petstore.yaml'] as const;
      if (demoKey === undefined)
        return { facts: [['API key', `kept in ${file}`]], hints: [call(`"Authorization: Bearer $(cat ${file})"`), next] };
      return { facts: [['API key', `${demoKey}, kept in ${file}`], call(`'Authorization: Bearer ${demoKey}'`)], hints: [next] };
    },
    /** Ends what `begin` began, and lets go of everything once no request is under way. */
    stop: () => worker.stop(),
    async close(): Promise<void> {
      idempotency.close();
      endCleanup?.();
      await Promise.all([callers.close(), store.close(), feed.close()]);
    },
  };
}
