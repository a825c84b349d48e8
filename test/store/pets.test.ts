/** Pets in the database: their category must exist, filters combine, and a pet with open orders cannot be deleted. */
import { expect, test } from '@jest/globals';
import { createCategory } from '../../src/db/categories.ts';
import { withDatabase } from 'specwright/testing';
import { getInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, getOrder, updateOrder } from '../../src/db/orders.ts';
import { createPet, deletePet, getPet, listPets, updatePet, type PetStatus } from '../../src/db/pets.ts';
import { openShop } from '../support/service/shop.ts';

const MISSING = 9007199254740991;
const ALL = { after: 0, limit: 100 };

const database = withDatabase();

test('reads a pet as it was created, with a stock of 0', async () => {
  const { accountId, categoryId } = await openShop(database.db);
  const made = await createPet(database.db, accountId, { name: 'Rex', categoryId, status: 'sold' });
  expect(made.record).toEqual({ id: expect.any(Number), name: 'Rex', categoryId, status: 'sold' });
  expect(await getPet(database.db, accountId, made.record.id)).toEqual(made);
  expect((await getInventory(database.db, accountId, made.record.id)).record).toEqual({
    petId: made.record.id,
    quantity: 0,
    status: 'sold',
  });
});

test('rejects a category that does not exist as an invalid reference, and changes nothing', async () => {
  const { accountId, petIds, categoryId } = await openShop(database.db, 1);
  const before = await getPet(database.db, accountId, petIds[0]);
  const refused = { code: 'invalid_reference' };
  const values = { name: 'Rex', categoryId: MISSING, status: 'available' } as const;
  await expect(createPet(database.db, accountId, values)).rejects.toMatchObject(refused);
  await expect(updatePet(database.db, accountId, petIds[0], { categoryId: MISSING })).rejects.toMatchObject(refused);
  expect(await getPet(database.db, accountId, petIds[0])).toEqual(before);
  expect(await listPets(database.db, accountId, { categoryId }, ALL)).toEqual([before.record]);
});

test('an update keeps the properties that it does not name, and changes the version', async () => {
  const { accountId, petIds } = await openShop(database.db, 1);
  const before = await getPet(database.db, accountId, petIds[0]);
  const after = await updatePet(database.db, accountId, petIds[0], { name: 'Bella' });
  expect(after.record).toEqual({ ...before.record, name: 'Bella' });
  expect(after.version).not.toBe(before.version);
  await expect(updatePet(database.db, accountId, petIds[0], { name: 'Max' }, (seen) => seen === before.version)).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  expect(await getPet(database.db, accountId, petIds[0])).toEqual(after);
});

test('filters by status and category combine', async () => {
  const { accountId, categoryId } = await openShop(database.db);
  const other = (await createCategory(database.db, accountId, { name: 'Cats' })).record.id;
  for (const kind of [categoryId, other])
    for (const status of ['available', 'pending', 'sold'] as const)
      await createPet(database.db, accountId, { name: status, categoryId: kind, status });
  const count = async (statuses?: PetStatus[], kind?: number) =>
    (await listPets(database.db, accountId, { statuses, categoryId: kind }, ALL)).length;
  expect(await count()).toBe(6);
  expect(await count(['sold'])).toBe(2);
  expect(await count(['sold', 'pending'])).toBe(4);
  expect(await count(['sold', 'pending'], other)).toBe(2);
  expect(await count(undefined, other)).toBe(3);
  expect(await count(undefined, MISSING)).toBe(0);
});

test('a pet with an open order cannot be deleted; completed orders keep the id of a deleted pet', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  const [petId] = petIds;
  const open = await createOrder(database.db, accountId, { petId });
  const complete = await createOrder(database.db, accountId, { petId, complete: true });
  await expect(deletePet(database.db, accountId, petId)).rejects.toMatchObject({ code: 'pet_in_use' });
  await deleteOrder(database.db, accountId, open.record.id);
  await expect(deletePet(database.db, accountId, petId, () => false)).rejects.toMatchObject({ code: 'precondition_failed' });
  await deletePet(database.db, accountId, petId);

  await expect(deletePet(database.db, accountId, petId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getInventory(database.db, accountId, petId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await getOrder(database.db, accountId, complete.record.id)).toEqual(complete);
  const shipped = await updateOrder(database.db, accountId, complete.record.id, { shipDate: '2026-12-24T12:00:00Z' });
  expect(shipped.record).toMatchObject({ petId, complete: true, shipDate: '2026-12-24T12:00:00.000Z' });
});
