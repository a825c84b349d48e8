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
import { recordTable, table, transaction } from './store.ts';

export type PetStatus = Schemas['PetStatus'];
export type NewPet = Input<'createPet'>['body'];
export type PetPatch = Input<'updatePet'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { name: 'name', categoryId: 'category_id', status: 'status' } as const satisfies ColumnMap<Tables['pets'], NewPet | PetPatch>;
const COLUMNS = { id: 'id', ...GIVEN, version: 'version' } as const satisfies ColumnMap<Tables['pets'], Schemas['Pet']>;

export type Pet = RecordOf<Omit<RowOf<Tables['pets'], typeof COLUMNS>, 'version'>>;

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
  return transaction(db, async (trx) => {
    const pet = await pets.create(trx, accountId, toColumns(GIVEN, values));
    await table(trx, 'inventory').insert({ account_id: accountId, pet_id: pet.record.id });
    return pet;
  });
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
      if (await hasOpenOrders(trx, accountId, id)) throw new AppError('pet_in_use', 'the pet has open orders');
      await table(trx, 'pets').where({ account_id: accountId, id }).delete();
    },
    { deleting: true },
  );
}

export async function hasOpenOrders(trx: Transaction, accountId: number, id: number): Promise<boolean> {
  return (await table(trx, 'orders').where({ account_id: accountId, open_pet_id: id }).first('id')) !== undefined;
}

/** Sets the status, as a step of a change to the stock. */
export async function setPetStatus(trx: Transaction, accountId: number, id: number, status: PetStatus): Promise<void> {
  const query = table(trx, 'pets').where({ account_id: accountId, id }).whereNot({ status });
  await query.update({ status, version: trx.raw('version + 1') });
}
