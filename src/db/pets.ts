/** Pets: animals, each of one category, with a sales status. */
import {
  returning,
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
import { deletePhotosOf } from './photos.ts';
import { NEXT_EVENTS, notifyStreams, recordStockEvents } from './stock-events.ts';
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
  // Locked before the counter, as the foreign key would lock it after.
  const category = () => table(db, 'categories').where({ account_id: accountId, id: values.categoryId }).forKeyShare().select('account_id');
  const counter = () => db.raw(NEXT_EVENTS.replace('VALUES (?, ?)', 'SELECT account_id, 1 FROM category'));
  const event = () =>
    db
      .into(db.raw('stock_events (account_id, id, pet_id, quantity, status)'))
      .insert(db.select('created.account_id', 'last_id', 'created.id', db.raw('0'), 'status').from('created').crossJoin(db.raw('counter')));
  const query = () => db.with('created', created()).with('stock', stock()).with('category', category()).with('counter', counter());
  const [row] = await write(db, () => query().with('event', event()).select<Row[]>(COLUMNS).from('created'));
  notifyStreams(db, accountId);
  return toStored(row as Row);
}

/** Changes the properties that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export const updatePet = (db: Database, accountId: number, id: number, changes: PetPatch, precondition?: Precondition) =>
  change(db, accountId, id, toColumns(GIVEN, changes), precondition);

/** As `updatePet`; a property that is not given is as in a new pet. */
export const replacePet = (db: Database, accountId: number, id: number, values: NewPet, precondition?: Precondition) =>
  change(db, accountId, id, toAllColumns(db, GIVEN, values), precondition);

async function change(db: Database, accountId: number, id: number, changes: Tables['pets']['update'], precondition?: Precondition) {
  if (changes.status === undefined) return pets.update(db, accountId, id, changes, precondition);
  return transaction(db, async (trx) => {
    await lockStock(trx, accountId, id);
    const before = await pets.lock(trx, accountId, id);
    requireVersion(toStored(before), precondition);
    const query = table(trx, 'pets').where({ account_id: accountId, id });
    const [row] = await query.update({ ...changes, version: trx.raw('version + 1') }).returning<Row[]>(returning(COLUMNS));
    if (row?.status !== before.status) await recordStockEvents(trx, accountId, [id]);
    return toStored(row as Row);
  });
}

/** Inventory before pet, as orders lock them: an order that is being made is waited for, not collided with. */
const lockStock = (trx: Transaction, accountId: number, petId: number) =>
  table(trx, 'inventory').where({ account_id: accountId, pet_id: petId }).forUpdate().first('pet_id');

/** Deletes the pet, its inventory and its photos. @throws AppError not_found, precondition_failed, pet_in_use */
export async function deletePet(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      await lockStock(trx, accountId, id);
      requireVersion(toStored(await pets.lock(trx, accountId, id)), precondition);
      // Looked for before the foreign key does, which would wait for an order that is being changed and waits for the stock.
      if ((await openOrders(trx, accountId, id).first()) !== undefined) throw new AppError('pet_in_use', 'the pet has open orders');
      await deletePhotosOf(trx, accountId, id);
      await table(trx, 'pets').where({ account_id: accountId, id }).delete();
      await recordStockEvents(trx, accountId, [id]);
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
