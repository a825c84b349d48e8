/** Inventory: how many units of each pet can still be ordered. They are a column of the pet's row, since its status follows them. */
import { toStored, type ColumnMap, type Database, type RowOf, type Transaction } from '@specwright/postgres';
import { requireVersion, type Page, type Precondition, type Stored } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError, bodyProblem } from '../errors.ts';
import { recordStockEvents } from './stock-events.ts';
import { setUnits, type Stock } from './stock.ts';
import { recordTable, table, transaction } from './store.ts';

export type InventoryUpdate = Input<'setInventory'>['body'];
export type InventoryItem = Schemas['InventoryItem'];

const READABLE = { id: 'id', quantity: 'quantity', status: 'status', version: 'version' } as const satisfies ColumnMap<
  Tables['pets'],
  Omit<InventoryItem, 'petId'>
>;

type Row = RowOf<Tables['pets'], typeof READABLE>;

const stocks = recordTable('pets', READABLE, (petId) => new AppError('not_found', `there is no pet ${petId}`));

const toItem = ({ id, ...rest }: Stock): InventoryItem => ({ petId: id, ...rest });
const toStoredItem = ({ version, record }: Stored<Stock>): Stored<InventoryItem> => ({ version, record: toItem(record) });

export const listInventory = async (
  db: Database,
  accountId: number,
  filter: { statuses?: readonly Stock['status'][] | undefined },
  page: Page,
) => (await stocks.list(db, accountId, page, { status: filter.statuses })).map(toItem);

/** @throws AppError not_found */
export const getInventory = async (db: Database, accountId: number, petId: number) => toStoredItem(await stocks.get(db, accountId, petId));

/** Sets the units that can be ordered from now on; the version stays if there are as many. @throws AppError not_found, precondition_failed */
export const setInventory = (db: Database, accountId: number, petId: number, { quantity }: InventoryUpdate, precondition?: Precondition) =>
  transaction(db, async (trx) => {
    const before = await stocks.lock(trx, accountId, petId);
    requireVersion(toStored(before), precondition);
    if (quantity === before.quantity) return toStoredItem(toStored(before));
    const { status } = setUnits(before, quantity);
    const after = await stocks.update(trx, accountId, petId, { quantity, status });
    await recordStock(trx, accountId, [petId]);
    return toStoredItem(after);
  });

/**
 * Locks the stocks of pets, in the order of their ids: two orders that swap their pets do not deadlock. What a lock reads is current, however
 * long it was waited for.
 *
 * @throws AppError invalid_reference if one does not exist
 */
export async function lockStocks(trx: Transaction, accountId: number, petIds: readonly number[]): Promise<readonly Stock[]> {
  const query = table(trx, 'pets').where({ account_id: accountId }).whereIn('id', petIds).orderBy('id').forNoKeyUpdate();
  const rows = await query.select<Row[]>(READABLE);
  const missing = petIds.find((petId) => rows.every(({ id }) => id !== petId));
  if (missing === undefined) return rows;
  throw new AppError('invalid_reference', bodyProblem('petId', 'reference', `refers to pet ${missing}, which does not exist`));
}

/** Writes what changes have left of locked stocks, with an event for each. Where nothing has changed the version stays. */
export async function writeStocks(trx: Transaction, accountId: number, changes: readonly (readonly [before: Stock, after: Stock])[]) {
  const changed = changes.filter(([before, after]) => after.quantity !== before.quantity || after.status !== before.status);
  for (const [, { id, quantity, status }] of changed) await stocks.update(trx, accountId, id, { quantity, status });
  await recordStock(
    trx,
    accountId,
    changed.map(([, { id }]) => id),
  );
}

/** Records an event of each pet's stock and status as the transaction leaves them. Their rows are written, and still locked. */
export async function recordStock(trx: Transaction, accountId: number, petIds: readonly number[]): Promise<void> {
  if (petIds.length > 0) await recordStockEvents(trx, accountId, petIds);
}
