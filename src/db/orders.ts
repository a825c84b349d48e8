/** Orders: purchases of animals. An open order holds units of its pet's stock; both change in one transaction. */
import {
  commitWith,
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
import { moveStock, refusal } from './inventory.ts';
import { setPetStatus } from './pets.ts';
import { recordStockEvents, wakeNumbering } from './stock-events.ts';
import { prepareWrite, recordTable, transaction } from './store.ts';

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

/** How often an order is tried for which there is enough when the reason is looked for. */
const MAX_ATTEMPTS = 3;

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

/** What the statement below writes of a new order: a property that it would leave out does not compile. */
const PLACED = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date' } satisfies Omit<typeof GIVEN, 'complete'>;

/**
 * Makes an open order for a pet: takes the units, lets the pet's status follow, and records the event, all by one statement. The status is read
 * behind the lock of the stock.
 */
const place = prepareWrite((db, accountId: number, petId: number, quantity: number, shipDate: string | null) =>
  db.raw<{ rows: Row[] }>(
    `WITH stock AS (
            UPDATE inventory SET quantity = quantity - :quantity, version = version + 1
             WHERE account_id = :accountId AND pet_id = :petId AND quantity >= :quantity
               AND NOT EXISTS (SELECT FROM pets WHERE account_id = :accountId AND id = :petId AND status = 'sold')
            RETURNING account_id, pet_id, quantity, version),
          pending AS (
            UPDATE pets SET status = 'pending', version = pets.version + CASE pets.status WHEN 'pending' THEN 0 ELSE 1 END
              FROM stock WHERE pets.account_id = :accountId AND pets.id = :petId AND stock.quantity = 0
            RETURNING pets.status, pets.version),
          unchanged AS (
            SELECT pets.status, pets.version FROM stock JOIN pets ON pets.account_id = :accountId AND pets.id = :petId
             WHERE stock.quantity > 0 FOR KEY SHARE OF pets),
          event AS (
            INSERT INTO pending_stock_events (account_id, pet_id, version, quantity, status)
            SELECT stock.account_id, stock.pet_id, stock.version + pet.version, stock.quantity, pet.status
              FROM stock CROSS JOIN (SELECT * FROM pending UNION ALL SELECT * FROM unchanged) pet)
     INSERT INTO orders (account_id, ${Object.values(PLACED).join(', ')})
     SELECT account_id, pet_id, CAST(:quantity AS integer), CAST(:shipDate AS timestamptz) FROM stock
     RETURNING ${returning(COLUMNS)
       .map((column) => column.replace(/ AS (.*)/, ' AS "$1"'))
       .join(', ')}`,
    { accountId, petId, quantity, shipDate: shipDate as never },
  ),
);

/** Makes the order and reserves its units, or does neither. @throws AppError out_of_stock, pet_sold, invalid_reference */
export async function createOrder(db: Database, accountId: number, given: NewOrder): Promise<Stored<Order>> {
  const values = apply(NOTHING, given);
  const columns = columnsOf(values);
  const { petId, quantity } = values;
  if (petId === null) return orders.create(db, accountId, columns);
  if (values.complete) return createComplete(db, accountId, values);
  for (let attempt = 1; ; attempt++) {
    const [row] = await place(db, accountId, petId, quantity ?? 1, columns.ship_date ?? null);
    if (row !== undefined) {
      wakeNumbering(db);
      return toStored(row);
    }
    // Units may have come back since.
    const refused = await refusal(db, accountId, petId, quantity ?? 1, attempt >= MAX_ATTEMPTS);
    if (refused !== undefined) throw refused;
  }
}

/** It holds no units, and may be the one that sells the pet out. */
const createComplete = (db: Database, accountId: number, values: Values): Promise<Stored<Order>> =>
  transaction(db, async (trx) => {
    // The stock first: a request for a popular pet waits here, and holds no other lock meanwhile.
    const moved = await moveReservation(trx, accountId, NOTHING, values);
    const order = await orders.create(trx, accountId, columnsOf(values));
    await sellOut(trx, accountId, values.petId, moved);
    return commitWith([recorded(trx, accountId, moved)], () => order);
  });

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
    const update = () => orders.update(trx, accountId, id, columnsOf(values));
    if (values.complete && !before.complete && moved.left === 0) {
      const order = await update();
      await sellOut(trx, accountId, values.petId, moved);
      return commitWith([recorded(trx, accountId, moved)], () => order);
    }
    return commitWith([update, recorded(trx, accountId, moved)], ([order]) => order);
  });
}

/** Deletes an open order and releases its units. @throws AppError not_found, precondition_failed, order_complete */
export async function deleteOrder(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  await transaction(db, async (trx) => {
    const before = await orders.lock(trx, accountId, id);
    requireVersion(toStored(before), precondition);
    if (before.complete) throw completed(id);
    const moved = await moveReservation(trx, accountId, before, NOTHING);
    return commitWith([() => orders.delete(trx, accountId, id), recorded(trx, accountId, moved)]);
  });
}

/** Records what has moved, if anything has: one of the last statements. */
const recorded = (trx: Transaction, accountId: number, { petIds }: Moved) =>
  petIds.size > 0 && (() => recordStockEvents(trx, accountId, [...petIds]));

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
