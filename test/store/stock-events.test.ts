/** Every change of stock or status is an event with both as they are after it, in the order in which pets were changed. */
import { expect, test } from '@jest/globals';
import { openEventFeed, publishEvents } from '@specwright/postgres/events';
import { countDeadlocks, scaleTimeout, until, withDatabase } from 'specwright/testing';
import { deleteCategory } from '../../src/db/categories.ts';
import { listInventory, setInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, updateOrder } from '../../src/db/orders.ts';
import { createPet, deletePet, replacePet, updatePet } from '../../src/db/pets.ts';
import { moveReservation } from '../../src/db/reservations.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();

interface StockEvent {
  readonly petId: number;
  readonly quantity: number | null;
  readonly status: string | null;
}

/** The events of an account that are published. */
async function publishedOf(accountId: number): Promise<StockEvent[]> {
  const { rows } = await database.db.raw<{ rows: StockEvent[] }>(
    `SELECT (event->'data'->>'petId')::bigint AS "petId", (event->'data'->>'quantity')::bigint AS quantity, event->'data'->>'status' AS status
       FROM event_log WHERE account_id = ? AND log = 'stock' ORDER BY id`,
    [accountId],
  );
  return rows;
}

/** The events of an account but for the first ones, once all are published. */
async function eventsOf(accountId: number, seen = 0): Promise<StockEvent[]> {
  await publishEvents(database.db);
  return (await publishedOf(accountId)).slice(seen);
}

test('each change of a stock or a status is an event with both as they are after it, and what changes neither is none', async () => {
  const { db } = database;
  const { accountId, categoryId, petIds } = await openShop(db, 0, 5);
  const [a, b = 0] = petIds;
  let seen = (await eventsOf(accountId)).length;
  const expectEvents = async (
    run: () => Promise<unknown>,
    ...events: [petId: number, quantity: number | null, status: string | null][]
  ) => {
    const result = await run();
    const found = await eventsOf(accountId, seen);
    expect(found.map(({ petId, quantity, status }) => [petId, quantity, status])).toEqual(events);
    seen += events.length;
    return result;
  };
  const order = async (run: () => Promise<{ record: { id?: number } }>) => (await run()).record.id ?? 0;
  expect(await eventsOf(accountId)).toEqual([
    { petId: a, quantity: 0, status: 'available' },
    { petId: b, quantity: 0, status: 'available' },
    { petId: b, quantity: 5, status: 'available' },
  ]);
  await expectEvents(() => setInventory(db, accountId, a, { quantity: 2 }), [a, 2, 'available']);
  let id = 0;
  await expectEvents(async () => (id = await order(() => createOrder(db, accountId, { petId: a, quantity: 2 }))), [a, 0, 'pending']);
  await expectEvents(() => updateOrder(db, accountId, id, { shipDate: '2026-12-24T12:00:00Z' }));
  await expectEvents(() => updateOrder(db, accountId, id, { petId: b }), [a, 2, 'available'], [b, 3, 'available']);
  await expectEvents(() => updateOrder(db, accountId, id, { petId: a, complete: true }), [a, 0, 'sold'], [b, 5, 'available']);
  await expectEvents(() => createOrder(db, accountId, { petId: a }).catch(() => undefined));
  await expectEvents(() => createOrder(db, accountId, {}));
  await expectEvents(() => updatePet(db, accountId, a, { name: 'Bo' }));
  await expectEvents(() => updatePet(db, accountId, a, { status: 'sold' }));
  await expectEvents(() => updatePet(db, accountId, a, { status: 'pending' }), [a, 0, 'pending']);
  await expectEvents(() => replacePet(db, accountId, a, { name: 'x', categoryId, status: 'available' }), [a, 0, 'available']);
  const open = await order(() => createOrder(db, accountId, { petId: b, quantity: 5 }));
  seen += 1;
  await expectEvents(() => deletePet(db, accountId, b).catch(() => undefined));
  await expectEvents(() => deleteOrder(db, accountId, open), [b, 5, 'available']);
  await expectEvents(() => deletePet(db, accountId, b), [b, null, null]);
  await expectEvents(() => setInventory(db, accountId, b, { quantity: 1 }).catch(() => undefined));
});

const NONE = { petId: null, quantity: null, complete: false };

/** Changes the stock of a pet, and commits when it is told to. */
async function change(accountId: number, petId: number, by: number, commit: () => Promise<unknown>): Promise<void> {
  await database.db.transaction(async (trx) => {
    const held = { petId, quantity: Math.abs(by), complete: false };
    await (by > 0 ? moveReservation(trx, accountId, held, NONE) : moveReservation(trx, accountId, NONE, held));
    await commit();
  });
}

const waiting = async () => {
  const { rows } = await database.db.raw<{ rows: object[] }>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
};

