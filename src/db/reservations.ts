/** What open orders hold of the stock of pets. It moves in the transaction of the order: lock, decide, write. */
import type { Transaction } from '@specwright/postgres';
import { isDeepStrictEqual } from 'node:util';
import { AppError, bodyProblem } from '../errors.ts';
import { recordStock } from './stock-events.ts';
import { moveUnits, type Stock } from './stock.ts';
import { table } from './store.ts';

/** What an order says of the stock. */
export interface Reservation {
  readonly petId: number | null;
  readonly quantity: number | null;
  readonly complete: boolean;
}

/**
 * Moves the units that an open order holds from what it was to what it will be. Where neither a stock nor a status changes, no version does.
 *
 * @param orderId of an order that exists. @throws AppError out_of_stock, pet_sold, invalid_reference
 */
export async function moveReservation(trx: Transaction, accountId: number, before: Reservation, after: Reservation, orderId?: number) {
  const units = new Map<number, number>();
  if (before.petId !== null) units.set(before.petId, before.quantity ?? 0);
  if (after.petId !== null) units.set(after.petId, (units.get(after.petId) ?? 0) - (after.quantity ?? 0));
  const completed = after.complete ? after.petId : null;
  const petIds = [...units.keys()].filter((petId) => units.get(petId) !== 0 || petId === completed);
  if (petIds.length === 0) return;

  const stocks = await lockStocks(trx, accountId, petIds);
  // Read behind the lock, which whoever opens or ends an order of the pet takes first.
  const isLast = completed !== null && !(await hasOpenOrder(trx, accountId, completed, orderId));

  const moved = stocks.map((stock) =>
    moveUnits(stock, { units: units.get(stock.id) ?? 0, completesLast: isLast && stock.id === completed }),
  );

  const changed = moved.filter((stock, n) => !isDeepStrictEqual(stock, stocks[n]));
  for (const { id, quantity, status } of changed)
    await table(trx, 'pets').where({ account_id: accountId, id }).update({ quantity, status }).increment('version', 1);
  await recordStock(trx, accountId, changed);
}

/**
 * Locks pets in the order of their ids: two orders that swap their pets do not deadlock. What a lock reads is current, however long it was
 * waited for.
 */
async function lockStocks(trx: Transaction, accountId: number, petIds: readonly number[]): Promise<readonly Stock[]> {
  const query = table(trx, 'pets').where({ account_id: accountId }).whereIn('id', petIds).orderBy('id').forNoKeyUpdate();
  const stocks = await query.select('id', 'quantity', 'status');
  const missing = petIds.find((petId) => stocks.every(({ id }) => id !== petId));
  if (missing === undefined) return stocks;
  throw new AppError('invalid_reference', bodyProblem('petId', 'reference', `refers to pet ${missing}, which does not exist`));
}

/** Whether an open order holds units of a pet. @param except the id of an order that does not count. */
export async function hasOpenOrder(trx: Transaction, accountId: number, petId: number, except = 0): Promise<boolean> {
  const query = table(trx, 'orders').where({ account_id: accountId, open_pet_id: petId }).whereNot({ id: except });
  return (await query.first('id')) !== undefined;
}
