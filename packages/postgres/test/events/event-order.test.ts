/** Events of an account are in the order in which they were committed: what was answered before another transaction began comes first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { connect, type Database } from '@specwright/postgres';
import { openEventFeed, publishEvents } from '@specwright/postgres/events';
import { until } from 'specwright/testing';
import { countGaps, countWaiting, eventsOf, openHall, seatEvents, visit, withSeats, type StoredEvent } from './support/seats.ts';

const database = withSeats();

/** Another server: a pool to the same database. */
async function withServer<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const db = connect({ url: database.url, name: 'another', pool: 4, lockTimeoutMs: 0, statementTimeoutMs: 0, acquireTimeoutMs: 60_000 });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

test('changes of two records that two servers answer one after the other are never swapped, beside others', async () => {
  const PAIRS = 200;
  const hall = await openHall(database.db, 6);
  let isRunning = true;
  const during = async (work: () => Promise<unknown>) => {
    while (isRunning) await work();
  };
  await withServer(async (other) => {
    // Both servers publish, so that batches end between any two of them.
    const publishers = [database.db, other].map((db) => during(() => publishEvents(db).then(() => sleep(2))));
    const others = [4, 5].map((seat) => during(() => visit(database.db, hall, seat, () => sleep(3))));
    for (let n = 0; n < PAIRS; n++) {
      // The later record is the lower one half of the time.
      const [first, second] = n % 2 === 0 ? [1, 0] : [2, 3];
      await visit(n % 4 < 2 ? database.db : other, hall, first);
      await visit(n % 4 < 2 ? other : database.db, hall, second);
    }
    isRunning = false;
    await Promise.all([...publishers, ...others]);
  });
  const events = await eventsOf(database.db, hall);
  const pairs = events.filter(({ seat }) => seat < 4).map(({ seat }) => seat);
  expect(pairs).toEqual(Array.from({ length: PAIRS / 2 }, () => [1, 0, 2, 3]).flat());
  expect(countGaps(events)).toBe(0);
});

test('a batch has what was answered first before what was answered last, whatever account and record they are of', async () => {
  const halls = [await openHall(database.db, 3), await openHall(database.db, 3)];
  for (const seat of [2, 0, 1]) for (const hall of halls) await visit(database.db, hall, seat);
  for (const hall of halls) expect((await eventsOf(database.db, hall)).map(({ seat }) => seat)).toEqual([2, 0, 1]);
});

test('several events of one append are in the order in which they are given', async () => {
  const hall = await openHall(database.db, 0);
  const seats = [5, 3, 9, 1];
  await seatEvents.append(database.db, hall, ...seats.map((seat) => ({ event: 'removed' as const, data: { seat } })));
  await seatEvents.append(database.db, hall);
  expect((await eventsOf(database.db, hall)).map(({ seat }) => seat)).toEqual(seats);
});

test('transactions wait for nothing of each other: what is committed is published, and what rolls back leaves no gap', async () => {
  const { db } = database;
  const hall = await openHall(db, 2);
  let fail: () => void = () => undefined;
  let failed: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    const first = visit(db, hall, 0, () => {
      resolve();
      return new Promise((_, reject) => (fail = () => reject(new Error('changed its mind'))));
    });
    failed = expect(first).rejects.toThrow('changed its mind');
  });
  await visit(db, hall, 1);
  const second = await eventsOf(db, hall);
  expect(second.map(({ seat }) => seat)).toEqual([1]);
  fail();
  await failed;
  expect(await eventsOf(db, hall)).toEqual(second);
  await visit(db, hall, 0);
  const events = await eventsOf(db, hall);
  expect(events.map(({ seat, visitors }) => [seat, visitors])).toEqual([
    [1, 1],
    [0, 1],
  ]);
  expect(countGaps(events)).toBe(0);
});

test('a reader that goes on after the last event that it has read misses none, in whatever order transactions commit', async () => {
  const { db } = database;
  const ROUNDS = 15;
  const SEATS = 6;
  const hall = await openHall(db, SEATS);
  const read: StoredEvent[] = [];
  let isRunning = true;
  const readOn = async () => void read.push(...(await eventsOf(db, hall, read.at(-1)?.id ?? 0)));
  const reader = until(async () => readOn().then(() => !isRunning));
  await Promise.all(
    Array.from({ length: SEATS }, async (_, seat) => {
      for (let round = 0; round < ROUNDS; round++) await visit(db, hall, seat, () => sleep((seat * 7 + round * 3) % 5));
    }),
  );
  isRunning = false;
  await reader;
  await readOn();
  expect(read).toHaveLength(SEATS * ROUNDS);
  expect(countGaps(read)).toBe(0);
  for (let seat = 0; seat < SEATS; seat++)
    expect(read.filter((event) => event.seat === seat).map(({ visitors }) => visitors)).toEqual(
      Array.from({ length: ROUNDS }, (_, n) => n + 1),
    );
});

