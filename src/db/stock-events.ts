/** Events of the stock: every change of a pet's units or status, for whoever follows `GET /store/inventory/events`. */
import type { Transaction } from '@specwright/postgres';
import { defineEventLog } from '@specwright/postgres/events';
import type { Schemas } from '../../generated/contract.ts';
import type { Stock } from './stock.ts';

export const stockEvents = defineEventLog<Schemas['InventoryEvent']>('stock');

/** Records pets as the transaction leaves them. Their rows are written, and still locked. */
export const recordStock = (trx: Transaction, accountId: number, stocks: readonly Stock[]): Promise<void> =>
  stockEvents.append(
    trx,
    accountId,
    ...stocks.map(({ id, quantity, status }) => ({ event: 'changed' as const, data: { petId: id, quantity, status } })),
  );

export const recordRemoval = (trx: Transaction, accountId: number, petId: number): Promise<void> =>
  stockEvents.append(trx, accountId, { event: 'removed', data: { petId } });
