/** Categories: the kinds of animal that an account sells. */
import {
  returning,
  toAllColumns,
  toColumns,
  type ColumnMap,
  type Database,
  type RecordOf,
  type RowOf,
  type Transaction,
} from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { type Changes, read, stored, table, transaction } from './store.ts';

export type NewCategory = Input<'createCategory'>['body'];
export type CategoryPatch = Input<'updateCategory'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { name: 'name', description: 'description' } as const satisfies ColumnMap<Tables['categories'], NewCategory | CategoryPatch>;
const COLUMNS = { id: 'id', ...GIVEN, version: 'version' } as const satisfies ColumnMap<Tables['categories'], Schemas['Category']>;

type Row = RowOf<Tables['categories'], typeof COLUMNS>;
export type Category = RecordOf<Omit<Row, 'version'>>;

const notFound = (id: number) => new AppError('not_found', `there is no category ${id}`);

export async function listCategories(db: Database, accountId: number, { after, limit }: Page): Promise<Category[]> {
  const query = table(db, 'categories').where({ account_id: accountId }).where('id', '>', after).orderBy('id').limit(limit);
  return (await read(query.select<Row[]>(COLUMNS))).map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getCategory(db: Database, accountId: number, id: number): Promise<Stored<Category>> {
  const query = table(db, 'categories').where({ account_id: accountId, id });
  const row = await read(query.first<Row | undefined>(COLUMNS).options({ name: 'categories.get' }));
  if (row === undefined) throw notFound(id);
  return stored(row);
}

export async function createCategory(db: Database, accountId: number, values: NewCategory): Promise<Stored<Category>> {
  const query = table(db, 'categories').insert({ account_id: accountId, ...toColumns(GIVEN, values) });
  const [row] = await read(query.returning<Row[]>(returning(COLUMNS)));
  return stored(row as Row);
}

/** Changes the properties that are given; `null` removes one. @throws AppError not_found, precondition_failed */
export const updateCategory = (db: Database, accountId: number, id: number, changes: CategoryPatch, precondition?: Precondition) =>
  writeCategory(db, accountId, id, toColumns(GIVEN, changes), precondition);

/** As `updateCategory`; a property that is not given is as in a new category. */
export const replaceCategory = (db: Database, accountId: number, id: number, values: NewCategory, precondition?: Precondition) =>
  writeCategory(db, accountId, id, toAllColumns(db, GIVEN, values), precondition);

async function writeCategory(db: Database, accountId: number, id: number, changes: Changes<'categories'>, precondition?: Precondition) {
  return transaction(db, async (trx) => {
    requireVersion(await lockCategory(trx, accountId, id), precondition);
    const query = table(trx, 'categories').where({ account_id: accountId, id });
    const [row] = await query.update({ ...changes, version: trx.raw('version + 1') }).returning<Row[]>(returning(COLUMNS));
    return stored(row as Row);
  });
}

/** @throws AppError not_found, precondition_failed, category_in_use */
export async function deleteCategory(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      requireVersion(await lockCategory(trx, accountId, id), precondition);
      await table(trx, 'categories').where({ account_id: accountId, id }).delete();
    },
    { deleting: true },
  );
}

async function lockCategory(trx: Transaction, accountId: number, id: number): Promise<Stored<Category>> {
  const row = await table(trx, 'categories').where({ account_id: accountId, id }).forUpdate().first<Row | undefined>(COLUMNS);
  if (row === undefined) throw notFound(id);
  return stored(row);
}
