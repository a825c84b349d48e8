/** Inventory: how many units of each pet can still be ordered. */
import type { Database, Transaction } from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import { AppError } from '../errors.ts';
import { setPetStatus, type PetStatus } from './pets.ts';
import { read, transaction } from './store.ts';

export interface InventoryItem {
  petId: number;
  quantity: number;
  status: PetStatus;
}

interface Row extends InventoryItem {
  version: number;
  petVersion: number;
}

const COLUMNS = {
  petId: 'inventory.pet_id',
  quantity: 'inventory.quantity',
  status: 'pets.status',
  version: 'inventory.version',
  petVersion: 'pets.version',
};

/** The entry shows the pet's status too, so its version is that of both rows. */
const stored = ({ version, petVersion, ...record }: Row): Stored<InventoryItem> => ({ version: `${version}.${petVersion}`, record });

const notFound = (petId: number) => new AppError('not_found', `there is no pet ${petId}`);

const withPets = (db: Database | Transaction) =>
  db('inventory').join('pets', (on) => on.on('pets.account_id', 'inventory.account_id').andOn('pets.id', 'inventory.pet_id'));

export async function listInventory(
  db: Database,
  accountId: number,
  filter: { statuses?: readonly PetStatus[] | undefined },
  { after, limit }: Page,
): Promise<InventoryItem[]> {
  const query = withPets(db)
    .where('inventory.account_id', accountId)
    .where('inventory.pet_id', '>', after)
    .orderBy('inventory.pet_id')
    .limit(limit)
    .select<Row[]>(COLUMNS);
  if (filter.statuses !== undefined) void query.whereIn('pets.status', filter.statuses);
  return (await read(query)).map((row) => stored(row).record);
}

/** @throws AppError not_found */
export async function getInventory(db: Database, accountId: number, petId: number): Promise<Stored<InventoryItem>> {
  const row = await read(byPet(db, accountId, petId).options({ name: 'inventory.get' }));
  if (row === undefined) throw notFound(petId);
  return stored(row);
}

/** Sets the units that can be ordered from now on. @throws AppError not_found, precondition_failed */
export async function setInventory(
  db: Database,
  accountId: number,
  petId: number,
  quantity: number,
  precondition?: Precondition,
): Promise<Stored<InventoryItem>> {
  return transaction(db, async (trx) => {
    // Both rows, as the version is that of both.
    const before = await byPet(trx, accountId, petId).forUpdate();
    if (before === undefined) throw notFound(petId);
    requireVersion(stored(before), precondition);
    await changeStock(trx, accountId, petId, quantity - before.quantity);
    const after = await byPet(trx, accountId, petId);
    return stored(after as Row);
  });
}

/**
 * Adds units to the stock of a pet, or takes some from it, and lets its status follow: the last one taken makes the pet
 * `pending`, the first one returned `available`. The row stays locked until the transaction ends.
 *
 * @returns the units that are left.
 * @throws AppError out_of_stock if fewer are there than are taken; invalid_reference if there is no such pet.
 */
export async function moveStock(trx: Transaction, accountId: number, petId: number, change: number): Promise<number> {
  const left = await changeStock(trx, accountId, petId, change);
  if (left === 0 && change < 0) await setPetStatus(trx, accountId, petId, 'pending');
  return left;
}

/** As `moveStock`, for a count that was corrected rather than ordered: at 0 the status stays. */
async function changeStock(trx: Transaction, accountId: number, petId: number, change: number): Promise<number> {
  if (change === 0) return lockStock(trx, accountId, petId);
  const [row] = await trx('inventory')
    .where({ account_id: accountId, pet_id: petId })
    .whereRaw('quantity + ?::bigint >= 0', [change])
    .update({ quantity: trx.raw('quantity + ?::bigint', [change]), version: trx.raw('version + 1') })
    .returning<{ quantity: number }[]>('quantity');
  if (row === undefined) throw await refusal(trx, accountId, petId, -change);
  if (change > 0 && row.quantity === change) await setPetStatus(trx, accountId, petId, 'available');
  return row.quantity;
}

/** Nothing moves, so the version stays; the row is locked all the same. */
async function lockStock(trx: Transaction, accountId: number, petId: number): Promise<number> {
  const row = await trx('inventory')
    .where({ account_id: accountId, pet_id: petId })
    .forUpdate()
    .first<{ quantity: number } | undefined>('quantity');
  if (row === undefined) throw await refusal(trx, accountId, petId, 0);
  return row.quantity;
}

async function refusal(trx: Transaction, accountId: number, petId: number, wanted: number): Promise<InstanceType<typeof AppError>> {
  const row = await trx('inventory').where({ account_id: accountId, pet_id: petId }).first<{ quantity: number } | undefined>('quantity');
  if (row === undefined) return new AppError('invalid_reference', `body/petId refers to pet ${petId}, which does not exist`);
  return new AppError('out_of_stock', `pet ${petId} has ${row.quantity} in stock, ${wanted} more would be needed`);
}

function byPet(db: Database | Transaction, accountId: number, petId: number) {
  return withPets(db).where({ 'inventory.account_id': accountId, 'inventory.pet_id': petId }).first<Row | undefined>(COLUMNS);
}
