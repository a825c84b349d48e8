/** Categories: the kinds of animal that an account sells. */
import { toAllColumns, toColumns, type ColumnMap, type Database } from '@specwright/postgres';
import type { Page, Precondition } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { recordTable } from './store.ts';

export type NewCategory = Input<'createCategory'>['body'];
export type CategoryPatch = Input<'updateCategory'>['body'];

const WRITABLE = { name: 'name', description: 'description' } as const satisfies ColumnMap<
  Tables['categories'],
  NewCategory | CategoryPatch
>;
const READABLE = { id: 'id', ...WRITABLE, version: 'version' } as const satisfies ColumnMap<Tables['categories'], Schemas['Category']>;

const categories = recordTable('categories', READABLE, (id) => new AppError('not_found', `there is no category ${id}`));

export const listCategories = (db: Database, accountId: number, page: Page) => categories.list(db, accountId, page);

/** @throws AppError not_found */
export const getCategory = (db: Database, accountId: number, id: number) => categories.get(db, accountId, id);

export const createCategory = (db: Database, accountId: number, values: NewCategory) =>
  categories.create(db, accountId, toColumns(WRITABLE, values));

/** Changes the properties that are given; `null` removes one. @throws AppError not_found, precondition_failed */
export const updateCategory = (db: Database, accountId: number, id: number, changes: CategoryPatch, precondition?: Precondition) =>
  categories.update(db, accountId, id, toColumns(WRITABLE, changes), precondition);

/** As `updateCategory`; a property that is not given is as in a new category. */
export const replaceCategory = (db: Database, accountId: number, id: number, values: NewCategory, precondition?: Precondition) =>
  categories.update(db, accountId, id, toAllColumns(db, WRITABLE, values), precondition);

/** @throws AppError not_found, precondition_failed, category_in_use */
export const deleteCategory = (db: Database, accountId: number, id: number, precondition?: Precondition) =>
  categories.delete(db, accountId, id, precondition);
