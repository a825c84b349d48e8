/** A noun with an event log: seats of a hall, which are taken and freed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createStoreAccess, migrate, type Database, type Transaction } from '@specwright/postgres';
import { defineEventLog, eventMigrations, publishEvents } from '@specwright/postgres/events';
import { createDatabase, scaleTimeout, withFixture, type TestDatabase } from 'specwright/testing';
import { readEvents } from '../../../src/events/read-events.ts';

/** As a contract describes it. */
export type SeatEvent =
  | { readonly id: string; readonly event: 'changed'; readonly data: { readonly seat: number; readonly visitors: number } }
  | { readonly id: string; readonly event: 'removed'; readonly data: { readonly seat: number } }
  | { readonly id: string; readonly event: 'reset'; readonly data: { readonly reason: 'started' | 'expired' } };

export const seatEvents = defineEventLog<SeatEvent>('seats');

const SCHEMA = {
  migrations: [
    {
      name: '0001_halls',
      migration: {
        up: (knex: Database) =>
          knex.raw(`
            CREATE TABLE halls (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
            CREATE TABLE seats (
              hall bigint NOT NULL REFERENCES halls ON DELETE CASCADE, id integer NOT NULL, visitors integer NOT NULL, PRIMARY KEY (hall, id))`),
      },
    },
    ...eventMigrations('halls'),
  ],
};

/** A database for the tests of the current file, dropped after them. */
export const withSeats = (): TestDatabase =>
  withFixture(
    async () => {
      const database = await createDatabase({ schema: 'empty' });
      await migrate(database.db, SCHEMA);
      return database;
    },
    (database) => database.drop(),
  );

const { transaction } = createStoreAccess();

/** A hall with as many seats. @returns the account of their events. */
export async function openHall(db: Database, seats: number): Promise<number> {
  const [hall] = await db('halls').insert({}).returning<{ id: number }[]>('id');
  const id = hall?.id ?? 0;
  const rows = Array.from({ length: seats }, (_, seat) => ({ hall: id, id: seat, visitors: 0 }));
  if (rows.length > 0) await db('seats').insert(rows);
  return id;
}

/** Changes a seat by one visitor, as an event with what that has left. @param beforeCommit what the transaction waits for in the end. */
export const visit = (db: Database, hall: number, seat: number, beforeCommit?: (trx: Transaction) => Promise<unknown>): Promise<number> =>
  transaction(db, async (trx) => {
    const [changed] = await trx('seats').where({ hall, id: seat }).increment('visitors', 1).returning<{ visitors: number }[]>('visitors');
    const visitors = changed?.visitors ?? 0;
    await seatEvents.append(trx, hall, { event: 'changed', data: { seat, visitors } });
    await beforeCommit?.(trx);
    return visitors;
  });

/** Several visits, one after the other. */
export async function visitTimes(db: Database, hall: number, times: number, seat = 0): Promise<void> {
  for (let n = 0; n < times; n++) await visit(db, hall, seat);
}

export interface StoredEvent {
  readonly id: number;
  readonly previousId: number;
  readonly seat: number;
  readonly visitors: number | undefined;
}

/** The events of a hall, once all are published. */
export async function eventsOf(db: Database, hall: number, after = 0): Promise<StoredEvent[]> {
  await publishEvents(db);
  const { events } = await readEvents(db, 'seats', hall, after, 10_000);
  return events.map(({ id, previousId, event }) => {
    const { data } = event as { data: { seat: number; visitors?: number } };
    return { id, previousId, seat: data.seat, visitors: data.visitors };
  });
}

/** How many of the events do not name the one before them. */
export const countGaps = (events: readonly StoredEvent[], after = 0): number =>
  events.filter(({ previousId }, n) => previousId !== (events[n - 1]?.id ?? after)).length;

/** The next event of a stream. @throws Error if none comes. */
export async function next(stream: AsyncIterator<SeatEvent>): Promise<SeatEvent> {
  const timeout = sleep(scaleTimeout(5000), undefined, { ref: false }).then(() => Promise.reject(new Error('no event has come')));
  const result = await Promise.race([stream.next(), timeout]);
  if (result.done === true) throw new Error('the stream has ended');
  return result.value;
}

/** What the next events of a stream say: how many visitors a seat has, or the reason of a reset. */
export async function take(stream: AsyncIterator<SeatEvent>, count: number): Promise<unknown[]> {
  const said: unknown[] = [];
  while (said.length < count) {
    const { data } = await next(stream);
    said.push('visitors' in data ? data.visitors : data);
  }
  return said;
}

/** How many sessions of a database wait for a lock. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: object[] }>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}
