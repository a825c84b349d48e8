/** Orders in the database: the stock that they reserve when they are created, updated, completed and deleted. */
import { describe, expect, test } from '@jest/globals';
import { dumpRows, withDatabase } from 'specwright/testing';
import { createOrder, deleteOrder, getOrder, listOrders, updateOrder, type OrderPatch } from '../../src/db/orders.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { updatePet } from '../../src/db/pets.ts';
import { openShop, readStock } from '../support/service/shop.ts';

const MISSING = 9007199254740991;

const database = withDatabase();

describe('a draft', () => {
  test('reserves nothing until it has a pet', async () => {
    const { accountId, petIds } = await openShop(database.db, 5);
    const { record } = await createOrder(database.db, accountId, {});
    expect(record).toEqual({ id: expect.any(Number), complete: false });
    await updateOrder(database.db, accountId, record.id, { quantity: 3 });
    expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 5, reserved: 0 }]);
    const ordered = await updateOrder(database.db, accountId, record.id, { petId: petIds[0] });
    expect(ordered.record).toEqual({ id: record.id, petId: petIds[0], quantity: 3, complete: false });
    expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 2, reserved: 3 }]);
  });

  test('can be completed, or deleted', async () => {
    const { accountId } = await openShop(database.db);
    const { id } = (await createOrder(database.db, accountId, {})).record;
    await updateOrder(database.db, accountId, id, { complete: true });
    await expect(deleteOrder(database.db, accountId, id)).rejects.toMatchObject({ code: 'order_complete' });
    const other = await createOrder(database.db, accountId, { quantity: 2 });
    await deleteOrder(database.db, accountId, other.record.id);
    expect(await listOrders(database.db, accountId, {}, { after: 0, limit: 100 })).toEqual([{ id, complete: true }]);
  });
});

const CHANGES: [string, OrderPatch, number[]][] = [
  ['more units', { quantity: 7 }, [3, 10]],
  ['fewer units', { quantity: 1 }, [9, 10]],
  ['the default quantity', { quantity: null }, [9, 10]],
  ['the same quantity', { quantity: 2 }, [8, 10]],
  ['another date', { shipDate: '2026-12-24T12:00:00Z' }, [8, 10]],
  ['no pet', { petId: null }, [10, 10]],
  ['completion', { complete: true }, [8, 10]],
  ['everything at once', { quantity: 10, complete: true }, [0, 10]],
];

test.each(CHANGES)('an order of 2 of 10 units, updated with %s, adjusts the stock', async (_, changes, stocks) => {
  const { accountId, petIds } = await openShop(database.db, 10, 10);
  const { record } = await createOrder(database.db, accountId, { petId: petIds[0], quantity: 2 });
  const changed = await updateOrder(database.db, accountId, record.id, changes);
  expect(await getOrder(database.db, accountId, record.id)).toEqual(changed);
  expect((await readStock(database.db, accountId)).map(({ stock }) => stock)).toEqual(stocks);
});

test('an order that takes no other units leaves the status of its pet as the shop has set it', async () => {
  const { accountId, petIds } = await openShop(database.db, 2);
  const petId = petIds[0];
  const { id } = (await createOrder(database.db, accountId, { petId, quantity: 2 })).record;
  await updatePet(database.db, accountId, petId, { status: 'available' });
  await updateOrder(database.db, accountId, id, { shipDate: '2026-12-24T12:00:00Z' });
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 0, status: 'available' }]);
});

test('an order moved to another pet releases the units of the first and reserves those of the second, both ways', async () => {
  const { accountId, petIds } = await openShop(database.db, 2, 5);
  const { id } = (await createOrder(database.db, accountId, { petId: petIds[0], quantity: 2 })).record;
  await updateOrder(database.db, accountId, id, { petId: petIds[1], quantity: 5 });
  expect(await readStock(database.db, accountId)).toMatchObject([
    { stock: 2, reserved: 0, status: 'available' },
    { stock: 0, reserved: 5, status: 'pending' },
  ]);
  await updateOrder(database.db, accountId, id, { petId: petIds[0], quantity: null });
  expect(await readStock(database.db, accountId)).toMatchObject([
    { stock: 1, reserved: 1, status: 'available' },
    { stock: 5, reserved: 0, status: 'available' },
  ]);
});

