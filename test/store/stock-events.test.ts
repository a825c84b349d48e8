/** Every change of stock or status is an event, and the events of an account are numbered in the order in which they are committed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { connect, type Database } from '@specwright/postgres';
import { countDeadlocks, scaleTimeout, until, withDatabase } from 'specwright/testing';
import { deleteCategory } from '../../src/db/categories.ts';
import { listInventory, setInventory } from '../../src/db/inventory.ts';
import { createOrder, deleteOrder, updateOrder } from '../../src/db/orders.ts';
import { createPet, deletePet, replacePet, updatePet } from '../../src/db/pets.ts';
import { moveReservation } from '../../src/db/reservations.ts';
import { renewStockEventIds } from '../../src/db/stock-epoch.ts';
import { deleteOldStockEvents, readStockEvents, type StockEvent } from '../../src/db/stock-events.ts';
import { numberStockEvents } from '../../src/db/stock-numbers.ts';
import { newAccount } from '../support/service/app.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();

async function eventsOf(accountId: number, after = 0) {
  await numberStockEvents(database.db);
  return (await readStockEvents(database.db, accountId, after, 1000)).events;
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
    { id: 1, petId: a, quantity: 0, status: 'available' },
    { id: 2, petId: b, quantity: 0, status: 'available' },
    { id: 3, petId: b, quantity: 5, status: 'available' },
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

test('changes of two pets wait for nothing of each other: what is committed has its number, and what rolls back leaves no gap', async () => {
  const { accountId, petIds } = await openShop(database.db, 5, 5);
  const before = (await eventsOf(accountId)).length;
  let failed: Promise<void> | undefined;
  let fail: () => void = () => undefined;
  await new Promise<void>((resolve) => {
    const first = change(accountId, petIds[0], 1, () => {
      resolve();
      return new Promise((_, reject) => (fail = () => reject(new Error('changed its mind'))));
    });
    failed = expect(first).rejects.toThrow('changed its mind');
  });
  await change(accountId, petIds[1] ?? 0, 1, async () => undefined);
  const second = [{ id: before + 1, petId: petIds[1], quantity: 6, status: 'available' }];
  expect(await eventsOf(accountId, before)).toEqual(second);
  fail();
  await failed;
  expect(await eventsOf(accountId, before)).toEqual(second);
  await change(accountId, petIds[0], 1, async () => undefined);
  expect((await eventsOf(accountId, before)).map(({ id }) => id)).toEqual([before + 1, before + 2]);
});

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

test('a reader that goes on after the last event that it has read misses none, in whatever order transactions commit', async () => {
  const { accountId, petIds } = await openShop(database.db, 0, 0, 0, 0, 0, 0);
  const ROUNDS = 15;
  const read: StockEvent[] = [];
  let running = true;
  const readOn = async () => void read.push(...(await eventsOf(accountId, read.at(-1)?.id ?? 0)));
  const reader = until(async () => readOn().then(() => !running));
  await Promise.all(
    petIds.map(async (petId, i) => {
      for (let round = 0; round < ROUNDS; round++) await change(accountId, petId, 1, () => sleep((i * 7 + round * 3) % 5));
    }),
  );
  running = false;
  await reader;
  await readOn();
  expect(read.map(({ id }) => id)).toEqual(read.map((_, i) => i + 1));
  expect(read).toHaveLength(petIds.length * (ROUNDS + 1));
  for (const petId of petIds)
    expect(read.filter((event) => event.petId === petId).map(({ quantity }) => quantity)).toEqual(
      Array.from({ length: ROUNDS + 1 }, (_, i) => i),
    );
});

/** Numbers events over a connection of its own, as another server does. */
async function withNumberer<T>(use: (pool: Database) => Promise<T>): Promise<T> {
  const pool = connect({ url: database.url, name: 'numberer', pool: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 });
  try {
    return await use(pool);
  } finally {
    await pool.destroy();
  }
}