test('a change of the status beside one of the stock has an event with both', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  let commit: () => void = () => undefined;
  let ordered: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    ordered = change(accountId, petIds[0], -1, () => {
      resolve();
      return new Promise<void>((end) => (commit = end));
    });
  });
  const sold = updatePet(database.db, accountId, petIds[0], { status: 'sold' });
  await until(async () => (await waiting()) === 1);
  commit();
  await Promise.all([ordered, sold]);
  expect((await eventsOf(accountId)).slice(-2)).toMatchObject([
    { quantity: 4, status: 'available' },
    { quantity: 4, status: 'sold' },
  ]);
});

test('an order that waits for a change of its pet is an event of the pet as that change has left it', async () => {
  const { db } = database;
  const { accountId, petIds } = await openShop(db, 5);
  const [petId] = petIds;
  const { record: open } = await createOrder(db, accountId, { petId });
  await eventsOf(accountId);
  for (const act of [() => createOrder(db, accountId, { petId }), () => deleteOrder(db, accountId, open.id)]) {
    const holder = await db.transaction();
    await holder('pets').where({ account_id: accountId, id: petId }).update({ status: 'pending' }).increment('version', 1);
    const done = act();
    const waiting = holder('pg_locks').where({ granted: false }).whereRaw('pg_backend_pid() = ANY (pg_blocking_pids(pid))');
    while ((await waiting.clone().select('pid')).length === 0) await Promise.resolve();
    await holder.commit();
    await done;
    const [pet] = await db('pets').where({ account_id: accountId }).select<object[]>('quantity', 'status');
    expect((await eventsOf(accountId)).at(-1)).toEqual({ petId, ...pet });
    await db('pets').where({ account_id: accountId, id: petId }).update({ status: 'available' });
  }
});

test(
  'beside concurrent orders, changes of status and deletions the last event of each pet is what it is, and nothing deadlocks',
  async () => {
    const { db } = database;
    const deadlocks = await countDeadlocks(database);
    const { accountId, categoryId, petIds } = await openShop(db, 3, 3, 3);
    const ignore = () => undefined;
    const statuses = ['available', 'pending', 'sold'] as const;
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const petId = petIds[i % 3] ?? 0;
        const actions = [
          async () => {
            const { record } = await createOrder(db, accountId, { petId, quantity: 1 + (i % 2) });
            if (i % 3 === 0) await deleteOrder(db, accountId, record.id);
            else await updateOrder(db, accountId, record.id, { petId: petIds[(i + 1) % 3] ?? 0, complete: i % 2 === 0 });
          },
          () => updatePet(db, accountId, petId, { status: statuses[(i >> 2) % 3] ?? 'sold' }),
          () => setInventory(db, accountId, petId, { quantity: i % 4 }),
          async () => {
            const { record } = await createPet(db, accountId, { name: 'new', categoryId, status: 'available' });
            await Promise.all([deleteCategory(db, accountId, categoryId).catch(ignore), deletePet(db, accountId, record.id)]);
          },
        ];
        await actions[i % 4]?.().catch(ignore);
      }),
    );
    const events = await eventsOf(accountId);
    const last = new Map(events.map(({ petId, quantity, status }) => [petId, { petId, quantity, status }]));
    expect([...last.values()].filter(({ status }) => status !== null).sort((x, y) => x.petId - y.petId)).toEqual(
      await listInventory(db, accountId, {}, { after: 0, limit: 1000 }),
    );
    expect(await countDeadlocks(database)).toBe(deadlocks);
  },
  scaleTimeout(30_000),
);

test('an order that is one statement has its event published by the server that took it', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  const before = await eventsOf(accountId);
  const feed = openEventFeed(database.db);
  try {
    await createOrder(database.db, accountId, { petId: petIds[0] });
    await until(async () => (await publishedOf(accountId))[before.length]?.quantity === 4);
  } finally {
    await feed.close();
  }
});

test('what was answered before another pet was changed comes first, whichever function changes it', async () => {
  const { accountId, petIds } = await openShop(database.db, 9, 9);
  const [a, b = 0] = petIds;
  const before = (await eventsOf(accountId)).length;
  const ROUNDS = 20;
  for (let quantity = 10; quantity < 10 + ROUNDS; quantity++) {
    await setInventory(database.db, accountId, b, { quantity });
    await updatePet(database.db, accountId, a, { status: quantity % 2 === 0 ? 'pending' : 'available' });
    await createOrder(database.db, accountId, { petId: b });
    await setInventory(database.db, accountId, a, { quantity });
  }
  const events = await eventsOf(accountId, before);
  expect(events.map(({ petId }) => petId)).toEqual(Array.from({ length: ROUNDS }, () => [b, a, b, a]).flat());
});
