/** Pets: animals, each of one category, with a sales status. */
import {
  commitWith,
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
import { recordStockEvents, wakeNumbering } from './stock-events.ts';
import { prepareWrite, recordTable, table, transaction } from './store.ts';

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

const pets = recordTable('pets', COLUMNS, notFound, {
  beside: {
    stock: 'INSERT INTO inventory (account_id, pet_id) SELECT account_id, id FROM created RETURNING version, quantity',
    event: `INSERT INTO pending_stock_events (account_id, pet_id, version, quantity, status)
            SELECT account_id, id, created.version + stock.version, quantity, status FROM created, stock`,
  },
});

export const listPets = (db: Database, accountId: number, filter: PetFilter, page: Page) =>
  pets.list(db, accountId, page, { status: filter.statuses, category_id: filter.categoryId });

/** @throws AppError not_found */
export const getPet = (db: Database, accountId: number, id: number) => pets.get(db, accountId, id);

/** Creates a pet and its inventory, which starts at 0, with one statement. @throws AppError invalid_reference */
export async function createPet(db: Database, accountId: number, values: NewPet): Promise<Stored<Pet>> {
  const created = await pets.create(db, accountId, toColumns(GIVEN, values));
  wakeNumbering(db);
  return created;
}

/** Changes the properties that are given. @throws AppError not_found, precondition_failed, invalid_reference */
export const updatePet = (db: Database, accountId: number, id: number, changes: PetPatch, precondition?: Precondition) =>
  change(db, accountId, id, toColumns(GIVEN, changes), precondition);

/** As `updatePet`; a property that is not given is as in a new pet. */
export const replacePet = (db: Database, accountId: number, id: number, values: NewPet, precondition?: Precondition) =>
  change(db, accountId, id, toAllColumns(db, GIVEN, values), precondition);

async function change(db: Database, accountId: number, id: number, changes: Tables['pets']['update'], precondition?: Precondition) {
  const { status } = changes;
  if (status === undefined) return pets.update(db, accountId, id, changes, precondition);
  return transaction(db, async (trx) => {
    const before = await lockWithStock(trx, accountId, id);
    requireVersion(toStored(before), precondition);
    return commitWith(
      [() => pets.update(trx, accountId, id, changes), status !== before.status && (() => recordStockEvents(trx, accountId, [id]))],
      ([changed]) => changed,
    );
  });
}

const findWithStock = prepareWrite((db, accountId: number, id: number) =>
  table(db, 'inventory')
    .join('pets', (on) => on.on('pets.account_id', 'inventory.account_id').andOn('pets.id', 'inventory.pet_id'))
    .where({ 'inventory.account_id': accountId, 'inventory.pet_id': id })
    .forUpdate()
    .select<Row[]>(Object.fromEntries(Object.entries(COLUMNS).map(([property, column]) => [property, `pets.${column}`]))),
);

/** Inventory before pet, as orders lock them: an order that is being made is waited for, not collided with. @throws AppError not_found */
async function lockWithStock(trx: Transaction, accountId: number, id: number): Promise<Row> {
  const [row] = await findWithStock(trx, accountId, id);
  if (row === undefined) throw notFound(id);
  return row;
}

/** Deletes the pet, its inventory and its photos. @throws AppError not_found, precondition_failed, pet_in_use */
export async function deletePet(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(
    db,
    async (trx) => {
      requireVersion(toStored(await lockWithStock(trx, accountId, id)), precondition);
      // Looked for before the foreign key does, which would wait for an order that is being changed and waits for the stock.
      const [[open]] = await Promise.all([findOpenOrder(trx, accountId, id), deletePhotosOf(trx, accountId, id)]);
      if (open !== undefined) throw new AppError('pet_in_use', 'the pet has open orders');
      return commitWith([() => pets.delete(trx, accountId, id), () => recordStockEvents(trx, accountId, [id])]);
    },
    { deleting: true },
  );
}

const openOrders = (db: Database, accountId: number, id: number) =>
  table(db, 'orders').where({ account_id: accountId, open_pet_id: id }).select('id');

const findOpenOrder = prepareWrite((db, accountId: number, id: number) => openOrders(db, accountId, id).limit(1));

const setStatus = prepareWrite((db, accountId: number, id: number, status: PetStatus) =>
  table(db, 'pets')
    .where({ account_id: accountId, id })
    .whereNot({ status })
    .update({ status, version: db.raw('version + 1') })
    .returning('version'),
);

/** Sets the status, as a step of a change to the stock. @returns the new version, if it has changed. */
export async function setPetStatus(
  trx: Transaction,
  accountId: number,
  id: number,
  status: Exclude<PetStatus, 'sold'>,
): Promise<number | undefined> {
  const [row] = await setStatus(trx, accountId, id, status);
  return row?.version;
}

const setSold = prepareWrite((db, accountId: number, id: number) =>
  db.raw<{ rows: object[] }>(
    `WITH sold AS (
            UPDATE pets SET status = 'sold', version = version + 1
             WHERE account_id = :accountId AND id = :id AND status <> 'sold'
               AND NOT EXISTS (SELECT FROM orders WHERE account_id = :accountId AND open_pet_id = :id)
            RETURNING account_id, id, status, version)
     INSERT INTO pending_stock_events (account_id, pet_id, version, quantity, status)
     SELECT sold.account_id, sold.id, inventory.version + sold.version, inventory.quantity, sold.status
       FROM sold JOIN inventory ON inventory.account_id = :accountId AND inventory.pet_id = :id`,
    { accountId, id },
  ),
);

/** The last order completed when nothing is left makes the pet `sold`, which is an event. The caller has locked its stock, so one order is the last. */
export async function sellOut(trx: Transaction, accountId: number, id: number): Promise<void> {
  wakeNumbering(trx);
  await setSold(trx, accountId, id);
}