test.each<[what: string, sql: string]>([
  ['takes them', 'SELECT FROM pending_stock_events WHERE account_id = ? FOR UPDATE'],
  ['counts them', 'SELECT FROM stock_event_counters WHERE account_id = ? FOR UPDATE'],
])('a numberer whose connection ends while it %s leaves them to the next one: each event gets its number once', async (_, lock) => {
  const { accountId, petIds } = await openShop(database.db, 0);
  const before = (await eventsOf(accountId)).length;
  for (const quantity of [1, 2, 3]) await setInventory(database.db, accountId, petIds[0], { quantity });
  await withNumberer(async (pool) => {
    await database.db.transaction(async (trx) => {
      await trx.raw(lock, [accountId]);
      const ended = expect(numberStockEvents(pool)).rejects.toMatchObject({ code: 'service_unavailable' });
      await until(async () => (await waiting()) === 1);
      await database.db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'numberer'`);
      await ended;
    });
    await Promise.all([numberStockEvents(pool), numberStockEvents(database.db)]);
  });
  const events = (await readStockEvents(database.db, accountId, before, 100)).events;
  expect(events.map(({ id, quantity }) => [id - before, quantity])).toEqual([1, 2, 3].map((n) => [n, n]));
});

test('two numberers at once number each event once, in the order of the changes of its pet, beside deletions', async () => {
  const { accountId, categoryId, petIds } = await openShop(database.db, 0, 0, 0, 0);
  let isRunning = true;
  const numberOn = async (pool: Database) => {
    while (isRunning) await numberStockEvents(pool);
  };
  await withNumberer(async (pool) => {
    const numberers = Promise.all([numberOn(pool), numberOn(database.db)]);
    await Promise.all(
      petIds.map(async (petId, n) => {
        for (let quantity = 1; quantity <= 15; quantity++) await setInventory(database.db, accountId, petId, { quantity });
        if (n % 2 === 0) await deletePet(database.db, accountId, petId);
        else await createPet(database.db, accountId, { name: 'Rex', categoryId, status: 'available' });
      }),
    );
    isRunning = false;
    await numberers;
  });
  const events = await eventsOf(accountId);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, n) => n + 1));
  const quantities = Array.from({ length: 16 }, (_, n) => n);
  petIds.forEach((petId, n) => {
    expect(events.filter((event) => event.petId === petId).map(({ quantity }) => quantity)).toEqual([
      ...quantities,
      ...(n % 2 === 0 ? [null] : []),
    ]);
  });
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
    const [event] = await db('pending_stock_events').where({ account_id: accountId }).select<object[]>('status', 'version');
    const [pet] = await db('pets').where({ account_id: accountId }).select<object[]>('status', 'version');
    expect(event).toEqual(pet);
    await eventsOf(accountId);
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
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    expect([...last.values()].filter(({ status }) => status !== null).sort((x, y) => x.petId - y.petId)).toEqual(
      await listInventory(db, accountId, {}, { after: 0, limit: 1000 }),
    );
    expect(await countDeadlocks(database)).toBe(deadlocks);
  },
  scaleTimeout(30_000),
);

test('after a recovery no number is given again, whether an account had events then or not, and however often it is recovered', async () => {
  const { db } = database;
  const withEvents = await openShop(db, 0);
  await eventsOf(withEvents.accountId);
  const { accountId: quiet } = await newAccount(db);
  const recover = () => renewStockEventIds(async <Row extends object>(sql: string) => (await db.raw<{ rows: Row[] }>(sql)).rows);
  await recover();
  const { categoryId } = withEvents;
  await createPet(db, withEvents.accountId, { name: 'x', categoryId, status: 'available' });
  const [, renewed] = await eventsOf(withEvents.accountId);
  expect(renewed?.id).toBeGreaterThan(2 ** 50);
  expect(renewed?.id).toBeLessThan(2 ** 53);
  expect((await readStockEvents(db, quiet, 0, 1)).lastId).toBeGreaterThan(2 ** 50);
  await recover();
  expect((await readStockEvents(db, withEvents.accountId, 0, 1)).lastId).toBeGreaterThan(renewed?.id ?? 0);
});

test('events are deleted after the retention, more than a batch of them too, and their numbers are not given again', async () => {
  const { accountId, petIds } = await openShop(database.db, 1);
  expect(await eventsOf(accountId)).toHaveLength(2);
  await database.db.raw(
    `INSERT INTO stock_events (account_id, id, pet_id, created_at) SELECT ?, n, 1, now() - interval '25 hours' FROM generate_series(3, 2500) n`,
    [accountId],
  );
  await database.db('stock_event_counters').where({ account_id: accountId }).update({ last_id: 2500 });
  await deleteOldStockEvents(database.db, 24);
  expect((await eventsOf(accountId)).map(({ id }) => id)).toEqual([1, 2]);
  await database.db.raw(`UPDATE stock_events SET created_at = now() - interval '25 hours'`);
  await deleteOldStockEvents(database.db, 24);
  expect(await readStockEvents(database.db, accountId, 0, 10)).toEqual({ lastId: 2500, events: [] });
  await setInventory(database.db, accountId, petIds[0], { quantity: 2 });
  expect((await eventsOf(accountId)).map(({ id }) => id)).toEqual([2501]);
});
