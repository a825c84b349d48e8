/** After a restore to an earlier moment no stream goes on from an id that was given after it, and nobody has to say that it was restored. */
import { expect, test } from '@jest/globals';
import { connect, type Database } from '@specwright/postgres';
import { openEventFeed, publishEvents } from '@specwright/postgres/events';
import { until } from 'specwright/testing';
import { countGaps, eventsOf, next, openHall, seatEvents, take, visit, visitTimes, withSeats } from './support/seats.ts';

const database = withSeats();

const TABLES = ['event_log', 'event_log_last_ids', 'event_log_pending', 'seats'];

/** The rows of a hall as a backup has them. @returns what restores them, as a recovery to that moment does. */
async function backUp(db: Database, hall: number): Promise<() => Promise<void>> {
  const column = (table: string) => (table === 'seats' ? 'hall' : 'account_id');
  for (const table of TABLES) {
    await db.raw(`DROP TABLE IF EXISTS backup_${table}`);
    await db.raw(`CREATE TABLE backup_${table} AS SELECT * FROM ${table} WHERE ${column(table)} = ${hall}`);
  }
  return () =>
    db.transaction(async (trx) => {
      for (const table of TABLES) {
        await trx(table)
          .where({ [column(table)]: hall })
          .delete();
        const overriding = table === 'event_log_pending' ? 'OVERRIDING SYSTEM VALUE' : '';
        await trx.raw(`INSERT INTO ${table} ${overriding} SELECT * FROM backup_${table}`);
      }
    });
}

async function withFeed(use: () => Promise<void>): Promise<void> {
  const feed = openEventFeed(database.db, { pollIntervalMs: { listening: 30, polling: 30 } });
  try {
    await use();
  } finally {
    await feed.close();
  }
}

const follow = (hall: number, after: number) => seatEvents.follow(database.db, hall, after);

test('an id that was given after the backup is not given again, however many events there are since, and a stream after it begins with reset', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 3);
  const kept = await eventsOf(db, hall);
  const restore = await backUp(db, hall);
  await visitTimes(db, hall, 20);
  const lost = (await eventsOf(db, hall)).slice(3);
  await restore();
  await withFeed(async () => {
    // Nothing has happened since; then as many events, and more.
    for (const { id } of lost) expect(await next(follow(hall, id))).toMatchObject({ event: 'reset', data: { reason: 'expired' } });
    for (let n = 0; n < 40; n++) {
      await visit(db, hall, 0);
      await publishEvents(db);
    }
    const events = await eventsOf(db, hall);
    expect(countGaps(events)).toBe(0);
    expect(events.slice(0, 3)).toEqual(kept);
    const given = new Set(events.map(({ id }) => id));
    expect(lost.filter(({ id }) => given.has(id))).toEqual([]);
    for (const { id } of lost)
      expect(await next(follow(hall, id))).toEqual({ id: String(events.at(-1)?.id), event: 'reset', data: { reason: 'expired' } });
    // Who has seen only what was restored goes on without a reset, and has what has happened since.
    expect(await take(follow(hall, kept[1]?.id ?? 0), 3)).toEqual([3, 4, 5]);
    expect(await take(follow(hall, kept[2]?.id ?? 0), 2)).toEqual([4, 5]);
  });
});

test('a stream that is open while the database is restored says so, though nothing happens', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 1);
  const [first] = await eventsOf(db, hall);
  const restore = await backUp(db, hall);
  await withFeed(async () => {
    const stream = follow(hall, first?.id ?? 0);
    await visitTimes(db, hall, 2);
    expect(await take(stream, 2)).toEqual([2, 3]);
    await restore();
    expect(await next(stream)).toEqual({ id: String(first?.id), event: 'reset', data: { reason: 'expired' } });
    await visit(db, hall, 0);
    expect(await take(stream, 1)).toEqual([2]);
  });
});

test('so it does where the account had no events at that moment', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  const restore = await backUp(db, hall);
  await withFeed(async () => {
    const stream = seatEvents.follow(db, hall);
    expect(await next(stream)).toMatchObject({ id: '0', data: { reason: 'started' } });
    await visit(db, hall, 0);
    expect(await take(stream, 1)).toEqual([1]);
    await restore();
    expect(await next(stream)).toEqual({ id: '0', event: 'reset', data: { reason: 'expired' } });
  });
});

test('events that were pending at the moment of the backup are published once, after those that were published', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 1);
  await eventsOf(db, hall);
  await visitTimes(db, hall, 1);
  const restore = await backUp(db, hall);
  const before = await eventsOf(db, hall);
  await restore();
  const after = await eventsOf(db, hall);
  expect(after.map(({ visitors }) => visitors)).toEqual([1, 2]);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.id).toBeGreaterThan(before[1]?.id ?? 0);
});

test('ids go on where the clock is behind the last one, and end far below 2^53', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 1);
  const id = (await eventsOf(db, hall))[0]?.id ?? 0;
  const YEARS_US = 50 * 365 * 86_400_000_000;
  expect(id + YEARS_US).toBeLessThan(2 ** 53);
  await db('event_log_last_ids')
    .where({ account_id: hall })
    .update({ last_id: id + YEARS_US });
  await visitTimes(db, hall, 2);
  const later = (await eventsOf(db, hall, id)).map((event) => [event.previousId - id - YEARS_US, event.id - id - YEARS_US]);
  expect(later).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test('a dump that is restored into another database goes on with other ids than the database that was dumped', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 1);
  await eventsOf(db, hall);
  const name = `${new URL(database.url).pathname.slice(1)}_copy`;
  const admin = connect({ url: Object.assign(new URL(database.url), { pathname: '/postgres' }).href, pool: 1, statementTimeoutMs: 0 });
  // A database is copied while nobody is connected to it.
  await db.destroy();
  await admin.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ? AND pid <> pg_backend_pid()', [
    new URL(database.url).pathname.slice(1),
  ]);
  await until(async () =>
    admin.raw('CREATE DATABASE ?? TEMPLATE ??', [name, new URL(database.url).pathname.slice(1)]).then(
      () => true,
      () => false,
    ),
  );
  const [old, copy] = [database.url, Object.assign(new URL(database.url), { pathname: `/${name}` }).href].map((url) =>
    connect({ url }),
  ) as [Database, Database];
  try {
    for (const one of [old, copy]) await visitTimes(one, hall, 5);
    const [ofOld, ofCopy] = [await eventsOf(old, hall), await eventsOf(copy, hall)];
    expect(ofOld[0]).toEqual(ofCopy[0]);
    const given = new Set(ofCopy.slice(1).map(({ id }) => id));
    expect(ofOld.slice(1).filter(({ id }) => given.has(id))).toEqual([]);
  } finally {
    await Promise.all([old.destroy(), copy.destroy()]);
    await admin.raw('DROP DATABASE ?? WITH (FORCE)', [name]);
    await admin.destroy();
  }
});
