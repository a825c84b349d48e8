/** No hot query and no foreign key check reads a table from one end to the other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listCategories, getCategory } from '../../src/db/categories.ts';
import type { Database } from '../../src/db/connect.ts';
import { getInventory, listInventory } from '../../src/db/inventory.ts';
import { createKey, findCaller } from '../../src/db/keys.ts';
import { getOrder, listOrders } from '../../src/db/orders.ts';
import { getPet, listPets } from '../../src/db/pets.ts';
import type { Page } from '../../src/db/record.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

interface Plan {
  'Node Type': string;
  Plans?: Plan[];
}

let account: number;
let id: number;
let page: Page;
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
  await db.raw(`
    INSERT INTO accounts (email, created_at) SELECT 'load-' || a || '@example.com', now() FROM generate_series(1, 1000) a;
    INSERT INTO api_keys (account_id, prefix, hash, created_at)
      SELECT account_id, 'psk_live_load', sha256(email::bytea), now() FROM accounts;
    INSERT INTO categories (account_id, name) SELECT account_id, 'c' FROM accounts, generate_series(1, 20) ORDER BY account_id;
    INSERT INTO pets (account_id, category_id, name, status) SELECT account_id, id, 'p', 'available' FROM categories ORDER BY id;
    INSERT INTO inventory (account_id, pet_id, quantity) SELECT account_id, id, 5 FROM pets ORDER BY id;
    INSERT INTO orders (account_id, pet_id, quantity, complete) SELECT account_id, id, 1, id % 2 = 0 FROM pets ORDER BY id;
  `);
  await db.raw('ANALYZE');
  // Ids are the same in all tables: this one is in the middle, and so is its account.
  const { rows } = await db.raw<{ rows: { account: number; id: number }[] }>(
    `SELECT account_id AS account, id FROM orders WHERE id = 10010`,
  );
  ({ account, id } = rows[0] as { account: number; id: number });
  page = { after: id - 5, limit: 21 };
});
afterAll(() => database.drop());

const QUERIES: Record<string, (db: Database) => Promise<unknown>> = {
  'the caller of a key': () => findCaller(db, createKey()),
  'one category': () => getCategory(db, account, id),
  'one pet': () => getPet(db, account, id),
  'one inventory entry': () => getInventory(db, account, id),
  'one order': () => getOrder(db, account, id),
  'a page of categories': () => listCategories(db, account, page),
  'a page of pets': () => listPets(db, account, {}, page),
  'a page of pets by status': () => listPets(db, account, { statuses: ['available', 'sold'] }, page),
  'a page of pets by category': () => listPets(db, account, { categoryId: id }, page),
  'a page of inventory': () => listInventory(db, account, {}, page),
  'a page of orders': () => listOrders(db, account, {}, page),
  'a page of orders of a pet': () => listOrders(db, account, { petId: id }, page),
  'a page of open orders': () => listOrders(db, account, { complete: false }, page),
};

test.each(Object.entries(QUERIES))('%s is found by an index', async (_, run) => {
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const record = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => void statements.push({ sql, bindings });
  db.on('query', record);
  await run(db);
  db.off('query', record);
  expect(statements).toHaveLength(1);
  for (const { sql, bindings } of statements) {
    const { rows } = await db.raw<{ rows: { 'QUERY PLAN': [{ Plan: Plan }] }[] }>(
      `EXPLAIN (FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
      bindings as string[],
    );
    const types = nodeTypes(rows[0]?.['QUERY PLAN'][0].Plan);
    expect(types.filter((type) => /Index/.test(type))).not.toEqual([]);
    expect(types.filter((type) => type === 'Seq Scan')).toEqual([]);
  }
});

const nodeTypes = (plan: Plan | undefined): string[] =>
  plan === undefined ? [] : [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodeTypes)];

test('every foreign key has an index that begins with its columns, so deleting what it refers to is cheap', async () => {
  const { rows } = await db.raw<{ rows: { conname: string }[] }>(`
    SELECT conname FROM pg_constraint c
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace
       AND NOT EXISTS (
         SELECT FROM pg_index i
          WHERE i.indrelid = c.conrelid AND i.indisvalid
            AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
            AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~ '^\\([a-z_]+ IS NOT NULL\\)$'))`);
  expect(rows).toEqual([]);
});