test.each<[what: string, sql: string]>([
  ['takes them', 'SELECT FROM event_log_pending WHERE account_id = ? FOR UPDATE'],
  ['counts them', 'SELECT FROM event_log_last_ids WHERE account_id = ? FOR UPDATE'],
])('a server whose connection ends while it %s leaves them to the next one: each event is published once', async (_, lock) => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visit(db, hall, 0);
  const [before] = await eventsOf(db, hall);
  for (let n = 0; n < 3; n++) await visit(db, hall, 0);
  await withServer(async (other) => {
    await db.transaction(async (trx) => {
      await trx.raw(lock, [hall]);
      const ended = expect(publishEvents(other)).rejects.toMatchObject({ code: 'service_unavailable' });
      await until(async () => (await countWaiting(db)) === 1);
      await db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'another'`);
      await ended;
    });
    await Promise.all([publishEvents(other), publishEvents(db)]);
  });
  const events = await eventsOf(db, hall, before?.id);
  expect(events.map(({ visitors }) => visitors)).toEqual([2, 3, 4]);
  expect(countGaps(events, before?.id)).toBe(0);
});

test('two servers that publish at once publish each event once, in the order of the changes of its record', async () => {
  const { db } = database;
  const SEATS = 4;
  const hall = await openHall(db, SEATS);
  let isRunning = true;
  const publishOn = async (pool: Database) => {
    while (isRunning) await publishEvents(pool);
  };
  await withServer(async (other) => {
    const publishers = Promise.all([publishOn(other), publishOn(db)]);
    await Promise.all(
      Array.from({ length: SEATS }, async (_, seat) => {
        for (let n = 0; n < 15; n++) await visit(seat % 2 === 0 ? db : other, hall, seat);
      }),
    );
    isRunning = false;
    await publishers;
  });
  const events = await eventsOf(db, hall);
  expect(countGaps(events)).toBe(0);
  for (let seat = 0; seat < SEATS; seat++)
    expect(events.filter((event) => event.seat === seat).map(({ visitors }) => visitors)).toEqual(
      Array.from({ length: 15 }, (_, n) => n + 1),
    );
});

test('the events of all accounts and logs are published in one transaction', async () => {
  const halls = [await openHall(database.db, 1), await openHall(database.db, 1)];
  for (const hall of halls) await visit(database.db, hall, 0);
  await publishEvents(database.db);
  const { rows } = await database.db.raw<{ rows: object[] }>('SELECT DISTINCT xmin::text FROM event_log WHERE account_id = ANY (?)', [
    halls,
  ]);
  expect(rows).toHaveLength(1);
});

test('more events than a batch are published whole, in their order', async () => {
  const { db } = database;
  const hall = await openHall(db, 0);
  await db.raw(
    `INSERT INTO event_log_pending (account_id, log, event)
     SELECT ?, 'seats', json_build_object('event', 'removed', 'data', json_build_object('seat', n)) FROM generate_series(1, 4500) n`,
    [hall],
  );
  const events = await eventsOf(db, hall);
  expect(events.map(({ seat }) => seat)).toEqual(Array.from({ length: 4500 }, (_, n) => n + 1));
  expect(countGaps(events)).toBe(0);
});

test('what an account that was deleted has left is not published, and stops nobody', async () => {
  const { db } = database;
  const [deleted, kept] = [await openHall(db, 1), await openHall(db, 1)];
  await visit(db, deleted, 0);
  await eventsOf(db, deleted);
  for (const hall of [deleted, kept]) await visit(db, hall, 0);
  await db('halls').where({ id: deleted }).delete();
  expect(await eventsOf(db, deleted)).toEqual([]);
  expect(await eventsOf(db, kept)).toHaveLength(1);
  expect(await db('event_log_pending').where({ account_id: deleted })).toEqual([]);
  expect(await db('event_log').where({ account_id: deleted })).toEqual([]);
});

test('what a server has committed it publishes; what a statement of the service has inserted too, once it says so', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  const feed = openEventFeed(db);
  try {
    const published = async () => (await db('event_log').where({ account_id: hall }).select('id')).length;
    await visit(db, hall, 0);
    await until(async () => (await published()) === 1);
    await db('event_log_pending').insert({ account_id: hall, log: 'seats', event: '{"event":"removed","data":{"seat":0}}' });
    seatEvents.publish(db);
    await until(async () => (await published()) === 2);
  } finally {
    await feed.close();
  }
});
