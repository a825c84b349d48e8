/** Orders: purchases of animals. An open order holds units of its pet's stock: both are locked, decided on and written in one transaction. */
import { returning, toColumns, toStored, type ColumnMap, type Database, type RowOf } from '@specwright/postgres';
import { toUtc, type Page, type Precondition } from '@specwright/server';
import { isDeepStrictEqual } from 'node:util';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { moveReservation } from './reservations.ts';
import { stockEvents } from './stock-events.ts';
import { read, recordTable, transaction } from './store.ts';

export type NewOrder = Partial<Input<'createOrder'>['body']>;
/** Properties to set; `null` removes one, one that is absent stays. */
export type OrderPatch = Input<'updateOrder'>['body'];

const WRITABLE = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date', complete: 'complete' } as const satisfies ColumnMap<
  Tables['orders'],
  NewOrder | OrderPatch
>;
const READABLE = { id: 'id', ...WRITABLE, version: 'version' } as const satisfies ColumnMap<Tables['orders'], Schemas['Order']>;

type Row = RowOf<Tables['orders'], typeof READABLE>;
type Values = RowOf<Tables['orders'], typeof WRITABLE>;

const DRAFT: Values = { petId: null, quantity: null, shipDate: null, complete: false };

const RETURNING = returning(READABLE);

const shipDateOf = ({ shipDate }: Values) => (shipDate === null ? null : toUtc(shipDate, 'body/shipDate'));
const columnsOf = (values: Values) => toColumns(WRITABLE, { ...values, shipDate: shipDateOf(values) });

const orders = recordTable('orders', READABLE, (id) => new AppError('not_found', `there is no order ${id}`));

export interface OrderFilter {
  petId?: number | undefined;
  complete?: boolean | undefined;
}

export const listOrders = (db: Database, accountId: number, filter: OrderFilter, page: Page) =>
  orders.list(db, accountId, page, {
    // Open orders by the column of their index: most orders of a pet are complete.
    [filter.complete === false ? 'open_pet_id' : 'pet_id']: filter.petId,
    complete: filter.complete,
  });

/** @throws AppError not_found */
export const getOrder = (db: Database, accountId: number, id: number) => orders.get(db, accountId, id);

/** Creates the order and takes its units, or does neither. @throws AppError out_of_stock, pet_sold, invalid_reference */
export async function createOrder(db: Database, accountId: number, given: NewOrder) {
  const values = apply(DRAFT, given);
  if (values.petId === null) return orders.create(db, accountId, columnsOf(values));
  const placed = values.complete ? undefined : await place(db, accountId, values);
  if (placed !== undefined) return toStored(placed);
  return transaction(db, async (trx) => {
    await moveReservation(trx, accountId, DRAFT, values);
    return orders.create(trx, accountId, columnsOf(values));
  });
}

/**
 * The fast path of an open order: `moveUnits` in one statement, whose conditions PostgreSQL checks again on a row that it has waited for.
 *
 * @returns undefined if the units cannot be taken so: `moveReservation` decides.
 */
async function place(db: Database, accountId: number, values: Values): Promise<Row | undefined> {
  const { rows } = await read(
    db.raw<{ rows: Row[] }>(
      `WITH stock AS (
              UPDATE pets SET quantity = quantity - :quantity, version = version + 1,
                     status = CASE WHEN quantity = :quantity THEN 'pending' ELSE status END
               WHERE account_id = :accountId AND id = :petId AND status <> 'sold' AND quantity >= :quantity
              RETURNING account_id, id, quantity, status),
            event AS (
              INSERT INTO event_log_pending (account_id, log, event)
              SELECT account_id, :log, json_build_object('event', 'changed',
                       'data', json_build_object('petId', id, 'quantity', quantity, 'status', status)) FROM stock)
       INSERT INTO orders (account_id, pet_id, quantity, ship_date)
       SELECT account_id, id, CAST(:quantity AS integer), CAST(:shipDate AS timestamptz) FROM stock
       RETURNING :columns:`,
      { accountId, log: stockEvents.name, ...values, shipDate: shipDateOf(values), columns: RETURNING as never },
    ),
  );
  if (rows.length > 0) stockEvents.publish(db);
  return rows[0];
}

/**
 * Changes the properties that are given, and what the order holds of the stock with them.
 *
 * @throws AppError not_found, precondition_failed, out_of_stock, pet_sold, invalid_reference; order_complete if the order is
 *   complete and anything but `shipDate` would change.
 */
export const updateOrder = (db: Database, accountId: number, id: number, changes: OrderPatch, precondition?: Precondition) =>
  transaction(db, async (trx) => {
    const before = await orders.lock(trx, accountId, id, precondition);
    const after = apply(before, changes);
    if (before.complete && (!after.complete || after.petId !== before.petId || after.quantity !== before.quantity)) throw completed(id);
    if (isDeepStrictEqual(columnsOf(after), columnsOf(before))) return toStored(before);
    if (!before.complete) await moveReservation(trx, accountId, before, after, id);
    return orders.update(trx, accountId, id, columnsOf(after));
  });

/** Deletes an open order and gives its units back. @throws AppError not_found, precondition_failed, order_complete */
export const deleteOrder = (db: Database, accountId: number, id: number, precondition?: Precondition) =>
  transaction(db, async (trx) => {
    const before = await orders.lock(trx, accountId, id, precondition);
    if (before.complete) throw completed(id);
    await moveReservation(trx, accountId, before, DRAFT);
    await orders.delete(trx, accountId, id);
  });

const completed = (id: number) => new AppError('order_complete', `order ${id} is complete`);

/** An order of a pet is one of at least one unit. */
function apply(before: Values, changes: OrderPatch): Values {
  const values = { ...before, ...changes };
  return { ...values, quantity: values.petId === null ? values.quantity : (values.quantity ?? 1) };
}
