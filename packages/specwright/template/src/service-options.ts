/** What the service is composed of. */
import type { OpenDatabase } from '@specwright/postgres';
import type { Contract, Log, Mock, PlanTable, Readiness, ServerPart } from '@specwright/server';
import type { ContractTypes } from '../generated/contract.ts';
import type { Config } from './config.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly contract: Contract<ContractTypes>;
  /** Closed with the server, if it has `close`. */
  readonly database: Pick<OpenDatabase, 'db' | 'url'> & ServerPart;
  readonly readiness?: Readiness;
  readonly log: Log;
  /** Answers for handlers that are not written yet. */
  readonly mock?: Mock | undefined;
  /** Other limits than those of the contract. */
  readonly plans?: PlanTable;
}
