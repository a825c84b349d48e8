/** Pets: animals, each of one category, with a sales status. */
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

const notFound = (id: number) => new AppError('not_found', `there is no pet ${id}`);

export async function listPets(db: Database, accountId: number, filter: PetFilter, { after, limit }: Page): Promise<Pet[]> {
  const query = table(db, 'pets').where({ account_id: accountId }).where('id', '>', after).orderBy('id').limit(limit);
  if (filter.statuses !== undefined) void query.whereIn('status', filter.statuses);
  if (filter.categoryId !== undefined) void query.where({ category_id: filter.categoryId });
  return (await read(query.select<Row[]>(COLUMNS))).map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getPet(db: Database, accountId: number, id: number): Promise<Stored<Pet>> {
  const query = table(db, 'pets').where({ account_id: accountId, id });
  const row = await read(query.first<Row | undefined>(COLUMNS).options({ name: 'pets.get' }));
  if (row === undefined) throw notFound(id);
  return stored(row);
}

/** Creates a pet and its inventory, which starts at 0. @throws AppError invalid_reference */
export async function createPet(db: Database, accountId: number, values: NewPet): Promise<Stored<Pet>> {
  return transaction(db, async (trx) => {
    const query = table(trx, 'pets').insert({ account_id: accountId, ...toColumns(GIVEN, values) });
    const [row] = await query.returning<Row[]>(returning(COLUMNS));
    const pet = stored(row as Row);
    await table(trx, 'inventory').insert({ account_id: accountId, pet_id: pet.record.id });
    return pet;
  });
}

/** Changes the properties that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export const updatePet = (
  db: Database,
  accountId: number,
  id: number,
  changes: PetPatch,
  precondition?: Precondition,
): Promise<Stored<Pet>> => writePet(db, accountId, id, toColumns(GIVEN, changes), precondition);

/** As `updatePet`; a property that is not given is as in a new pet. */
export const replacePet = (
  db: Database,
  accountId: number,
  id: number,
  values: NewPet,
  precondition?: Precondition,
): Promise<Stored<Pet>> => writePet(db, accountId, id, toAllColumns(db, GIVEN, values), precondition);

async function writePet(
  db: Database,
  accountId: number,
  id: number,
  changes: Changes<'pets'>,
  precondition?: Precondition,
): Promise<Stored<Pet>> {
  return transaction(db, async (trx) => {
    requireVersion(await lockPet(trx, accountId, id), precondition);
    const query = table(trx, 'pets').where({ account_id: accountId, id });
    const [row] = await query.update({ ...changes, version: trx.raw('version + 1') }).returning<Row[]>(returning(COLUMNS));
    return stored(row as Row);
  });
}

/** Deletes the pet and its inventory. @throws AppError not_found, precondition_failed, pet_in_use */
export async function deletePet(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      // Inventory before pet, as orders lock them: an order that is being made is waited for, not collided with.
      await table(trx, 'inventory').where({ account_id: accountId, pet_id: id }).forUpdate().first('pet_id');
      requireVersion(await lockPet(trx, accountId, id), precondition);
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

async function lockPet(trx: Transaction, accountId: number, id: number): Promise<Stored<Pet>> {
  const row = await table(trx, 'pets').where({ account_id: accountId, id }).forUpdate().first<Row | undefined>(COLUMNS);
  if (row === undefined) throw notFound(id);
  return stored(row);
}
