/** The application as main.ts composes it, on a test database, listening on a port of its own. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, loadServiceContract, type AppOptions } from '../../src/app.ts';
import type { Contract } from '../../src/contract/load.ts';
import { createAccount, type Plan } from '../../src/db/accounts.ts';
import type { Database } from '../../src/db/connect.ts';
import type { Quota } from '../../src/db/keys.ts';
import type { Log } from '../../src/http/exchange.ts';
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

export const loadTestContract = loadServiceContract;

/** @param overrides any option of `createApp`: other handlers, another clock, another readiness. Limits are out of reach without one. */
export async function startApp(db: Database, overrides: Partial<AppOptions> = {}): Promise<TestApp> {
  const log: LogLine[] = [];
  const contract = overrides.contract ?? (await loadTestContract());
  const server = createApp({
    contract,
    db,
    responseValidation: 'strict',
    readiness: { reason: () => undefined, check: async () => undefined },
    log: createTestLog(log),
    limits: unlimited(),
    ...overrides,
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    url,
    contract,
    log,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
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
