/** Inventory in the database: the quantity, the status that follows it, and the version of the pet's row. */
import { describe, expect, test } from '@jest/globals';
import { withDatabase } from 'specwright/testing';
import { getInventory, listInventory, setInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, updateOrder } from '../../src/db/orders.ts';
import { updatePet } from '../../src/db/pets.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();

describe('the status', () => {
  test('follows the stock when the last unit is reserved, released, sold and restocked', async () => {
    const { accountId, petIds } = await openShop(database.db, 2);
    const [petId] = petIds;
    const read = async () => (await getInventory(database.db, accountId, petId)).record;
    const first = await createOrder(database.db, accountId, { petId });
    expect(await read()).toEqual({ petId, quantity: 1, status: 'available' });
    const last = await createOrder(database.db, accountId, { petId });
    expect(await read()).toEqual({ petId, quantity: 0, status: 'pending' });
    await deleteOrder(database.db, accountId, last.record.id);
    expect(await read()).toEqual({ petId, quantity: 1, status: 'available' });
    const again = await createOrder(database.db, accountId, { petId });
    await updateOrder(database.db, accountId, first.record.id, { complete: true });
    expect(await read()).toEqual({ petId, quantity: 0, status: 'pending' });
    await updateOrder(database.db, accountId, again.record.id, { complete: true });
    expect(await read()).toEqual({ petId, quantity: 0, status: 'sold' });
    await setInventory(database.db, accountId, petId, { quantity: 3 });
    expect(await read()).toEqual({ petId, quantity: 3, status: 'available' });
  });

  test('is sold when one order reserves and completes the last unit', async () => {
    const { accountId, petIds } = await openShop(database.db, 4);
    await createOrder(database.db, accountId, { petId: petIds[0], quantity: 4, complete: true });
    expect((await getInventory(database.db, accountId, petIds[0])).record).toMatchObject({ quantity: 0, status: 'sold' });
  });

  test('does not change when an order is completed while there is stock', async () => {
    const { accountId, petIds } = await openShop(database.db, 2);
    await createOrder(database.db, accountId, { petId: petIds[0], complete: true });
    expect((await getInventory(database.db, accountId, petIds[0])).record).toMatchObject({ quantity: 1, status: 'available' });
  });

  test('that was set explicitly stays until the quantity becomes 0 or leaves 0', async () => {
    const { accountId, petIds } = await openShop(database.db, 2);
    const [petId] = petIds;
    await updatePet(database.db, accountId, petId, { status: 'sold' });
    await setInventory(database.db, accountId, petId, { quantity: 5 });
    expect((await getInventory(database.db, accountId, petId)).record).toMatchObject({ quantity: 5, status: 'sold' });
    await setInventory(database.db, accountId, petId, { quantity: 0 });
    expect((await getInventory(database.db, accountId, petId)).record).toMatchObject({ quantity: 0, status: 'sold' });
    await setInventory(database.db, accountId, petId, { quantity: 1 });
    expect((await getInventory(database.db, accountId, petId)).record).toMatchObject({ quantity: 1, status: 'available' });
  });
});

test('setting the quantity does not change what orders have reserved', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  const [petId] = petIds;
  const order = await createOrder(database.db, accountId, { petId, quantity: 3 });
  await setInventory(database.db, accountId, petId, { quantity: 1000000000 });
  await deleteOrder(database.db, accountId, order.record.id);
  expect((await getInventory(database.db, accountId, petId)).record.quantity).toBe(1000000003);
});

test('lists each pet once, filtered by status', async () => {
  const { accountId, petIds } = await openShop(database.db, 1, 2, 3);
  await createOrder(database.db, accountId, { petId: petIds[0] });
  const list = (statuses?: ('available' | 'pending' | 'sold')[]) =>
    listInventory(database.db, accountId, { statuses }, { after: 0, limit: 100 });
  expect((await list()).map(({ petId, quantity }) => [petId, quantity])).toEqual(petIds.map((id, i) => [id, [0, 2, 3][i]]));
  expect((await list(['pending', 'sold'])).map(({ petId }) => petId)).toEqual([petIds[0]]);
});

test('the version changes with the quantity and with the status', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  const [petId] = petIds;
  const refused = { code: 'precondition_failed' };
  for (const change of [
    () => setInventory(database.db, accountId, petId, { quantity: 6 }),
    () => createOrder(database.db, accountId, { petId }),
    () => updatePet(database.db, accountId, petId, { status: 'pending' }),
  ]) {
    const { version } = await getInventory(database.db, accountId, petId);
    await change();
    await expect(setInventory(database.db, accountId, petId, { quantity: 9 }, (seen) => seen === version)).rejects.toMatchObject(refused);
  }
  const { version, record } = await getInventory(database.db, accountId, petId);
  expect(record.quantity).toBe(5);
  const set = await setInventory(database.db, accountId, petId, { quantity: 9 }, (seen) => seen === version);
  expect(await getInventory(database.db, accountId, petId)).toEqual(set);
});
