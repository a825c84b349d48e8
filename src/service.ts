/** What belongs to this service and not to the machinery around it, composed: `src/main.ts` starts whatever is given here. */
import { join, relative } from 'node:path';
import { rateLimitPlans } from '../generated/operations.ts';
import type { AppOptions } from '@specwright/server';
import type { Config } from './config.ts';
import { startCallers } from '@specwright/accounts';
import { openLimitStore } from '@specwright/accounts';
import type { OpenDatabase } from '@specwright/postgres';
import { ensureDemoAccount } from './db/seeds/demo-account.ts';
import { createHandlers } from './handlers/index.ts';
import type { Log } from '@specwright/server';
import { createWorker } from './messages/worker.ts';
import { rateLimitSubject, requirePlans } from './limits.ts';
import { createAuthenticators } from './security.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly log: Log;
}

export interface Service {
  /** What the request line is made of. */
  readonly line: Pick<AppOptions, 'handlers' | 'authenticators' | 'limits'>;
  /** What has to be there before the first request. The database has this version's schema, unless it is somebody else's. */
  prepare(): Promise<void>;
  /** Begins what is done beside requests. Called when the server listens and the schema is this version's, maybe more than once. */
  begin(): void;
  /** What a person who has started the server is told. */
  greeting(url: string): string[];
  /** Ends what `begin` began; called together with the server's own end. */
  stop(): Promise<void>;
  /** Lets go of everything, once no request is under way. */
  close(): Promise<void>;
}

export function createService({ config, database: { db, url, embedded }, log }: ServiceOptions): Service {
  requirePlans(rateLimitPlans);
  const webhooks = { allowPrivate: config.webhookAllowPrivate };
  const worker = createWorker({ db, log, timeout: config.webhookTimeout, stopTimeout: config.shutdownTimeout, ...webhooks });
  const callers = startCallers(db, {
    onListening: (isListening, err) =>
      isListening
        ? log.info({}, 'listening for changes of keys')
        : log.warn({ err }, 'changes of keys are not heard: every key is looked up'),
    onUnwritten: (err) => log.warn({ err }, 'the last use of keys could not be written'),
  });
  const store = openLimitStore({ url });
  const keyFile = join(config.dataDir, 'demo-key');
  let demoKey: string | undefined;

  return {
    line: {
      handlers: createHandlers(db, webhooks),
      authenticators: createAuthenticators((key) => callers.find(key)),
      limits: {
        shared: store,
        plans: rateLimitPlans,
        rateLimitSubject,
        proxy: config.trustProxy,
        instances: config.instances,
        patience: config.rateLimitTimeout,
      },
    },
    async prepare() {
      // So that the first request does not wait for a connection. If there is no database, readiness says so.
      await store.bans().catch(() => undefined);
      if (embedded) demoKey = await ensureDemoAccount(db, keyFile, new Date());
    },
    begin() {
      if (config.worker) worker.start();
    },
    greeting(address) {
      const lines: string[] = [];
      if (demoKey !== undefined)
        lines.push(`The demo account's API key: ${demoKey}`, `Try it:`, `  curl -H 'Authorization: Bearer ${demoKey}' ${address}/pets`);
      if (embedded) lines.push(`The demo account's API key is kept in ${relative(process.cwd(), keyFile)}`);
      return lines;
    },
    stop: () => worker.stop(),
    async close() {
      await Promise.all([callers.close(), store.close()]);
    },
  };
}
