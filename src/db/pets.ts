/** Pets: animals, each of one category, with a sales status. */
import {
  toAllColumns,
  toColumns,
  toStored,
  type ColumnMap,
  type Database,
  type RecordOf,
  type RowOf,
  type Transaction,
} from '@specwright/postgres';
import { requireVersion, type Page, type Precondition, type Stored } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { recordTable, table, transaction, write } from './store.ts';

export type PetStatus = Schemas['PetStatus'];
export type NewPet = Input<'createPet'>['body'];
export type PetPatch = Input<'updatePet'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { name: 'name', categoryId: 'category_id', status: 'status' } as const satisfies ColumnMap<Tables['pets'], NewPet | PetPatch>;
const COLUMNS = { id: 'id', ...GIVEN, version: 'version' } as const satisfies ColumnMap<Tables['pets'], Schemas['Pet']>;

type Row = RowOf<Tables['pets'], typeof COLUMNS>;
export type Pet = RecordOf<Omit<Row, 'version'>>;

export interface PetFilter {
  statuses?: readonly PetStatus[] | undefined;
  categoryId?: number | undefined;
}

const pets = recordTable('pets', COLUMNS, (id) => new AppError('not_found', `there is no pet ${id}`));

export const listPets = (db: Database, accountId: number, filter: PetFilter, page: Page) =>
  pets.list(db, accountId, page, (query) => {
    if (filter.statuses !== undefined) void query.whereIn('status', filter.statuses);
    if (filter.categoryId !== undefined) void query.where({ category_id: filter.categoryId });
  });

/** @throws AppError not_found */
export const getPet = (db: Database, accountId: number, id: number) => pets.get(db, accountId, id);

/** Creates a pet and its inventory, which starts at 0. @throws AppError invalid_reference */
export async function createPet(db: Database, accountId: number, values: NewPet): Promise<Stored<Pet>> {
  const created = () =>
    table(db, 'pets')
      .insert({ account_id: accountId, ...toColumns(GIVEN, values) })
      .returning('*');
  const stock = () => db.into(db.raw('inventory (account_id, pet_id)')).insert(db.select('account_id', 'id').from('created'));
  const [row] = await write(db, () => db.with('created', created()).with('stock', stock()).select<Row[]>(COLUMNS).from('created'));
  return toStored(row as Row);
}

/** Changes the properties that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export const updatePet = (db: Database, accountId: number, id: number, changes: PetPatch, precondition?: Precondition) =>
  pets.update(db, accountId, id, toColumns(GIVEN, changes), precondition);

/** As `updatePet`; a property that is not given is as in a new pet. */
export const replacePet = (db: Database, accountId: number, id: number, values: NewPet, precondition?: Precondition) =>
  pets.update(db, accountId, id, toAllColumns(db, GIVEN, values), precondition);

/** Deletes the pet and its inventory. @throws AppError not_found, precondition_failed, pet_in_use */
export async function deletePet(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      // Inventory before pet, as orders lock them: an order that is being made is waited for, not collided with.
      await table(trx, 'inventory').where({ account_id: accountId, pet_id: id }).forUpdate().first('pet_id');
      requireVersion(toStored(await pets.lock(trx, accountId, id)), precondition);
      // Looked for before the foreign key does, which would wait for an order that is being changed and waits for the stock.
      if ((await openOrders(trx, accountId, id).first()) !== undefined) throw new AppError('pet_in_use', 'the pet has open orders');
      await table(trx, 'pets').where({ account_id: accountId, id }).delete();
    },
    { deleting: true },
  );
}

const openOrders = (trx: Transaction, accountId: number, id: number) =>
  table(trx, 'orders').where({ account_id: accountId, open_pet_id: id }).select('id');

/** Sets the status, as a step of a change to the stock; `sold` unless there are open orders. @returns the new version, if it has changed. */
export async function setPetStatus(trx: Transaction, accountId: number, id: number, status: PetStatus): Promise<number | undefined> {
  const query = table(trx, 'pets').where({ account_id: accountId, id }).whereNot({ status });
  if (status === 'sold') void query.whereNotExists(openOrders(trx, accountId, id));
  const [row] = await query.update({ status, version: trx.raw('version + 1') }).returning('version');
  return row?.version;
}
