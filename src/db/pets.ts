/** Pets: animals, each of one category, with a sales status. */
import { toAllColumns, toColumns, type ColumnMap, type Database } from '@specwright/postgres';
import type { Page, Precondition } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { lockStock } from './inventory.ts';
import { deletePhotosOf } from './photos.ts';
import { hasOpenOrder } from './reservations.ts';
import { recordRemoval, recordStock } from './stock-events.ts';
import { recordTable, transaction } from './store.ts';

export type PetStatus = Schemas['PetStatus'];
export type NewPet = Input<'createPet'>['body'];
export type PetPatch = Input<'updatePet'>['body'];

const WRITABLE = { name: 'name', categoryId: 'category_id', status: 'status' } as const satisfies ColumnMap<
  Tables['pets'],
  NewPet | PetPatch
>;
const READABLE = { id: 'id', ...WRITABLE, version: 'version' } as const satisfies ColumnMap<Tables['pets'], Schemas['Pet']>;

export interface PetFilter {
  statuses?: readonly PetStatus[] | undefined;
  categoryId?: number | undefined;
}

const pets = recordTable('pets', READABLE, (id) => new AppError('not_found', `there is no pet ${id}`));

export const listPets = (db: Database, accountId: number, filter: PetFilter, page: Page) =>
  pets.list(db, accountId, page, { status: filter.statuses, category_id: filter.categoryId });

/** @throws AppError not_found */
export const getPet = (db: Database, accountId: number, id: number) => pets.get(db, accountId, id);

/** Creates a pet without units in stock. @throws AppError invalid_reference */
export const createPet = (db: Database, accountId: number, values: NewPet) =>
  transaction(db, async (trx) => {
    const created = await pets.create(trx, accountId, toColumns(WRITABLE, values));
    await recordStock(trx, accountId, [{ ...created.record, quantity: 0 }]);
    return created;
  });

/** Changes the properties that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export const updatePet = (db: Database, accountId: number, id: number, changes: PetPatch, precondition?: Precondition) =>
  change(db, accountId, id, toColumns(WRITABLE, changes), precondition);

/** As `updatePet`; a property that is not given is as in a new pet. */
export const replacePet = (db: Database, accountId: number, id: number, values: NewPet, precondition?: Precondition) =>
  change(db, accountId, id, toAllColumns(db, WRITABLE, values), precondition);

/** A change of the status is an event of the stock. */
async function change(db: Database, accountId: number, id: number, changes: Tables['pets']['update'], precondition?: Precondition) {
  if (changes.status === undefined) return pets.update(db, accountId, id, changes, precondition);
  return transaction(db, async (trx) => {
    const before = await lockStock(trx, accountId, id, precondition);
    const changed = await pets.update(trx, accountId, id, changes);
    const { status } = changed.record;
    if (status !== before.status) await recordStock(trx, accountId, [{ ...before, status }]);
    return changed;
  });
}

/** Deletes the pet, its stock and its photos. @throws AppError not_found, precondition_failed, pet_in_use */
export const deletePet = (db: Database, accountId: number, id: number, precondition?: Precondition) =>
  transaction(
    db,
    async (trx) => {
      await pets.lock(trx, accountId, id, precondition);
      // Read before the foreign key does it, which would wait for an order that is being changed and waits for the pet.
      if (await hasOpenOrder(trx, accountId, id)) throw new AppError('pet_in_use', 'the pet has open orders');
      await deletePhotosOf(trx, accountId, id);
      await pets.delete(trx, accountId, id);
      await recordRemoval(trx, accountId, id);
    },
    { deleting: true },
  );
