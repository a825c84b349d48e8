/** Orders: purchases of animals. An open order holds units of its pet's stock; both change in one transaction. */
import {
  returning,
  toColumns,
  toStored,
  type ColumnMap,
  type Database,
  type RecordOf,
  type RowOf,
  type Transaction,
} from '@specwright/postgres';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import { toUtc } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { moveStock } from './inventory.ts';
import { setPetStatus } from './pets.ts';
import { recordStockEvents } from './stock-events.ts';
import { recordTable, table, transaction } from './store.ts';

export type NewOrder = Partial<Input<'createOrder'>['body']>;
/** Properties to set; `null` removes one, one that is absent stays. */
export type OrderPatch = Input<'updateOrder'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date', complete: 'complete' } as const satisfies ColumnMap<
  Tables['orders'],
  NewOrder | OrderPatch
>;
const COLUMNS = { id: 'id', ...GIVEN, version: 'version' } as const satisfies ColumnMap<Tables['orders'], Schemas['Order']>;

type Row = RowOf<Tables['orders'], typeof COLUMNS>;
type Values = RowOf<Tables['orders'], typeof GIVEN>;
export type Order = RecordOf<Omit<Row, 'version'>>;

const NOTHING: Values = { petId: null, quantity: null, shipDate: null, complete: false };

const columnsOf = (values: Values) =>
  toColumns(GIVEN, { ...values, shipDate: values.shipDate === null ? null : toUtc(values.shipDate, 'body/shipDate') });

const orders = recordTable('orders', COLUMNS, (id) => new AppError('not_found', `there is no order ${id}`));

export interface OrderFilter {
  petId?: number | undefined;
  complete?: boolean | undefined;
}

export const listOrders = (db: Database, accountId: number, filter: OrderFilter, page: Page) =>
  orders.list(db, accountId, page, (query) => {
    // Open orders by the column of their index: most orders of a pet are complete.
    if (filter.petId !== undefined) void query.where(filter.complete === false ? { open_pet_id: filter.petId } : { pet_id: filter.petId });
    if (filter.complete !== undefined) void query.where({ complete: filter.complete });
  });

/** @throws AppError not_found */
export const getOrder = (db: Database, accountId: number, id: number) => orders.get(db, accountId, id);

/** Makes the order and reserves its units, or does neither. @throws AppError out_of_stock, pet_sold, invalid_reference */
export async function createOrder(db: Database, accountId: number, given: NewOrder): Promise<Stored<Order>> {
  return transaction(db, async (trx) => {
    const values = apply(NOTHING, given);
    // The stock first: a request for a popular pet waits here, and holds no other lock meanwhile.
    const moved = await moveReservation(trx, accountId, NOTHING, values);
    const order = await orders.create(trx, accountId, columnsOf(values));
    if (values.complete) await sellOut(trx, accountId, values.petId, moved);
    await recordStockEvents(trx, accountId, [...moved.petIds]);
    return order;
  });
}

/**
 * Changes the fields that are given, and what the order holds of the stock with them.
 *
 * @throws AppError not_found, precondition_failed, out_of_stock, pet_sold, invalid_reference; order_complete if the order is
 *   complete and anything but `shipDate` would change.
 */
export async function updateOrder(
  db: Database,
  accountId: number,
  id: number,
  changes: OrderPatch,
  precondition?: Precondition,
): Promise<Stored<Order>> {
  return transaction(db, async (trx) => {
    const before = await orders.lock(trx, accountId, id);
    requireVersion(toStored(before), precondition);
    const values = apply(before, changes);
    if (before.complete && (!values.complete || values.petId !== before.petId || values.quantity !== before.quantity)) throw completed(id);
    const moved = await moveReservation(trx, accountId, before.complete ? NOTHING : before, before.complete ? NOTHING : values);
    const query = table(trx, 'orders').where({ account_id: accountId, id });
    const [row] = await query.update({ ...columnsOf(values), version: trx.raw('version + 1') }).returning<Row[]>(returning(COLUMNS));
    if (values.complete && !before.complete) await sellOut(trx, accountId, values.petId, moved);
    await recordStockEvents(trx, accountId, [...moved.petIds]);
    return toStored(row as Row);
  });
}

/** Deletes an open order and releases its units. @throws AppError not_found, precondition_failed, order_complete */
export async function deleteOrder(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(db, async (trx) => {
    const before = await orders.lock(trx, accountId, id);
    requireVersion(toStored(before), precondition);
    if (before.complete) throw completed(id);
    const moved = await moveReservation(trx, accountId, before, NOTHING);
    await table(trx, 'orders').where({ account_id: accountId, id }).delete();
    await recordStockEvents(trx, accountId, [...moved.petIds]);
  });
}

const completed = (id: number) => new AppError('order_complete', `order ${id} is complete`);

function apply(before: Values, changes: OrderPatch): Values {
  const values = { ...before, ...changes };
  return { ...values, quantity: values.petId === null ? values.quantity : (values.quantity ?? 1) };
}

interface Moved {
  /** The units left of the pet that the order will be for, if it is for any; its row is locked even where nothing moves. */
  readonly left: number | undefined;
  /** The pets whose stock or status has changed. */
  readonly petIds: Set<number>;
}

/**
 * Moves the units that an order holds from what it was to what it will be.
 *
 * Rows are locked in the order of their pets, so that two orders that swap pets do not deadlock.
 */
async function moveReservation(trx: Transaction, accountId: number, before: Values, after: Values): Promise<Moved> {
  const moves = new Map<number, number>();
  if (before.petId !== null) moves.set(before.petId, before.quantity ?? 0);
  if (after.petId !== null) moves.set(after.petId, (moves.get(after.petId) ?? 0) - (after.quantity ?? 0));
  let left: number | undefined;
  for (const [petId, change] of [...moves].sort(([a], [b]) => a - b)) {
    const units = await moveStock(trx, accountId, petId, change);
    if (petId === after.petId) left = units;
  }
  return { left, petIds: new Set([...moves].filter(([, change]) => change !== 0).map(([petId]) => petId)) };
}

/** The last order completed when nothing is left makes the pet `sold`. The pet's stock is locked, so one order is the last. */
async function sellOut(trx: Transaction, accountId: number, petId: number | null, { left, petIds }: Moved): Promise<void> {
  if (petId === null || left !== 0) return;
  if ((await setPetStatus(trx, accountId, petId, 'sold')) !== undefined) petIds.add(petId);
}
