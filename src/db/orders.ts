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
import { isDeepStrictEqual } from 'node:util';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { findRefusal, lockWithPet, moveStock, requireStock } from './inventory.ts';
import { sellOut, setPetStatus } from './pets.ts';
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

/** What the statement below writes of a new order: a property that it would leave out does not compile. */
const PLACED = { petId: 'pet_id', quantity: 'quantity', shipDate: 'ship_date', complete: 'complete' } satisfies typeof GIVEN;

/**
 * CTEs behind `stock`, the inventory that the statement has changed and locked: set the pet's status where `when` holds, and record an event.
 *
 * @param pet the FROM of a pet's status and version as its lock has read them: the statement's snapshot may be older than a change of the pet.
 */
const followStock = (status: 'available' | 'pending', when: string, isEvent: string, pet: { from: string; lock: string }) => `
          followed AS (
            UPDATE pets SET status = '${status}', version = pets.version + CASE pets.status WHEN '${status}' THEN 0 ELSE 1 END
              FROM stock WHERE pets.account_id = :accountId AND pets.id = stock.pet_id AND ${when}
            RETURNING pets.status, pets.version),
          unchanged AS (SELECT pet.status, pet.version FROM stock ${pet.from} WHERE NOT (${when}) ${pet.lock}),
          event AS (
            INSERT INTO pending_stock_events (account_id, pet_id, version, quantity, status)
            SELECT stock.account_id, stock.pet_id, stock.version + pet.version, stock.quantity, pet.status
              FROM stock CROSS JOIN (SELECT * FROM followed UNION ALL SELECT * FROM unchanged) pet WHERE ${isEvent})`;

/**
 * Makes an order for a pet: takes the units, and lets the pet's status follow. An open order is all done by this statement. Whether a complete one
 * sells the pet out is for another: this one has begun before it got the lock.
 */
const place = prepareWrite((db, accountId: number, petId: number, quantity: number, shipDate: string | null, complete: boolean) =>
  db.raw<{ rows: (Row & { left: number })[] }>(
    `WITH locked AS (${lockWithPet('inventory.quantity >= :quantity')}),
          stock AS (
            UPDATE inventory SET quantity = inventory.quantity - :quantity, version = inventory.version + 1
              FROM locked WHERE inventory.account_id = :accountId AND inventory.pet_id = locked.pet_id
            RETURNING inventory.account_id, inventory.pet_id, inventory.quantity, inventory.version),
          ${followStock('pending', 'stock.quantity = 0', 'NOT CAST(:complete AS boolean)', { from: 'CROSS JOIN locked pet', lock: '' })},
          placed AS (
            INSERT INTO orders (account_id, ${Object.values(PLACED).join(', ')})
            SELECT account_id, pet_id, CAST(:quantity AS integer), CAST(:shipDate AS timestamptz), CAST(:complete AS boolean) FROM stock
            RETURNING *)
     SELECT ${returning(COLUMNS)
       .map((column) => column.replace(/ AS (.*)/, ' AS "$1"'))
       .join(', ')}, (SELECT quantity FROM stock) AS left FROM placed`,
    { accountId, petId, quantity, shipDate: shipDate as never, complete },
  ),
);

/** Deletes an open order, and releases its units. @param version the one that it must have, if it is not null. */
const release = prepareWrite((db, accountId: number, id: number, version: number | null) =>
  db.raw<{ rows: object[] }>(
    `WITH released AS (
            DELETE FROM orders WHERE account_id = :accountId AND id = :id AND NOT complete
               AND version = coalesce(CAST(:version AS bigint), version)
            RETURNING pet_id, quantity),
          stock AS (
            UPDATE inventory SET quantity = inventory.quantity + released.quantity, version = inventory.version + 1
              FROM released WHERE inventory.account_id = :accountId AND inventory.pet_id = released.pet_id
            RETURNING inventory.account_id, inventory.pet_id, inventory.quantity, inventory.version, released.quantity AS units),
          ${followStock('available', 'stock.quantity = stock.units', 'true', {
            from: 'JOIN pets pet ON pet.account_id = :accountId AND pet.id = stock.pet_id',
            lock: 'FOR NO KEY UPDATE OF pet',
          })}
     SELECT 1 FROM released`,
    { accountId, id, version: version as never },
  ),
);

