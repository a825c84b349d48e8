/** Orders: what they hold of the stock as they are made, changed, completed and deleted. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { createDatabase, dumpRows, type TestDatabase } from '@specwright/testing';
import { createOrder, deleteOrder, getOrder, listOrders, updateOrder, type OrderPatch } from '../../src/db/orders.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { updatePet } from '../../src/db/pets.ts';
import { openShop, readBooks } from '../support/shop.ts';

const MISSING = 9007199254740991;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

describe('a draft', () => {
  test('holds nothing, whatever it says, until it names a pet', async () => {
    const { accountId, petIds } = await openShop(db, 5);
    const { record } = await createOrder(db, accountId, {});
    expect(record).toEqual({ id: expect.any(Number), complete: false });
    await updateOrder(db, accountId, record.id, { quantity: 3 });
    expect(await readBooks(db, accountId)).toMatchObject([{ stock: 5, reserved: 0 }]);
    const ordered = await updateOrder(db, accountId, record.id, { petId: petIds[0] });
    expect(ordered.record).toEqual({ id: record.id, petId: petIds[0], quantity: 3, complete: false });
    expect(await readBooks(db, accountId)).toMatchObject([{ stock: 2, reserved: 3 }]);
  });

  test('may be completed and deleted like any order', async () => {
    const { accountId } = await openShop(db);
    const { id } = (await createOrder(db, accountId, {})).record;
    await updateOrder(db, accountId, id, { complete: true });
    await expect(deleteOrder(db, accountId, id)).rejects.toMatchObject({ code: 'order_complete' });
    const other = await createOrder(db, accountId, { quantity: 2 });
    await deleteOrder(db, accountId, other.record.id);
    expect(await listOrders(db, accountId, {}, { after: 0, limit: 100 })).toEqual([{ id, complete: true }]);
  });
});

const CHANGES: [string, OrderPatch, number[]][] = [
  ['more units', { quantity: 7 }, [3, 10]],
  ['fewer units', { quantity: 1 }, [9, 10]],
  ['the default quantity', { quantity: null }, [9, 10]],
  ['the same again', { quantity: 2 }, [8, 10]],
  ['another date', { shipDate: '2026-12-24T12:00:00Z' }, [8, 10]],
  ['no pet', { petId: null }, [10, 10]],
  ['completed', { complete: true }, [8, 10]],
  ['everything at once', { quantity: 10, complete: true }, [0, 10]],
];

test.each(CHANGES)('an order of 2 of 10, changed to %s, moves the stock exactly', async (_, changes, stocks) => {
  const { accountId, petIds } = await openShop(db, 10, 10);
  const { record } = await createOrder(db, accountId, { petId: petIds[0], quantity: 2 });
  const changed = await updateOrder(db, accountId, record.id, changes);
  expect(await getOrder(db, accountId, record.id)).toEqual(changed);
  expect((await readBooks(db, accountId)).map(({ stock }) => stock)).toEqual(stocks);
});

test('an order moved to another pet releases the one and reserves the other, in both directions', async () => {
  const { accountId, petIds } = await openShop(db, 2, 5);
  const { id } = (await createOrder(db, accountId, { petId: petIds[0], quantity: 2 })).record;
  await updateOrder(db, accountId, id, { petId: petIds[1], quantity: 5 });
  expect(await readBooks(db, accountId)).toMatchObject([
    { stock: 2, reserved: 0, status: 'available' },
    { stock: 0, reserved: 5, status: 'pending' },
  ]);
  await updateOrder(db, accountId, id, { petId: petIds[0], quantity: null });
  expect(await readBooks(db, accountId)).toMatchObject([
    { stock: 1, reserved: 1, status: 'available' },
    { stock: 5, reserved: 0, status: 'available' },
  ]);
});

describe('too few units', () => {
  test('refuse an order that is made or changed, and nothing changes', async () => {
    const { accountId, petIds } = await openShop(db, 3, 1);
    const [petId, scarce] = petIds as [number, number];
    const { id } = (await createOrder(db, accountId, { petId, quantity: 2 })).record;
    const before = await dumpRows(db);
    const refused = { code: 'out_of_stock' };
    await expect(createOrder(db, accountId, { petId, quantity: 2 })).rejects.toMatchObject(refused);
    await expect(createOrder(db, accountId, { petId, quantity: 1000000 })).rejects.toMatchObject(refused);
    await expect(updateOrder(db, accountId, id, { quantity: 4 })).rejects.toMatchObject(refused);
    await expect(updateOrder(db, accountId, id, { petId: scarce })).rejects.toMatchObject(refused);
    expect(await dumpRows(db)).toBe(before);
  });
});

test('a pet that does not exist is an invalid reference, and nothing changes', async () => {
  const { accountId, petIds } = await openShop(db, 3);
  const { id } = (await createOrder(db, accountId, { petId: petIds[0] })).record;
  const before = await dumpRows(db);
  await expect(createOrder(db, accountId, { petId: MISSING })).rejects.toMatchObject({ code: 'invalid_reference' });
  await expect(updateOrder(db, accountId, id, { petId: MISSING })).rejects.toMatchObject({ code: 'invalid_reference' });
  expect(await dumpRows(db)).toBe(before);
});

test('complete is final: only the ship date may change, and nothing else does', async () => {
  const { accountId, petIds } = await openShop(db, 9, 9);
  const { id } = (await createOrder(db, accountId, { petId: petIds[0], quantity: 2, complete: true })).record;
  const before = await dumpRows(db);
  const forbidden: OrderPatch[] = [
    { complete: false },
    { quantity: 3 },
    { quantity: null },
    { petId: petIds[1] },
    { petId: null },
    { complete: false, shipDate: null },
  ];
  for (const changes of forbidden) await expect(updateOrder(db, accountId, id, changes)).rejects.toMatchObject({ code: 'order_complete' });
  await expect(deleteOrder(db, accountId, id)).rejects.toMatchObject({ code: 'order_complete' });
  expect(await dumpRows(db)).toBe(before);

  const same = { petId: petIds[0], quantity: 2, complete: true };
  const { record } = await updateOrder(db, accountId, id, { ...same, shipDate: '2026-12-24T12:00:00Z' });
  expect(record).toEqual({ id, ...same, shipDate: '2026-12-24T12:00:00.000Z' });
  expect(await readBooks(db, accountId)).toMatchObject([{ stock: 7, sold: 2 }, { stock: 9 }]);
});

test('a precondition that fails changes neither the order nor the stock', async () => {
  const { accountId, petIds } = await openShop(db, 9);
  const { record, version } = await createOrder(db, accountId, { petId: petIds[0] });
  const changed = await updateOrder(db, accountId, record.id, { quantity: 2 }, (seen) => seen === version);
  expect(changed.version).not.toBe(version);
  const before = await dumpRows(db);
  const stale = (seen: string) => seen === version;
  await expect(updateOrder(db, accountId, record.id, { quantity: 3 }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(deleteOrder(db, accountId, record.id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await dumpRows(db)).toBe(before);
});

test('filters by pet and by completion combine', async () => {
  const { accountId, petIds } = await openShop(db, 9, 9);
  for (const petId of petIds) for (const complete of [true, false]) await createOrder(db, accountId, { petId, complete });
  await createOrder(db, accountId, {});
  const count = async (filter: object) => (await listOrders(db, accountId, filter, { after: 0, limit: 100 })).length;
  expect(await count({})).toBe(5);
  expect(await count({ petId: petIds[0] })).toBe(2);
  expect(await count({ complete: false })).toBe(3);
  expect(await count({ petId: petIds[0], complete: true })).toBe(1);
});

test('an order that was deleted is not found, and its units were returned once', async () => {
  const { accountId, petIds } = await openShop(db, 9);
  const { id } = (await createOrder(db, accountId, { petId: petIds[0], quantity: 4 })).record;
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => deleteOrder(db, accountId, id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(getOrder(db, accountId, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await readBooks(db, accountId)).toMatchObject([{ stock: 9, reserved: 0, sold: 0 }]);
});

describe('of a pet that is sold', () => {
  test('nothing can be ordered, by a new order, a larger one or one of another pet, whatever the stock', async () => {
    const { accountId, petIds } = await openShop(db, 5, 5);
    const [petId, other] = petIds as [number, number];
    const open = await createOrder(db, accountId, { petId, quantity: 2 });
    const elsewhere = await createOrder(db, accountId, { petId: other });
    await updatePet(db, accountId, petId, { status: 'sold' });
    const before = await dumpRows(db);
    for (const attempt of [
      () => createOrder(db, accountId, { petId }),
      () => createOrder(db, accountId, { petId, complete: true }),
      () => updateOrder(db, accountId, open.record.id, { quantity: 3 }),
      () => updateOrder(db, accountId, elsewhere.record.id, { petId }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'pet_sold', message: `pet ${petId} is sold` });
    expect(await dumpRows(db)).toBe(before);
  });

  test('an open order can be made smaller, completed or deleted', async () => {
    const { accountId, petIds } = await openShop(db, 5);
    const [petId] = petIds;
    const [first, second] = [await createOrder(db, accountId, { petId, quantity: 2 }), await createOrder(db, accountId, { petId })];
    await updatePet(db, accountId, petId, { status: 'sold' });
    await updateOrder(db, accountId, first.record.id, { quantity: 1 });
    await updateOrder(db, accountId, first.record.id, { complete: true });
    await deleteOrder(db, accountId, second.record.id);
    expect(await readBooks(db, accountId)).toMatchObject([{ stock: 4, reserved: 0, sold: 1, status: 'sold' }]);
  });

  test('that was ordered to the last unit the answer is that it is sold; with new stock it can be ordered again', async () => {
    const { accountId, petIds } = await openShop(db, 1);
    const [petId] = petIds;
    await createOrder(db, accountId, { petId, complete: true });
    await expect(createOrder(db, accountId, { petId })).rejects.toMatchObject({ code: 'pet_sold' });
    await setInventory(db, accountId, petId, { quantity: 1 });
    await createOrder(db, accountId, { petId });
  });
});
