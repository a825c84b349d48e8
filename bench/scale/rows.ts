/** What reads take among ten thousand rows and among a million. */
import { connect, type Database } from '@specwright/postgres';
import { getOrder, listOrders } from '../../src/db/orders.ts';
import { getInventory, listInventory } from '../../src/db/inventory.ts';
import { getPet, listPets } from '../../src/db/pets.ts';
import { withDatabase } from '../requests/database.ts';

const ROWS = [10_000, 1_000_000];
const CALLS = 300;
/** Calls before the first that counts. */
const WARM_UP = 200;
/** In the share of the rows that a filter finds. */
const SOLD_EVERY = 1000;

export interface RowsFigure {
  readonly read: string;
  /** The median of a read in ms, by the number of pets and orders that the account has. */
  readonly ms: Readonly<Record<string, number>>;
}

export async function measureRows(show: (text: string) => void): Promise<RowsFigure[]> {
  return withDatabase(async ({ db, env, target, accountId }) => {
    const byRead = new Map<string, Record<string, number>>();
    let rows = 0;
    for (const total of ROWS) {
      show(`rows: adding up to ${total}`);
      await addRows(env['DATABASE_URL'] ?? '', accountId, target.categoryId, rows, total);
      rows = total;
      for (const [name, read] of reads(db, accountId, total)) {
        const taken: number[] = [];
        for (let i = 0; i < WARM_UP; i++) await read(i);
        for (let i = 0; i < CALLS; i++) {
          const began = performance.now();
          await read(i);
          taken.push(performance.now() - began);
        }
        taken.sort((a, b) => a - b);
        byRead.set(name, { ...byRead.get(name), [total]: taken[CALLS / 2] ?? NaN });
      }
    }
    return Array.from(byRead, ([read, ms]) => ({ read, ms }));
  });
}

async function addRows(url: string, accountId: number, categoryId: number, from: number, to: number): Promise<void> {
  const db = connect({ url, pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  // All that is referred to is there: to check each foreign key would take longer than all else here.
  await db.raw(`SET session_replication_role = 'replica'`);
  const range = [accountId, categoryId, from + 1, to];
  await db.raw(
    `WITH created AS (
       INSERT INTO pets (account_id, category_id, name, status)
       SELECT ?, ?, 'Rex', CASE WHEN n % ${SOLD_EVERY} = 0 THEN 'sold' ELSE 'available' END FROM generate_series(?::int, ?::int) n
       RETURNING account_id, id)
     INSERT INTO inventory (account_id, pet_id, quantity) SELECT account_id, id, 5 FROM created`,
    range,
  );
  await db.raw(
    `INSERT INTO orders (account_id, pet_id, quantity, complete)
     SELECT account_id, id, 1, id % ${SOLD_EVERY} <> 0 FROM pets WHERE account_id = ? AND id > ?`,
    [accountId, from],
  );
  await db.raw('VACUUM ANALYZE pets, inventory, orders');
  await db.destroy();
}

/** Spread over all rows. The ids of pets and orders begin at 1 and have hardly any gaps. */
function reads(db: Database, accountId: number, total: number): [name: string, read: (i: number) => Promise<unknown>][] {
  const at = (i: number) => 2 + Math.floor(((i * 7919) % CALLS) * (total / CALLS / 1.01));
  const page = (i: number) => ({ after: at(i), limit: 21 });
  return [
    ['one pet', (i) => getPet(db, accountId, at(i))],
    ['one inventory entry', (i) => getInventory(db, accountId, at(i))],
    ['one order', (i) => getOrder(db, accountId, at(i))],
    ['a page of pets', (i) => listPets(db, accountId, {}, page(i))],
    ['a page of the sold pets, one in a thousand', (i) => listPets(db, accountId, { statuses: ['sold'] }, page(i))],
    ['a page of inventory', (i) => listInventory(db, accountId, {}, page(i))],
    ['a page of the open orders, one in a thousand', (i) => listOrders(db, accountId, { complete: false }, page(i))],
    ['the orders of a pet', (i) => listOrders(db, accountId, { petId: at(i) }, { after: 0, limit: 21 })],
  ];
}
