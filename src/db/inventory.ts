/** Inventory: how many units of each pet can still be ordered. */
import { commitWith, toAllColumns, type ColumnMap, type Database, type RecordOf, type RowOf, type Transaction } from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError, bodyProblem } from '../errors.ts';
import { setPetStatus, type PetStatus } from './pets.ts';
import { recordStockEvents } from './stock-events.ts';
import { prepare, prepareWrite, read, table, transaction } from './store.ts';

export type InventoryUpdate = Input<'setInventory'>['body'];

type Qualified<Name extends keyof Tables> = {
  [Column in keyof Tables[Name]['base'] & string as `${Name}.${Column}`]: Tables[Name]['base'][Column];
};
interface WithPets {
  base: Qualified<'inventory'> & Qualified<'pets'>;
}

/** What a client gives, and what it gets. */
const GIVEN = { quantity: 'quantity' } as const satisfies ColumnMap<Tables['inventory'], InventoryUpdate>;
const COLUMNS = {
  petId: 'inventory.pet_id',
  quantity: 'inventory.quantity',
  status: 'pets.status',
  version: 'inventory.version',
  petVersion: 'pets.version',
} as const satisfies ColumnMap<WithPets, Schemas['InventoryItem']>;

type Row = RowOf<WithPets, typeof COLUMNS>;
export type InventoryItem = RecordOf<Omit<Row, 'version' | 'petVersion'>>;

/** The entry shows the pet's status too, so its version is that of both rows. */
const stored = ({ version, petVersion, ...record }: Row): Stored<InventoryItem> => ({ version: `${version}.${petVersion}`, record });

const notFound = (petId: number) => new AppError('not_found', `there is no pet ${petId}`);

const withPets = (db: Database) =>
  table(db, 'inventory').join('pets', (on) => on.on('pets.account_id', 'inventory.account_id').andOn('pets.id', 'inventory.pet_id'));

const byPet = (db: Database, accountId: number, petId: number) =>
  withPets(db).where({ 'inventory.account_id': accountId, 'inventory.pet_id': petId }).first<Row | undefined>(COLUMNS);

const find = prepare(byPet);

const stockOf = (db: Database, accountId: number, petId: number) => table(db, 'inventory').where({ account_id: accountId, pet_id: petId });

/** Both rows, as the version is that of both. */
const findLocked = prepareWrite((db, accountId: number, petId: number) =>
  withPets(db).where({ 'inventory.account_id': accountId, 'inventory.pet_id': petId }).forUpdate().select<Row[]>(COLUMNS),
);
/** Where nothing moves the version stays, and the row is locked all the same. */
const moved = (db: Database, change: number) => ({
  quantity: db.raw('quantity + ?::bigint', [change]),
  version: db.raw('version + least(1, abs(?::bigint))', [change]),
});
const give = prepareWrite((db, accountId: number, petId: number, change: number) =>
  stockOf(db, accountId, petId).whereRaw('quantity + ?::bigint >= 0', [change]).update(moved(db, change)).returning('quantity'),
);
const take = prepareWrite((db, accountId: number, petId: number, change: number) =>
  stockOf(db, accountId, petId)
    .whereRaw('quantity + ?::bigint >= 0', [change])
    .whereNotExists(table(db, 'pets').where({ account_id: accountId, id: petId, status: 'sold' }).select('id'))
    .update(moved(db, change))
    .returning('quantity'),
);

export async function listInventory(
  db: Database,
  accountId: number,
  filter: { statuses?: readonly PetStatus[] | undefined },
  { after, limit }: Page,
): Promise<InventoryItem[]> {
  // The pet's columns, for the index that begins with the status; the database does not infer one range from the other.
  const query = withPets(db).where('pets.account_id', accountId).where('pets.id', '>', after).where('inventory.pet_id', '>', after);
  if (filter.statuses !== undefined) void query.whereIn('pets.status', filter.statuses);
  const rows = await read(query.orderBy('pets.id').limit(limit).select<Row[]>(COLUMNS));
  return rows.map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getInventory(db: Database, accountId: number, petId: number): Promise<Stored<InventoryItem>> {
  const row = await find(db, accountId, petId);
  if (row === undefined) throw notFound(petId);
  return stored(row);
}

/** Sets the units that can be ordered from now on; at 0 the status stays. @throws AppError not_found, precondition_failed */
export async function setInventory(
  db: Database,
  accountId: number,
  petId: number,
  values: InventoryUpdate,
  precondition?: Precondition,
): Promise<Stored<InventoryItem>> {
  return transaction(db, async (trx) => {
    const [before] = await findLocked(trx, accountId, petId);
    if (before === undefined) throw notFound(petId);
    requireVersion(stored(before), precondition);
    const isBack = before.quantity === 0 && values.quantity > 0;
    const changes = { ...toAllColumns(trx, GIVEN, values), version: trx.raw('version + 1') };
    return commitWith(
      [
        async () => stockOf(trx, accountId, petId).update(changes).returning(['quantity', 'version']),
        isBack && (() => setPetStatus(trx, accountId, petId, 'available')),
        () => recordStockEvents(trx, accountId, [petId]),
      ],
      ([[row], petVersion]) => stored({ ...before, ...row, ...(petVersion !== undefined && { petVersion, status: 'available' }) }),
    );
  });
}

/**
 * Adds units to the stock of a pet, or takes some from it. Its row stays locked until the transaction ends; its status is for the caller to set.
 *
 * @returns the units that are left.
 * @throws AppError out_of_stock if fewer are there than are taken; pet_sold if any are taken of a pet that is sold;
 *   invalid_reference if there is no such pet.
 */
export async function moveStock(trx: Transaction, accountId: number, petId: number, change: number): Promise<number> {
  const [row] = await (change < 0 ? take : give)(trx, accountId, petId, change);
  if (row === undefined) throw (await refusal(trx, accountId, petId, -change)) as Error;
  return row.quantity;
}

/** Why units cannot be taken. @param isFinal whether it is told though there are enough by now. @returns undefined if there are. */
export async function refusal(db: Database, accountId: number, petId: number, wanted: number, isFinal = true) {
  const row = await byPet(db, accountId, petId);
  if (row === undefined)
    return new AppError('invalid_reference', bodyProblem('petId', 'reference', `refers to pet ${petId}, which does not exist`));
  if (row.status === 'sold') return new AppError('pet_sold', `pet ${petId} is sold`);
  if (row.quantity >= wanted && !isFinal) return undefined;
  return new AppError('out_of_stock', `pet ${petId} has ${row.quantity} in stock, ${wanted} more would be needed`);
}
