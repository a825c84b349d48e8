/** The pet store as it is started, on the database of the bench: API keys, exact limits, response validation, log. */
import type { Server } from 'node:http';
import { openDatabase } from '@specwright/postgres';
import { createLogger, loadContract } from '@specwright/server';
import { contract as generated } from '../../generated/contract.ts';
import { NAME, readConfig } from '../../src/config.ts';
import { createService } from '../../src/service.ts';
import { omittedOperations } from '../../src/sign-ups.ts';
import type { Variant } from './petstore.ts';
import { REQUEST_TIMEOUT_MS } from './request-timeout.ts';

export async function createServer(): Promise<Server> {
  const { SPEC: spec = '', VARIANT = '{}' } = process.env;
  const { log = false } = JSON.parse(VARIANT) as Variant;
  const config = { ...readConfig(), requestTimeout: REQUEST_TIMEOUT_MS };
  const database = await openDatabase({ ...config, name: NAME });
  return createService({
    config,
    contract: await loadContract(spec, generated, { omit: omittedOperations(config) }),
    database,
    readiness: { reason: () => undefined, check: async () => undefined },
    log: createLogger(log ? 'info' : 'silent'),
  });
}
