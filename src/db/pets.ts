/** Pets: animals, each of one category, with a sales status. */
import type { Database, Transaction } from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import { AppError } from '../errors.ts';
import { read, transaction } from './store.ts';

export type PetStatus = 'available' | 'pending' | 'sold';

export interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status: PetStatus;
}

export type PetValues = Omit<Pet, 'id'>;

export interface PetFilter {
  statuses?: readonly PetStatus[] | undefined;
  categoryId?: number | undefined;
}

interface Row extends Pet {
  version: number;
}

const COLUMNS = { id: 'id', name: 'name', categoryId: 'category_id', status: 'status', version: 'version' };
const RETURNING = ['id', 'name', 'category_id AS categoryId', 'status', 'version'];

const stored = ({ version, ...record }: Row): Stored<Pet> => ({ version: String(version), record });

const notFound = (id: number) => new AppError('not_found', `there is no pet ${id}`);

export async function listPets(db: Database, accountId: number, filter: PetFilter, { after, limit }: Page): Promise<Pet[]> {
  const query = db('pets').where({ account_id: accountId }).where('id', '>', after).orderBy('id').limit(limit).select<Row[]>(COLUMNS);
  if (filter.statuses !== undefined) void query.whereIn('status', filter.statuses);
  if (filter.categoryId !== undefined) void query.where({ category_id: filter.categoryId });
  return (await read(query)).map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getPet(db: Database, accountId: number, id: number): Promise<Stored<Pet>> {
  const row = await read(db('pets').where({ account_id: accountId, id }).first<Row | undefined>(COLUMNS).options({ name: 'pets.get' }));
  if (row === undefined) throw notFound(id);
  return stored(row);
}

/** Creates a pet and its inventory, which starts at 0. @throws AppError invalid_reference */
export async function createPet(db: Database, accountId: number, values: PetValues): Promise<Stored<Pet>> {
  return transaction(db, async (trx) => {
    const { categoryId, ...rest } = values;
    const [row] = await trx('pets')
      .insert({ account_id: accountId, category_id: categoryId, ...rest })
      .returning<Row[]>(RETURNING);
    const pet = stored(row as Row);
    await trx('inventory').insert({ account_id: accountId, pet_id: pet.record.id });
    return pet;
  });
}

/** Changes the fields that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export async function updatePet(
  db: Database,
  accountId: number,
  id: number,
  changes: Partial<PetValues>,
  precondition?: Precondition,
): Promise<Stored<Pet>> {
  return transaction(db, async (trx) => {
    const before = await lockPet(trx, accountId, id);
    requireVersion(before, precondition);
    const { categoryId, ...rest } = { ...before.record, ...changes };
    const [row] = await trx('pets')
      .where({ account_id: accountId, id })
      .update({ name: rest.name, status: rest.status, category_id: categoryId, version: trx.raw('version + 1') })
      .returning<Row[]>(RETURNING);
    return stored(row as Row);
  });
}

/** Deletes the pet and its inventory. @throws AppError not_found, precondition_failed, pet_in_use */
export async function deletePet(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      // Inventory before pet, as orders lock them: an order that is being made is waited for, not collided with.
      await trx('inventory').where({ account_id: accountId, pet_id: id }).forUpdate().first('pet_id');
      requireVersion(await lockPet(trx, accountId, id), precondition);
      // Looked for before the foreign key does, which would wait for an order that is being changed and waits for the stock.
      const open = await trx('orders').where({ account_id: accountId, open_pet_id: id }).first<object | undefined>('id');
      if (open !== undefined) throw new AppError('pet_in_use', 'the pet has open orders');
      await trx('pets').where({ account_id: accountId, id }).delete();
    },
    { deleting: true },
  );
}

/** Sets the status, as a step of a change to the stock. */
export async function setPetStatus(trx: Transaction, accountId: number, id: number, status: PetStatus): Promise<void> {
  await trx('pets')
    .where({ account_id: accountId, id })
    .whereNot({ status })
    .update({ status, version: trx.raw('version + 1') });
}

async function lockPet(trx: Transaction, accountId: number, id: number): Promise<Stored<Pet>> {
  const row = await trx('pets').where({ account_id: accountId, id }).forUpdate().first<Row | undefined>(COLUMNS);
  if (row === undefined) throw notFound(id);
  return stored(row);
}
