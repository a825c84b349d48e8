/** No frequent query and no foreign key check scans a whole table. */
import { beforeAll, expect, test } from '@jest/globals';
import { getKey, listKeys, createKey, findCaller } from '@specwright/accounts';
import { listCategories, getCategory } from '../../src/db/categories.ts';
import { getMessage } from '../../src/db/messages.ts';
import { findDelivery, getWebhook } from '@specwright/accounts/webhooks';
import { getInventory, listInventory } from '../../src/db/inventory.ts';
import { getOrder, listOrders } from '../../src/db/orders.ts';
import { getPet, listPets } from '../../src/db/pets.ts';
import type { Page } from '@specwright/server';
import { withDatabase } from 'specwright/testing';

interface Plan {
  'Node Type': string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** An account with thousands of everything; the others have ten. */
const BIG = 250;
/** One of its pets. */
const POPULAR = (BIG - 1) * 10 + 1;

let id: number;
let page: Page;
let messageId: string;
const database = withDatabase();
beforeAll(async () => {
  await database.db.raw(`
    INSERT INTO accounts (email, created_at) SELECT 'load-' || a || '@example.com', now() FROM generate_series(1, 500) a;
    INSERT INTO api_keys (account_id, prefix, hash, created_at)
      SELECT account_id, 'psk_live_load', sha256(email::bytea), now() FROM accounts;
    INSERT INTO categories (account_id, name) SELECT account_id, 'c' FROM accounts, generate_series(1, CASE account_id WHEN ${BIG} THEN 5000 ELSE 10 END) ORDER BY account_id;
    INSERT INTO pets (account_id, category_id, name, quantity, status) SELECT account_id, id, 'p', 5, CASE WHEN id % 700 = 0 THEN 'sold' ELSE 'available' END FROM categories ORDER BY id;
    INSERT INTO webhooks (account_id, url, secret, created_at) SELECT account_id, 'http://example.com/', 's', now() FROM accounts;
    INSERT INTO messages (account_id, id, message, created_at) SELECT account_id, 'msg_' || gen_random_uuid(), 'm', now() FROM categories;
    INSERT INTO webhook_deliveries (account_id, id, name, body, created_at) SELECT account_id, id, 'm', '{}', now() FROM messages;
    INSERT INTO orders (account_id, pet_id, quantity, complete) SELECT account_id, id, 1, id % 700 <> 0 FROM pets ORDER BY id;
    -- A pet with thousands of orders, hardly any of them open.
    INSERT INTO orders (account_id, pet_id, quantity, complete) SELECT ${BIG}, ${POPULAR}, 1, n % 700 <> 0 FROM generate_series(1, 3000) n;
  `);
  await database.db.raw('ANALYZE');
  // Ids are the same in all tables: this one is in the middle of the big account.
  id = (BIG - 1) * 10 + 2500;
  messageId = (await database.db('messages').where({ account_id: BIG }).first<{ id: string }>('id')).id;
  page = { after: id - 5, limit: 21 };
});

/** Each query, and the columns that an index has to narrow it down by. */
const QUERIES: [name: string, columns: string, run: () => Promise<unknown>][] = [
  ['the caller of a key', 'hash', () => findCaller(database.db, createKey())],
  ['one key', 'account_id id', () => getKey(database.db, BIG, BIG).catch(() => undefined)],
  ['a page of keys', 'account_id', () => listKeys(database.db, BIG, { after: 0, limit: 21 })],
  ['one category', 'account_id id', () => getCategory(database.db, BIG, id)],
  ['one pet', 'account_id id', () => getPet(database.db, BIG, id)],
  ['one inventory entry', 'account_id id', () => getInventory(database.db, BIG, id)],
  ['one order', 'account_id id', () => getOrder(database.db, BIG, id)],
  ['one message', 'account_id id', () => getMessage(database.db, BIG, messageId)],
  ['the webhook', 'account_id', () => getWebhook(database.db, BIG)],
  ['one delivery', 'account_id id', () => findDelivery(database.db, BIG, messageId)],
  ['a page of categories', 'account_id id', () => listCategories(database.db, BIG, page)],
  ['a page of pets', 'account_id id', () => listPets(database.db, BIG, {}, page)],
  ['a page of pets by status', 'account_id id', () => listPets(database.db, BIG, { statuses: ['available', 'sold'] }, page)],
  ['a page of the few sold pets', 'account_id status id', () => listPets(database.db, BIG, { statuses: ['sold'] }, page)],
  ['a page of pets by category', 'account_id category_id', () => listPets(database.db, BIG, { categoryId: id }, page)],
  ['a page of inventory', 'account_id id', () => listInventory(database.db, BIG, {}, page)],
  ['a page of the few sold in inventory', 'account_id status id', () => listInventory(database.db, BIG, { statuses: ['sold'] }, page)],
  ['a page of orders', 'account_id id', () => listOrders(database.db, BIG, {}, page)],
  ['a page of orders of a pet', 'account_id pet_id', () => listOrders(database.db, BIG, { petId: id }, page)],
  ['a page of the few open orders', 'account_id complete id', () => listOrders(database.db, BIG, { complete: false }, page)],
  [
    'a page of the few open orders of a pet',
    'account_id open_pet_id id',
    () => listOrders(database.db, BIG, { petId: POPULAR, complete: false }, page),
  ],
];

test.each(QUERIES)('%s is read by an index on %s', async (_, columns, run) => {
  const statements: { sql: string; bindings: string[] }[] = [];
  const record = (statement: { sql: string; bindings: string[] }) => void statements.push(statement);
  database.db.on('query', record);
  await run();
  database.db.off('query', record);
  expect(statements).toHaveLength(1);
  const [{ sql, bindings }] = statements as [{ sql: string; bindings: string[] }];
  const explain = `EXPLAIN (FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`;
  const { rows } = await database.db.raw<{ rows: { 'QUERY PLAN': [{ Plan: Plan }] }[] }>(explain, bindings);
  const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan);
  expect(nodes.filter((node) => /Seq Scan|Sort/.test(node['Node Type']))).toEqual([]);
  const conditions = nodes.flatMap((node) => node['Index Cond'] ?? []).join();
  for (const column of columns.split(' ')) expect(conditions).toMatch(new RegExp(`\\b${column}\\b`));
});

const nodesOf = (plan: Plan | undefined): Plan[] => (plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]);

test('every foreign key has an index that begins with its columns, so that deleting the referenced row is cheap', async () => {
  const { rows } = await database.db.raw<{ rows: { conname: string }[] }>(`
    SELECT conname FROM pg_constraint c
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace
       AND NOT EXISTS (
         SELECT FROM pg_index i
          WHERE i.indrelid = c.conrelid AND i.indisvalid
            AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
            AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~ '^\\([a-z_]+ IS NOT NULL\\)$'))`);
  expect(rows).toEqual([]);
});
