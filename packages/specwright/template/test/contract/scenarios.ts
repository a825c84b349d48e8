/** The calls that make each operation answer its statuses. An operation that is written needs at least one. */
import type { Database } from '@specwright/postgres';
import type { Call, OperationClient } from 'specwright/testing';
import type { Input, OperationId, Status } from '../../generated/contract.ts';

/** What a scenario prepares its calls with: the database, and a client of the operations. */
export interface World extends OperationClient {
  readonly db: Database;
}

/** A call whose path has the operation's own parameters. What it leaves out is as in a sample made from the contract. */
type CallOf<Op extends OperationId> = Omit<Call, 'path'> & {
  readonly path?: { readonly [Name in keyof Input<Op>['path']]: number | string };
};

export type Scenario<Op extends OperationId> = (world: World) => Promise<readonly CallOf<Op>[]>;
export type Scenarios = { readonly [Op in OperationId]?: { readonly [S in Status<Op>]?: Scenario<Op> } };

/** `getUser: { 200: async ({ db }) => [{ path: { userId: await insertUser(db) } }], 404: async () => [{ path: { userId: 0 } }] },` */
export const SCENARIOS: Scenarios = {};
