/** The service as main.ts composes it, on a test database and a free port; and accounts to call it with. */
import type { Server } from 'node:http';
import { accountSubject, createAccount, findCaller, openIdempotencyStore, type Plan, type SignUps } from '@specwright/accounts';
import { createServer, type Contract, type Quota, type ServerOptions } from '@specwright/server';
import type { Database } from '@specwright/postgres';
import { openEventFeed, type EventFeedOptions } from '@specwright/postgres/events';
import { createTestLog, listenOnFreePort, scaleTimeout, type ListeningServer, type LogLine } from 'specwright/testing';
import { NAME } from '../../../src/config.ts';
import { ERRORS } from '../../../src/errors.ts';
import { createHandlers } from '../../../src/handlers/index.ts';
import type { WebhookRules } from '@specwright/accounts/webhooks';
import { createSecurity, logCaller, type Caller } from '../../../src/security.ts';
import { loadPetStore } from '../../../src/service.ts';
import { omittedOperations, type PetStoreTypes } from '../../../src/sign-ups.ts';
import { unlimited, type TestLimits } from './limits.ts';
import { sender } from './sender.ts';

/** The service, with its log and the contract that it serves. */
export interface TestApp extends ListeningServer {
  readonly contract: Contract;
  readonly log: LogLine[];
}

export type AppOptions = ServerOptions<PetStoreTypes, Caller, Database> & { readonly db: Database };

/** Any option of `createServer`. By default there are no limits. */
export interface TestOptions extends Partial<Omit<AppOptions, 'rateLimit'>> {
  readonly rateLimit?: TestLimits;
  readonly webhooks?: WebhookRules;
  readonly signUps?: SignUps | undefined;
  readonly events?: EventFeedOptions;
  /** What the service is part of. By default it is a server of its own. */
  readonly host?: Host;
}

/** Makes a server of what `createServer` and `createRequestHandler` take. */
export type Host = (options: AppOptions) => {
  readonly server: Server;
  /** What precedes the paths of the contract. */
  readonly base: string;
};

const ownServer: Host = (options) => ({ server: createServer(options), base: '' });

export async function startApp(db: Database, options: TestOptions = {}): Promise<TestApp> {
  const { rateLimit = unlimited(), webhooks, signUps, events: eventOptions, host = ownServer, ...overrides } = options;
  const log: LogLine[] = [];
  const contract = overrides.contract ?? (await loadPetStore(omittedOperations({ signUpAccount: signUps?.accountId })));
  const events = openEventFeed(db, eventOptions);
  const idempotency = openIdempotencyStore(db);
  const { server, base } = host({
    contract,
    handlers: createHandlers({ sender, signUps, ...webhooks }),
    db,
    idempotency,
    security: createSecurity((key) => findCaller(db, key)),
    realm: NAME,
    errors: { statuses: ERRORS },
    // Tests of locks and of a busy machine let requests wait for long.
    requestTimeoutMs: scaleTimeout(10_000),
    log: createTestLog(log),
    logCaller,
    rateLimit: { subject: accountSubject, ...rateLimit },
    ...overrides,
  });
  server.once('close', idempotency.close);
  const app = await listenOnFreePort(server);
  return {
    ...app,
    url: app.url + base,
    contract,
    log,
    async close() {
      await app.close();
      await events.close();
    },
  };
}

let accounts = 0;

/** Limits that no test reaches. */
export const AMPLE_QUOTA: Quota = { minute: 1_000_000_000, day: 1_000_000_000 };

/** A new account. @param quota the limits of an Enterprise account. @returns its id and its key. */
export async function newAccount(
  db: Database,
  plan: Plan = 'free',
  quota: Quota | undefined = plan === 'enterprise' ? AMPLE_QUOTA : undefined,
): Promise<{ accountId: number; key: string }> {
  const email = `test-${process.pid}-${++accounts}@example.com`;
  const { record, apiKey } = await createAccount(db, { email, plan, ...(quota && { quota }) }, new Date());
  return { accountId: record.id, key: apiKey };
}
