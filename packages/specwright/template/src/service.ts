/** The service, composed: what it serves, with whose security, errors and limits. */
import type { Server } from 'node:http';
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
export function createService(options: ServiceOptions): Server {
  const { config, contract, database, readiness, log, mock } = options;
  const { parts, ...callers } = openCallers(options);
  return createServer({
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
    parts: [database, ...parts],
    logCaller,
  });
}