/** Makes the order and reserves its units, or does neither. @throws AppError out_of_stock, pet_sold, invalid_reference */
export async function createOrder(db: Database, accountId: number, given: NewOrder): Promise<Stored<Order>> {
  const values = apply(NOTHING, given);
  const columns = columnsOf(values);
  const { petId, complete } = values;
  if (petId === null) return orders.create(db, accountId, columns);
  const quantity = values.quantity ?? 1;
  const attempt = async (one: Database) => {
    const placeOn = (on: Database) => place(on, accountId, petId, quantity, columns.ship_date ?? null, complete);
    return complete ? placeComplete(one, accountId, petId, placeOn) : (await placeOn(one))[0];
  };
  let order = await attempt(db);
  if (order === undefined) {
    const refused = await findRefusal(db, accountId, petId, quantity);
    if (refused !== undefined) throw refused;
    // Units have come back since, or the pet: what is read behind its lock decides.
    order = await transaction(db, async (trx) => {
      await requireStock(trx, accountId, petId, quantity);
      return attempt(trx);
    });
  }
  if (!complete) wakeNumbering(db);
  const row: Row & { left?: number } = order as NonNullable<typeof order>;
  delete row.left;
  return toStored<Row>(row);
}

/** A complete order holds no units, and may be the one that sells the pet out. @returns undefined if there are not enough units. */
const placeComplete = (db: Database, accountId: number, petId: number, placeOn: (trx: Database) => ReturnType<typeof place>) =>
  transaction(db, async (trx) => {
    const [order] = await placeOn(trx);
    if (order === undefined) return undefined;
    return commitWith(
      [order.left === 0 && (() => sellOut(trx, accountId, petId)), () => recordStockEvents(trx, accountId, [petId])],
      () => order,
    );
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
    if (isDeepStrictEqual(columnsOf(values), columnsOf(before))) return toStored(before);
    const moves = await moveReservation(trx, accountId, before.complete ? NOTHING : before, before.complete ? NOTHING : values);
    const isLast = values.complete && !before.complete && moves.some(({ petId, left }) => petId === values.petId && left === 0);
    return commitWith(
      [
        () => orders.update(trx, accountId, id, columnsOf(values)),
        ...followMoves(trx, accountId, moves),
        isLast && (() => sellOut(trx, accountId, values.petId as number)),
        ...recordMoves(trx, accountId, moves),
      ],
      ([order]) => order,
    );
  });
}

/** Deletes an open order and releases its units. @throws AppError not_found, precondition_failed, order_complete */
export async function deleteOrder(db: Database, accountId: number, id: number, precondition?: Precondition): Promise<void> {
  const findVersion = async () => {
    const order = await orders.get(db, accountId, id);
    requireVersion(order, precondition);
    if (order.record.complete) throw completed(id);
    return Number(order.version);
  };
  // What was compared must be what is deleted: an order that is changed in between is compared again.
  for (let version = precondition === undefined ? null : await findVersion(); ; version = await findVersion()) {
    const [deleted] = await release(db, accountId, id, version);
    if (deleted !== undefined) return wakeNumbering(db);
  }
}

const completed = (id: number) => new AppError('order_complete', `order ${id} is complete`);

function apply(before: Values, changes: OrderPatch): Values {
  const values = { ...before, ...changes };
  return { ...values, quantity: values.petId === null ? values.quantity : (values.quantity ?? 1) };
}

interface Move {
  readonly petId: number;
  /** How many units come back; negative if they are taken, 0 where nothing moves and the row is locked all the same. */
  readonly change: number;
  /** The units that are left. */
  readonly left: number;
}

/**
 * Moves the units that an order holds from what it was to what it will be.
 *
 * Rows are locked in the order of their pets, so that two orders that swap pets do not deadlock.
 */
async function moveReservation(trx: Transaction, accountId: number, before: Values, after: Values): Promise<Move[]> {
  const changes = new Map<number, number>();
  if (before.petId !== null) changes.set(before.petId, before.quantity ?? 0);
  if (after.petId !== null) changes.set(after.petId, (changes.get(after.petId) ?? 0) - (after.quantity ?? 0));
  const sorted = [...changes].sort(([a], [b]) => a - b);
  return Promise.all(sorted.map(async ([petId, change]) => ({ petId, change, left: await moveStock(trx, accountId, petId, change) })));
}

type LastStatement = () => Promise<unknown>;

/** Statements that let the statuses of pets follow their stock: the last unit taken makes one `pending`, the first one returned `available`. */
const followMoves = (trx: Transaction, accountId: number, moves: readonly Move[]): LastStatement[] =>
  moves.flatMap(({ petId, change, left }) => {
    if (change > 0 && left === change) return [() => setPetStatus(trx, accountId, petId, 'available')];
    return change < 0 && left === 0 ? [() => setPetStatus(trx, accountId, petId, 'pending')] : [];
  });

/** Behind those: the events of pets whose stock has changed. */
function recordMoves(trx: Transaction, accountId: number, moves: readonly Move[]): LastStatement[] {
  const petIds = moves.flatMap(({ petId, change }) => (change === 0 ? [] : [petId]));
  return petIds.length === 0 ? [] : [() => recordStockEvents(trx, accountId, petIds)];
}
