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
/**
 * Locks the stock of a pet, then the pet, unless it is sold. What a statement reads by a lock that it has waited for is current, where what it
 * reads of a row that it does not lock is as old as its snapshot: a pet that was sold meanwhile would still be available.
 *
 * @param condition another one, on `inventory` or `pets`. The parameters are `:accountId` and `:petId`.
 */
export const lockWithPet = (condition: string): string => `
            SELECT inventory.pet_id, pets.status, pets.version
              FROM inventory JOIN pets ON pets.account_id = inventory.account_id AND pets.id = inventory.pet_id
             WHERE inventory.account_id = :accountId AND inventory.pet_id = :petId AND pets.status <> 'sold' AND ${condition}
               FOR NO KEY UPDATE OF inventory, pets`;

/** A change of 0 only locks the row. */
const give = prepareWrite((db, accountId: number, petId: number, change: number) =>
  stockOf(db, accountId, petId)
    .update({ quantity: db.raw('quantity + ?::bigint', [change]), version: db.raw('version + least(1, abs(?::bigint))', [change]) })
    .returning('quantity'),
);
const take = prepareWrite((db, accountId: number, petId: number, units: number) =>
  db.raw<{ rows: { quantity: number }[] }>(
    `WITH locked AS (${lockWithPet('inventory.quantity >= :units')})
     UPDATE inventory SET quantity = inventory.quantity - :units, version = inventory.version + 1
       FROM locked WHERE inventory.account_id = :accountId AND inventory.pet_id = locked.pet_id
     RETURNING inventory.quantity`,
    { accountId, petId, units },
  ),
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

/** Sets the units that can be ordered from now on; at 0 the status stays, and for as many as there are the version. @throws AppError not_found, precondition_failed */
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
    if (values.quantity === before.quantity) return stored(before);
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
  const move = async () => (await (change < 0 ? take(trx, accountId, petId, -change) : give(trx, accountId, petId, change)))[0];
  let row = await move();
  if (row === undefined) {
    await requireStock(trx, accountId, petId, -change);
    row = await move();
  }
  return (row as { quantity: number }).quantity;
}

/** Locks the stock of a pet and the pet, so that as many units can be taken. @throws what `findRefusal` returns. */
export async function requireStock(trx: Transaction, accountId: number, petId: number, wanted: number): Promise<void> {
  const [row] = await findLocked(trx, accountId, petId);
  const refused = refusalOf(row, petId, wanted);
  if (refused !== undefined) throw refused;
}

/** Why units cannot be taken at the moment. @returns undefined if they can. */
export const findRefusal = async (db: Database, accountId: number, petId: number, wanted: number) =>
  refusalOf(await find(db, accountId, petId), petId, wanted);

function refusalOf(row: Row | undefined, petId: number, wanted: number) {
  if (row === undefined)
    return new AppError('invalid_reference', bodyProblem('petId', 'reference', `refers to pet ${petId}, which does not exist`));
  if (row.status === 'sold') return new AppError('pet_sold', `pet ${petId} is sold`);
  if (row.quantity >= wanted) return undefined;
  return new AppError('out_of_stock', `pet ${petId} has ${row.quantity} in stock, ${wanted} more would be needed`);
}
