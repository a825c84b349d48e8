/** What the stores share: typed tables, records from rows, and what a broken constraint of this schema means to a client. */
import { accountReferences } from '@specwright/accounts';
import { createRecordTables, createStoreAccess, type Constraints, type Database } from '@specwright/postgres';
import type { Tables } from '../../generated/database.ts';
import { bodyProblem, type ErrorCode } from '../errors.ts';

export const CONSTRAINTS: Constraints<ErrorCode> = {
  onWrite: {
    ...accountReferences('categories', 'messages', 'orders', 'pets', 'photos'),
    pets_category: ['invalid_reference', bodyProblem('categoryId', 'reference', 'refers to a category that does not exist')],
    orders_open_pet: ['invalid_reference', bodyProblem('petId', 'reference', 'refers to a pet that does not exist')],
    photos_pet: ['not_found', 'there is no such pet'],
    photos_size: ['body_too_large', 'body/photo is larger than 5 MiB'],
    photo_usage_quota: ['photo_quota', 'the photos of the account would be larger than 50 MiB in all: delete some'],
    orders_ship_date_range: ['invalid_request', bodyProblem('shipDate', 'format', 'must be in the years 0001 to 9999')],
  },
  onDelete: {
    pets_category: ['category_in_use', 'the category still has pets'],
    orders_open_pet: ['pet_in_use', 'the pet has open orders'],
  },
};

const access = createStoreAccess(CONSTRAINTS);
export const { read, transaction } = access;

/** A query on a table: an INSERT or UPDATE of what the table cannot hold does not compile. */
export const table = <Name extends keyof Tables>(db: Database, name: Name) => db<Tables[Name]>(name);

/** The records of a table, for the statements that most nouns have. */
export const recordTable = createRecordTables<Tables, 'account_id'>(access, 'account_id');
