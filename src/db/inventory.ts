/** Inventory: how many units of each pet can still be ordered. They are a column of the pet's row, since its status follows them. */
import { toStored, type ColumnMap, type Database, type Transaction } from '@specwright/postgres';
import type { Page, Precondition, Stored } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { recordStock } from './stock-events.ts';
import { setUnits, type Stock } from './stock.ts';
import { recordTable, transaction } from './store.ts';

export type InventoryUpdate = Input<'setInventory'>['body'];

const READABLE = { id: 'id', quantity: 'quantity', status: 'status', version: 'version' } as const satisfies ColumnMap<
  Tables['pets'],
  Omit<Schemas['InventoryItem'], 'petId'>
>;

const stocks = recordTable('pets', READABLE, (petId) => new AppError('not_found', `there is no pet ${petId}`));

const toItem = ({ id, ...rest }: Stock) => ({ petId: id, ...rest });
const toStoredItem = ({ version, record }: Stored<Stock>) => ({ version, record: toItem(record) });

export const listInventory = async (
  db: Database,
  accountId: number,
  filter: { statuses?: readonly Stock['status'][] | undefined },
  page: Page,
) => (await stocks.list(db, accountId, page, { status: filter.statuses })).map(toItem);

/** @throws AppError not_found */
export const getInventory = async (db: Database, accountId: number, petId: number) => toStoredItem(await stocks.get(db, accountId, petId));

/** Locks a pet, as its stock. @throws AppError not_found, precondition_failed */
export const lockStock = (trx: Transaction, accountId: number, petId: number, precondition?: Precondition): Promise<Stock> =>
  stocks.lock(trx, accountId, petId, precondition);

/** Sets the units that can be ordered from now on; the version stays if there are as many. @throws AppError not_found, precondition_failed */
export const setInventory = (db: Database, accountId: number, petId: number, { quantity }: InventoryUpdate, precondition?: Precondition) =>
  transaction(db, async (trx) => {
    const before = await stocks.lock(trx, accountId, petId, precondition);
    if (quantity === before.quantity) return toStoredItem(toStored(before));
    const { status } = setUnits(before, quantity);
    const after = await stocks.update(trx, accountId, petId, { quantity, status });
    await recordStock(trx, accountId, [after.record]);
    return toStoredItem(after);
  });
