/** The service as main.ts composes it, on a test database and a free port. */
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine, type TestDatabase } from 'specwright/testing';
import { readConfig } from '../../src/config.ts';
import { createService, loadServiceContract } from '../../src/service.ts';
import { tokenIssuer } from './credentials.ts';

export interface TestApp extends ListeningServer {
  readonly log: readonly LogLine[];
}

/** Limits that no test comes near. */
const UNLIMITED = { plans: {}, address: { minute: 1_000_000_000, day: 1_000_000_000 } };

/** A slow machine is no reason to answer 503, as a production server does. */
const TEST_REQUEST_TIMEOUT_MS = '60000';

export async function startApp({ db, url }: Pick<TestDatabase, 'db' | 'url'>): Promise<TestApp> {
  const log: LogLine[] = [];
  const contract = await loadServiceContract();
  // Limits are those of the contract, if it has any.
  const plans = contract.rateLimitPlans && UNLIMITED;
  const issuer = await tokenIssuer();
  const config = readConfig({
    TOKEN_ISSUER: issuer.url,
    TOKEN_AUDIENCE: issuer.audience,
    REQUEST_TIMEOUT: TEST_REQUEST_TIMEOUT_MS,
  });
  const server = createService({ config, contract, database: { db, url }, log: createTestLog(log), ...(plans && { plans }) });
  return { ...(await listenOnFreePort(server)), log };
}
