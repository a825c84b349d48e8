/** The service, composed: what it serves, with whose security, errors and limits. */
import { databaseMetrics } from '@specwright/postgres';
import { createServer, loadContract, serverOptions, type Contract } from '@specwright/server';
import { contract as generated, type ContractTypes } from '../generated/contract.ts';
import { openCallers } from './callers.ts';
import { NAME } from './config.ts';
import { ERRORS } from './errors.ts';
import { handlers } from './handlers/index.ts';
import { logCaller } from './security.ts';
import type { ServiceOptions } from './service-options.ts';

/** @throws ContractError with everything that is wrong with it. */
export const loadServiceContract = (): Promise<Contract<ContractTypes>> =>
  loadContract(new URL('../spec/openapi.yaml', import.meta.url), generated);

/** The server, which does not listen yet. @throws ContractError if handlers or authenticators do not fit the contract. */
export function createService(options: ServiceOptions) {
  const { config, contract, database, readiness, log, mock } = options;
  const { close, metricSources, ...callers } = openCallers(options);
  const server = createServer({
    ...serverOptions(config),
    ...callers,
    contract,
    handlers,
    db: database.db,
    mock,
    realm: NAME,
    errors: { statuses: ERRORS },
    ...(readiness && { readiness }),
    log,
    metricSources: [databaseMetrics(database.db), ...metricSources],
    logCaller,
  });
  return {
    server,
    /** Releases what the service has opened. Call it once the server is closed. */
    close,
  };
}
