/** What the service is composed of. */
import type { OpenDatabase } from '@specwright/postgres';
import type { Contract, Log, PlanTable, Readiness } from '@specwright/server';
import type { ContractTypes } from '../generated/contract.ts';
import type { Config } from './config.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly contract: Contract<ContractTypes>;
  readonly database: Pick<OpenDatabase, 'db' | 'url'>;
  readonly readiness?: Readiness;
  readonly log: Log;
  /** Other limits than those of the contract. */
  readonly plans?: PlanTable;
}
