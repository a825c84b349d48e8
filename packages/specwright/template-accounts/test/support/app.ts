/** The service as main.ts composes it, on a test database and a free port. */
import { PLANS } from '@specwright/accounts';
import type { PlanTable } from '@specwright/server';
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine, type TestDatabase } from 'specwright/testing';
import { readConfig } from '../../src/config.ts';
import { createService, loadServiceContract } from '../../src/service.ts';

export interface TestApp extends ListeningServer {
  readonly log: readonly LogLine[];
}

/** A slow machine is no reason to answer 503, as a production server does. */
const TEST_REQUEST_TIMEOUT_MS = '60000';

/** The same limits for every plan. */
export const limitsOf = (perMinute: number): PlanTable => {
  const quota = { minute: perMinute, day: 1_000_000_000 };
  return { plans: Object.fromEntries(PLANS.map((plan) => [plan, quota])), address: { minute: 1_000_000_000, day: 1_000_000_000 } };
};

/** @param plans by default limits that no test comes near. */
export async function startApp({ db, url }: Pick<TestDatabase, 'db' | 'url'>, plans = limitsOf(1_000_000_000)): Promise<TestApp> {
  const log: LogLine[] = [];
  const contract = await loadServiceContract();
  // A busy machine must not make the limits inexact, nor answer 503.
  const config = readConfig({ RATE_LIMIT_TIMEOUT: '10000', REQUEST_TIMEOUT: TEST_REQUEST_TIMEOUT_MS });
  const server = createService({ config, contract, database: { db, url }, log: createTestLog(log), plans });
  return { ...(await listenOnFreePort(server)), log };
}
