/** What the stores share: typed tables, records from rows, and what a broken constraint of this schema means to a client. */
import { accountReferences } from '@specwright/accounts';
import { createStoreAccess, toRecord, type Constraints, type Database, type RecordOf } from '@specwright/postgres';
import type { Stored } from '@specwright/server';
import type { Tables } from '../../generated/database.ts';
import type { ErrorCode } from '../errors.ts';

const CONSTRAINTS: Constraints<ErrorCode> = {
  onWrite: {
    ...accountReferences('categories', 'messages', 'orders', 'pets', 'webhooks'),
    pets_category: ['invalid_reference', 'body/categoryId refers to a category that does not exist'],
    orders_open_pet: ['invalid_reference', 'body/petId refers to a pet that does not exist'],
    orders_ship_date_range: ['invalid_request', 'body/shipDate must be in the years 0001 to 9999'],
  },
  onDelete: {
    pets_category: ['category_in_use', 'the category still has pets'],
    orders_open_pet: ['pet_in_use', 'the pet has open orders'],
  },
};

export const { read, transaction } = createStoreAccess(CONSTRAINTS);

/** A query on a table: an INSERT or UPDATE of what the table cannot hold does not compile. */
export const table = <Name extends keyof Tables>(db: Database, name: Name) => db<Tables[Name]>(name);

/** What an UPDATE of a table may set. */
export type Changes<Name extends keyof Tables> = Tables[Name]['update'];

/** A row as the record that the contract has, with its version. */
export function stored<Row extends { version: number }>(row: Row): Stored<RecordOf<Omit<Row, 'version'>>> {
  const { version, ...record } = row;
  return { version: String(version), record: toRecord(record) };
}
