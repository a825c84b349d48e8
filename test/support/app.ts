/** The application as main.ts composes it, on a test database, listening on a port of its own. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContractTypes } from '../../generated/contract.ts';
import { accountSubject, createAccount, findCaller, type Plan } from '@specwright/accounts';
import { createServer, type Contract, type Log, type Quota, type RateLimitOptions, type ServerOptions } from '@specwright/server';
import type { Database } from '@specwright/postgres';
import { NAME } from '../../src/config.ts';
import { ERROR_TYPE, errorBody, ERRORS } from '../../src/errors.ts';
import { createHandlers } from '../../src/handlers/index.ts';
import type { WebhookRules } from '../../src/messages/webhook-url.ts';
import { createSecurity, logCaller, type Caller } from '../../src/security.ts';
import { loadPetStore } from '../../src/service.ts';
import { unlimited } from './limits.ts';

/** One line of the log: level, fields and message. */
export interface LogLine extends Record<string, unknown> {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A log that tests can read. */
export function createTestLog(lines: LogLine[] = [], bound: object = {}): Log {
  const write = (level: LogLine['level']) => (fields: object, message: string) => void lines.push({ ...bound, ...fields, level, message });
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => createTestLog(lines, { ...bound, ...fields }),
  };
}

export interface TestApp {
  readonly server: Server;
  readonly url: string;
  readonly contract: Contract;
  readonly log: LogLine[];
  readonly close: () => Promise<void>;
}

export type AppOptions = ServerOptions<ContractTypes, Caller>;

/** What a test says of limits; the plans are the contract's own if it says nothing of them. */
export type TestLimits = Partial<RateLimitOptions<Caller>> & Pick<RateLimitOptions<Caller>, 'store'>;

/** Any option of `createServer`: other handlers, another clock, another readiness. Limits are out of reach without one. */
export interface TestOptions extends Partial<Omit<AppOptions, 'rateLimit'>> {
  readonly rateLimit?: TestLimits;
  readonly webhooks?: WebhookRules;
}

export async function startApp(db: Database, { rateLimit = unlimited(), webhooks, ...overrides }: TestOptions = {}): Promise<TestApp> {
  const log: LogLine[] = [];
  const contract = overrides.contract ?? (await loadPetStore());
  const server = createServer({
    contract,
    handlers: createHandlers(db, webhooks),
    security: createSecurity((key) => findCaller(db, key)),
    realm: NAME,
    errors: { statuses: ERRORS, type: ERROR_TYPE, body: errorBody },
    log: createTestLog(log),
    logCaller,
    rateLimit: { subject: accountSubject, ...rateLimit },
    ...overrides,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    url,
    contract,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let accounts = 0;

/** Numbers that no test comes near, for an account whose limits are not what is tested. */
export const PLENTY: Quota = { minute: 1_000_000_000, day: 1_000_000_000 };

/** A new account. @param quota the numbers of its own that an Enterprise account has. @returns its id and its key. */
export async function newAccount(
  db: Database,
  plan: Plan = 'free',
  quota: Quota | undefined = plan === 'enterprise' ? PLENTY : undefined,
): Promise<{ accountId: number; key: string }> {
  const email = `test-${process.pid}-${++accounts}@example.com`;
  const { record, apiKey } = await createAccount(db, { email, plan, ...(quota && { quota }) }, new Date());
  return { accountId: record.id, key: apiKey };
}
