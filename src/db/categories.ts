/** Categories: the kinds of animal that an account sells. */
import type { Database } from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import { AppError } from '../errors.ts';
import { read, transaction } from './store.ts';

export interface Category {
  id: number;
  name: string;
  description?: string;
}

export interface CategoryChanges {
  name?: string;
  /** `null` removes it. */
  description?: string | null;
}

interface Row {
  id: number;
  name: string;
  description: string | null;
  version: number;
}

const COLUMNS = ['id', 'name', 'description', 'version'];

function stored({ version, description, ...rest }: Row): Stored<Category> {
  return { version: String(version), record: description === null ? rest : { ...rest, description } };
}

const notFound = (id: number) => new AppError('not_found', `there is no category ${id}`);

export async function listCategories(db: Database, accountId: number, { after, limit }: Page): Promise<Category[]> {
  const query = db('categories').where({ account_id: accountId }).where('id', '>', after).orderBy('id').limit(limit).select<Row[]>(COLUMNS);
  return (await read(query)).map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getCategory(db: Database, accountId: number, id: number): Promise<Stored<Category>> {
  const row = await read(
    db('categories').where({ account_id: accountId, id }).first<Row | undefined>(COLUMNS).options({ name: 'categories.get' }),
  );
  if (row === undefined) throw notFound(id);
  return stored(row);
}

export async function createCategory(
  db: Database,
  accountId: number,
  values: { name: string; description?: string | undefined },
): Promise<Stored<Category>> {
  const [row] = await read(
    db('categories')
      .insert({ account_id: accountId, ...values })
      .returning<Row[]>(COLUMNS),
  );
  return stored(row as Row);
}

/** Changes the fields that are given. @throws AppError not_found, precondition_failed */
export async function updateCategory(
  db: Database,
  accountId: number,
  id: number,
  changes: CategoryChanges,
  precondition?: Precondition,
): Promise<Stored<Category>> {
  return transaction(db, async (trx) => {
    const key = { account_id: accountId, id };
    const before = await trx('categories').where(key).forUpdate().first<Row | undefined>(COLUMNS);
    if (before === undefined) throw notFound(id);
    requireVersion(stored(before), precondition);
    const { name = before.name, description = before.description } = changes;
    const [row] = await trx('categories')
      .where(key)
      .update({ name, description, version: before.version + 1 })
      .returning<Row[]>(COLUMNS);
    return stored(row as Row);
  });
}

/** @throws AppError not_found, precondition_failed, category_in_use */
export async function deleteCategory(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      const key = { account_id: accountId, id };
      const before = await trx('categories').where(key).forUpdate().first<Row | undefined>(COLUMNS);
      if (before === undefined) throw notFound(id);
      requireVersion(stored(before), precondition);
      await trx('categories').where(key).delete();
    },
    { deleting: true },
  );
}
