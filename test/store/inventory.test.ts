/** Inventory: the count, the status that follows it, and the version that both share. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { getInventory, listInventory, setInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, updateOrder } from '../../src/db/orders.ts';
import { updatePet } from '../../src/db/pets.ts';
import { openShop } from '../support/shop.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

describe('the status', () => {
  test('follows the stock: last unit reserved, released, completed, restocked', async () => {
    const { accountId, petIds } = await openShop(db, 2);
    const [petId] = petIds;
    const see = async () => (await getInventory(db, accountId, petId)).record;
    const first = await createOrder(db, accountId, { petId });
    expect(await see()).toEqual({ petId, quantity: 1, status: 'available' });
    const last = await createOrder(db, accountId, { petId });
    expect(await see()).toEqual({ petId, quantity: 0, status: 'pending' });
    await deleteOrder(db, accountId, last.record.id);
    expect(await see()).toEqual({ petId, quantity: 1, status: 'available' });
    const again = await createOrder(db, accountId, { petId });
    await updateOrder(db, accountId, first.record.id, { complete: true });
    expect(await see()).toEqual({ petId, quantity: 0, status: 'pending' });
    await updateOrder(db, accountId, again.record.id, { complete: true });
    expect(await see()).toEqual({ petId, quantity: 0, status: 'sold' });
    await setInventory(db, accountId, petId, { quantity: 3 });
    expect(await see()).toEqual({ petId, quantity: 3, status: 'available' });
  });

  test('is sold at once when the last unit is ordered and completed in one', async () => {
    const { accountId, petIds } = await openShop(db, 4);
    await createOrder(db, accountId, { petId: petIds[0], quantity: 4, complete: true });
    expect((await getInventory(db, accountId, petIds[0])).record).toMatchObject({ quantity: 0, status: 'sold' });
  });

  test('stays as it is when an order is completed while there is stock', async () => {
    const { accountId, petIds } = await openShop(db, 2);
    await createOrder(db, accountId, { petId: petIds[0], complete: true });
    expect((await getInventory(db, accountId, petIds[0])).record).toMatchObject({ quantity: 1, status: 'available' });
  });

  test('that somebody chose stays until the stock leaves or reaches 0', async () => {
    const { accountId, petIds } = await openShop(db, 2);
    const [petId] = petIds;
    await updatePet(db, accountId, petId, { status: 'sold' });
    await setInventory(db, accountId, petId, { quantity: 5 });
    expect((await getInventory(db, accountId, petId)).record).toMatchObject({ quantity: 5, status: 'sold' });
    await setInventory(db, accountId, petId, { quantity: 0 });
    expect((await getInventory(db, accountId, petId)).record).toMatchObject({ quantity: 0, status: 'sold' });
    await setInventory(db, accountId, petId, { quantity: 1 });
    expect((await getInventory(db, accountId, petId)).record).toMatchObject({ quantity: 1, status: 'available' });
  });
});

test('setting the count sets what can be ordered; what orders hold is not touched', async () => {
  const { accountId, petIds } = await openShop(db, 5);
  const [petId] = petIds;
  const order = await createOrder(db, accountId, { petId, quantity: 3 });
  await setInventory(db, accountId, petId, { quantity: 1000000000 });
  await deleteOrder(db, accountId, order.record.id);
  expect((await getInventory(db, accountId, petId)).record.quantity).toBe(1000000003);
});

test('a list shows each pet once, by status if one is asked for', async () => {
  const { accountId, petIds } = await openShop(db, 1, 2, 3);
  await createOrder(db, accountId, { petId: petIds[0] });
  const list = (statuses?: ('available' | 'pending' | 'sold')[]) => listInventory(db, accountId, { statuses }, { after: 0, limit: 100 });
  expect((await list()).map(({ petId, quantity }) => [petId, quantity])).toEqual(petIds.map((id, i) => [id, [0, 2, 3][i]]));
  expect((await list(['pending', 'sold'])).map(({ petId }) => petId)).toEqual([petIds[0]]);
});

test('the version changes with the count and with the status, so neither is overwritten unseen', async () => {
  const { accountId, petIds } = await openShop(db, 5);
  const [petId] = petIds;
  const refused = { code: 'precondition_failed' };
  for (const change of [
    () => setInventory(db, accountId, petId, { quantity: 6 }),
    () => createOrder(db, accountId, { petId }),
    () => updatePet(db, accountId, petId, { status: 'pending' }),
  ]) {
    const { version } = await getInventory(db, accountId, petId);
    await change();
    await expect(setInventory(db, accountId, petId, { quantity: 9 }, (seen) => seen === version)).rejects.toMatchObject(refused);
  }
  const { version, record } = await getInventory(db, accountId, petId);
  expect(record.quantity).toBe(5);
  const set = await setInventory(db, accountId, petId, { quantity: 9 }, (seen) => seen === version);
  expect(await getInventory(db, accountId, petId)).toEqual(set);
});