describe('too few units', () => {
  test('reject an order that is created or updated, and change nothing', async () => {
    const { accountId, petIds } = await openShop(database.db, 3, 1);
    const [petId, scarce] = petIds as [number, number];
    const { id } = (await createOrder(database.db, accountId, { petId, quantity: 2 })).record;
    const before = await dumpRows(database.db);
    const refused = { code: 'out_of_stock' };
    await expect(createOrder(database.db, accountId, { petId, quantity: 2 })).rejects.toMatchObject(refused);
    await expect(createOrder(database.db, accountId, { petId, quantity: 1000000 })).rejects.toMatchObject(refused);
    await expect(updateOrder(database.db, accountId, id, { quantity: 4 })).rejects.toMatchObject(refused);
    await expect(updateOrder(database.db, accountId, id, { petId: scarce })).rejects.toMatchObject(refused);
    expect(await dumpRows(database.db)).toBe(before);
  });
});

test('rejects a pet that does not exist as an invalid reference, and changes nothing', async () => {
  const { accountId, petIds } = await openShop(database.db, 3);
  const { id } = (await createOrder(database.db, accountId, { petId: petIds[0] })).record;
  const before = await dumpRows(database.db);
  await expect(createOrder(database.db, accountId, { petId: MISSING })).rejects.toMatchObject({ code: 'invalid_reference' });
  await expect(updateOrder(database.db, accountId, id, { petId: MISSING })).rejects.toMatchObject({ code: 'invalid_reference' });
  expect(await dumpRows(database.db)).toBe(before);
});

test('of a completed order only the ship date can change', async () => {
  const { accountId, petIds } = await openShop(database.db, 9, 9);
  const { id } = (await createOrder(database.db, accountId, { petId: petIds[0], quantity: 2, complete: true })).record;
  const before = await dumpRows(database.db);
  const forbidden: OrderPatch[] = [
    { complete: false },
    { quantity: 3 },
    { quantity: null },
    { petId: petIds[1] },
    { petId: null },
    { complete: false, shipDate: null },
  ];
  for (const changes of forbidden)
    await expect(updateOrder(database.db, accountId, id, changes)).rejects.toMatchObject({ code: 'order_complete' });
  await expect(deleteOrder(database.db, accountId, id)).rejects.toMatchObject({ code: 'order_complete' });
  expect(await dumpRows(database.db)).toBe(before);

  const same = { petId: petIds[0], quantity: 2, complete: true };
  const { record } = await updateOrder(database.db, accountId, id, { ...same, shipDate: '2026-12-24T12:00:00Z' });
  expect(record).toEqual({ id, ...same, shipDate: '2026-12-24T12:00:00.000Z' });
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 7, sold: 2 }, { stock: 9 }]);
});

