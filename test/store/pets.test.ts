/** Pets: their category must be there, filters combine, and open orders hold them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCategory } from '../../src/db/categories.ts';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { getInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, getOrder, updateOrder } from '../../src/db/orders.ts';
import { createPet, deletePet, getPet, listPets, updatePet, type PetStatus } from '../../src/db/pets.ts';
import { openShop } from '../support/shop.ts';

const MISSING = 9007199254740991;
const ALL = { after: 0, limit: 100 };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

test('a pet reads as it was made, and its stock starts at 0', async () => {
  const { accountId, categoryId } = await openShop(db);
  const made = await createPet(db, accountId, { name: 'Rex', categoryId, status: 'sold' });
  expect(made.record).toEqual({ id: expect.any(Number), name: 'Rex', categoryId, status: 'sold' });
  expect(await getPet(db, accountId, made.record.id)).toEqual(made);
  expect((await getInventory(db, accountId, made.record.id)).record).toEqual({ petId: made.record.id, quantity: 0, status: 'sold' });
});

test('a category that does not exist is an invalid reference, and no pet is made or changed', async () => {
  const { accountId, petIds, categoryId } = await openShop(db, 1);
  const before = await getPet(db, accountId, petIds[0]);
  const refused = { code: 'invalid_reference' };
  const values = { name: 'Rex', categoryId: MISSING, status: 'available' } as const;
  await expect(createPet(db, accountId, values)).rejects.toMatchObject(refused);
  await expect(updatePet(db, accountId, petIds[0], { categoryId: MISSING })).rejects.toMatchObject(refused);
  expect(await getPet(db, accountId, petIds[0])).toEqual(before);
  expect(await listPets(db, accountId, { categoryId }, ALL)).toEqual([before.record]);
});

test('a change keeps what it does not name and moves the version on', async () => {
  const { accountId, petIds } = await openShop(db, 1);
  const before = await getPet(db, accountId, petIds[0]);
  const after = await updatePet(db, accountId, petIds[0], { name: 'Bella' });
  expect(after.record).toEqual({ ...before.record, name: 'Bella' });
  expect(after.version).not.toBe(before.version);
  await expect(updatePet(db, accountId, petIds[0], { name: 'Max' }, (seen) => seen === before.version)).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  expect(await getPet(db, accountId, petIds[0])).toEqual(after);
});

test('filters by status and category combine', async () => {
  const { accountId, categoryId } = await openShop(db);
  const other = (await createCategory(db, accountId, { name: 'Cats' })).record.id;
  for (const kind of [categoryId, other])
    for (const status of ['available', 'pending', 'sold'] as const)
      await createPet(db, accountId, { name: status, categoryId: kind, status });
  const count = async (statuses?: PetStatus[], kind?: number) =>
    (await listPets(db, accountId, { statuses, categoryId: kind }, ALL)).length;
  expect(await count()).toBe(6);
  expect(await count(['sold'])).toBe(2);
  expect(await count(['sold', 'pending'])).toBe(4);
  expect(await count(['sold', 'pending'], other)).toBe(2);
  expect(await count(undefined, other)).toBe(3);
  expect(await count(undefined, MISSING)).toBe(0);
});

test('a pet with an open order stays, one with complete orders goes, and they keep its id', async () => {
  const { accountId, petIds } = await openShop(db, 5);
  const [petId] = petIds;
  const open = await createOrder(db, accountId, { petId });
  const complete = await createOrder(db, accountId, { petId, complete: true });
  await expect(deletePet(db, accountId, petId)).rejects.toMatchObject({ code: 'pet_in_use' });
  await deleteOrder(db, accountId, open.record.id);
  await expect(deletePet(db, accountId, petId, () => false)).rejects.toMatchObject({ code: 'precondition_failed' });
  await deletePet(db, accountId, petId);

  await expect(deletePet(db, accountId, petId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getInventory(db, accountId, petId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await getOrder(db, accountId, complete.record.id)).toEqual(complete);
  const shipped = await updateOrder(db, accountId, complete.record.id, { shipDate: '2026-12-24T12:00:00Z' });
  expect(shipped.record).toMatchObject({ petId, complete: true, shipDate: '2026-12-24T12:00:00.000Z' });
});
