/** Reading a list page by page returns once every record that existed from the first page to the last. */
import { expect, test } from '@jest/globals';
import { paginate, type Inputs } from '../../generated/client.ts';
import { createCategory, deleteCategory, listCategories } from '../../src/db/categories.ts';
import { listInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, listOrders } from '../../src/db/orders.ts';
import { createPet, deletePet, listPets } from '../../src/db/pets.ts';
import type { Page } from '@specwright/server';
import { withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

const START = 24;

interface List {
  create(shop: Shop): Promise<number>;
  remove(shop: Shop, id: number): Promise<void>;
  /** @returns the ids of one page. */
  page(shop: Shop, page: Page): Promise<number[]>;
}

const database = withDatabase();
const app = withApp(() => startApp(database.db));

const idOf = ({ id }: { id: number }) => id;
const newPet = async ({ accountId, categoryId }: Shop) =>
  (await createPet(database.db, accountId, { name: 'x', categoryId, status: 'available' })).record.id;

const LISTS: Record<string, List> = {
  categories: {
    create: async ({ accountId }) => (await createCategory(database.db, accountId, { name: 'x' })).record.id,
    remove: ({ accountId }, id) => deleteCategory(database.db, accountId, id),
    page: async ({ accountId, categoryId }, page) =>
      (await listCategories(database.db, accountId, page)).map(idOf).filter((id) => id !== categoryId),
  },
  pets: {
    create: newPet,
    remove: ({ accountId }, id) => deletePet(database.db, accountId, id),
    page: async ({ accountId, categoryId }, page) =>
      (await listPets(database.db, accountId, { categoryId, statuses: ['available'] }, page)).map(idOf),
  },
  inventory: {
    create: newPet,
    remove: ({ accountId }, id) => deletePet(database.db, accountId, id),
    page: async ({ accountId }, page) => (await listInventory(database.db, accountId, {}, page)).map(({ petId }) => petId),
  },
  orders: {
    create: async ({ accountId }) => (await createOrder(database.db, accountId, {})).record.id,
    remove: ({ accountId }, id) => deleteOrder(database.db, accountId, id),
    page: async ({ accountId }, page) => (await listOrders(database.db, accountId, { complete: false }, page)).map(idOf),
  },
};

test.each(Object.entries(LISTS))('%s: returns each record once while others are created and deleted', async (_, list) => {
  const shop = await openShop(database.db);
  const ids: number[] = [];
  for (let i = 0; i < START; i++) ids.push(await list.create(shop));
  const deleted = new Set<number>();
  const remove = async (id: number | undefined) => {
    if (id === undefined || id === 0 || deleted.has(id)) return;
    deleted.add(id);
    await list.remove(shop, id);
  };

  const seen: number[] = [];
  for (let after = 0, pages = 0; pages < 100; pages++) {
    // At once: the page, rows at the end, the row before the page, the one the cursor stands on, and one that is still to come.
    const changes = [list.create(shop), remove(ids[pages * 3 - 2]), remove(after), remove(ids[pages * 3 + 7])];
    const [page] = await Promise.all([list.page(shop, { after, limit: 5 }), ...changes]);
    if (page.length === 0) break;
    seen.push(...page);
    after = page.at(-1) as number;
  }
  expect(deleted.size).toBeGreaterThan(8);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen).toEqual(expect.arrayContaining(ids.filter((id) => !deleted.has(id))));
});

test('following rel="next" returns all pages of a filtered list, and ends', async () => {
  const shop = await openShop(database.db);
  const made: number[] = [];
  for (let i = 0; i < 7; i++) made.push(await newPet(shop));
  const seen: number[] = [];
  const sizes: number[] = [];
  const query: Inputs['listPets']['query'] = { limit: 3, status: ['available', 'sold'], categoryId: shop.categoryId };
  for await (const { body, headers } of paginate(petStore(app.url, shop.key), 'listPets', { query })) {
    sizes.push(body.length);
    seen.push(...body.map(idOf));
    if (headers.Link !== undefined) expect(headers.Link).toContain('status=available&status=sold');
  }
  expect(sizes).toEqual([3, 3, 1]);
  expect(seen).toEqual(made);
});