test('a precondition that fails changes neither the order nor the stock', async () => {
  const { accountId, petIds } = await openShop(database.db, 9);
  const { record, version } = await createOrder(database.db, accountId, { petId: petIds[0] });
  const changed = await updateOrder(database.db, accountId, record.id, { quantity: 2 }, (seen) => seen === version);
  expect(changed.version).not.toBe(version);
  const before = await dumpRows(database.db);
  const stale = (seen: string | undefined) => seen === version;
  await expect(updateOrder(database.db, accountId, record.id, { quantity: 3 }, stale)).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  await expect(deleteOrder(database.db, accountId, record.id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await dumpRows(database.db)).toBe(before);
});

test.each([
  ['deleted if any version is accepted', true],
  ['kept if its version was asked for', false],
])('an order that is changed while its deletion waits is compared behind the lock, and %s', async (_, acceptsAny) => {
  const { accountId, petIds } = await openShop(database.db, 9);
  const { record, version } = await createOrder(database.db, accountId, { petId: petIds[0], quantity: 2 });
  let compared = 0;
  const precondition = (seen: string | undefined) => ++compared > 0 && (acceptsAny || seen === version);
  const holder = await database.db.transaction();
  await holder('orders')
    .where({ account_id: accountId, id: record.id })
    .update({ version: Number(version) + 1 });
  const deleted = deleteOrder(database.db, accountId, record.id, precondition);
  const outcome = acceptsAny
    ? expect(deleted).resolves.toBeUndefined()
    : expect(deleted).rejects.toMatchObject({ code: 'precondition_failed' });
  const waiting = holder('pg_locks').where({ granted: false }).whereRaw('pg_backend_pid() = ANY (pg_blocking_pids(pid))');
  while ((await waiting.clone().select('pid')).length === 0) expect(compared).toBe(0);
  await holder.commit();
  await outcome;
  expect(compared).toBe(1);
  expect(await readStock(database.db, accountId)).toMatchObject([acceptsAny ? { stock: 9, reserved: 0 } : { stock: 7, reserved: 2 }]);
});

test('filters by pet and by completion combine', async () => {
  const { accountId, petIds } = await openShop(database.db, 9, 9);
  for (const petId of petIds) for (const complete of [true, false]) await createOrder(database.db, accountId, { petId, complete });
  await createOrder(database.db, accountId, {});
  const count = async (filter: object) => (await listOrders(database.db, accountId, filter, { after: 0, limit: 100 })).length;
  expect(await count({})).toBe(5);
  expect(await count({ petId: petIds[0] })).toBe(2);
  expect(await count({ complete: false })).toBe(3);
  expect(await count({ petId: petIds[0], complete: true })).toBe(1);
});

test('an order deleted by eight at once is deleted once, and its units are returned once', async () => {
  const { accountId, petIds } = await openShop(database.db, 9);
  const { id } = (await createOrder(database.db, accountId, { petId: petIds[0], quantity: 4 })).record;
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => deleteOrder(database.db, accountId, id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(getOrder(database.db, accountId, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 9, reserved: 0, sold: 0 }]);
});

describe('of a pet that is sold', () => {
  test('nothing can be ordered, by a new order, a larger one or one of another pet, whatever the stock', async () => {
    const { accountId, petIds } = await openShop(database.db, 5, 5);
    const [petId, other] = petIds as [number, number];
    const open = await createOrder(database.db, accountId, { petId, quantity: 2 });
    const elsewhere = await createOrder(database.db, accountId, { petId: other });
    await updatePet(database.db, accountId, petId, { status: 'sold' });
    const before = await dumpRows(database.db);
    for (const attempt of [
      () => createOrder(database.db, accountId, { petId }),
      () => createOrder(database.db, accountId, { petId, complete: true }),
      () => updateOrder(database.db, accountId, open.record.id, { quantity: 3 }),
      () => updateOrder(database.db, accountId, elsewhere.record.id, { petId }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'pet_sold', message: `pet ${petId} is sold` });
    expect(await dumpRows(database.db)).toBe(before);
  });

  test('an open order can be made smaller, completed or deleted', async () => {
    const { accountId, petIds } = await openShop(database.db, 5);
    const [petId] = petIds;
    const [first, second] = [
      await createOrder(database.db, accountId, { petId, quantity: 2 }),
      await createOrder(database.db, accountId, { petId }),
    ];
    await updatePet(database.db, accountId, petId, { status: 'sold' });
    await updateOrder(database.db, accountId, first.record.id, { quantity: 1 });
    await updateOrder(database.db, accountId, first.record.id, { complete: true });
    await deleteOrder(database.db, accountId, second.record.id);
    expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 4, reserved: 0, sold: 1, status: 'sold' }]);
  });

  test('whose last unit was sold can be ordered again once it is restocked', async () => {
    const { accountId, petIds } = await openShop(database.db, 1);
    const [petId] = petIds;
    await createOrder(database.db, accountId, { petId, complete: true });
    await expect(createOrder(database.db, accountId, { petId })).rejects.toMatchObject({ code: 'pet_sold' });
    await setInventory(database.db, accountId, petId, { quantity: 1 });
    await createOrder(database.db, accountId, { petId });
  });
});
