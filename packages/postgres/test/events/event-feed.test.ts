/** Streams of events: none is lost over a connection that ends, a notification that does not arrive or a server in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { defineEventLog, type EventFeed, type EventFeedOptions, openEventFeed, publishEvents } from '@specwright/postgres/events';
import { until, withFixture } from 'specwright/testing';
import { startTcpProxy } from '../../../../test/support/tools/tcp-proxy.ts';
import { connectForEvents } from '../../src/events/event-feed.ts';
import { readEvents } from '../../src/events/read-events.ts';
import { eventsOf, next, openHall, seatEvents, take, visit, visitTimes, withSeats, type SeatEvent } from './support/seats.ts';

const database = withSeats();

const feeds: { readonly feed: EventFeed; isListening: boolean }[] = [];
/** A feed that polls nothing. @returns whether it listens, as its log says. */
function openFeed(options: EventFeedOptions = {}, db = database.db): () => boolean {
  const log = { info: () => void (opened.isListening = true), warn: () => void (opened.isListening = false) };
  const feed = openEventFeed(db, { log, pollIntervalMs: { listening: 60_000, polling: 60_000 }, ...options });
  const opened = { feed, isListening: false };
  feeds.push(opened);
  return () => opened.isListening;
}
afterEach(async () => {
  await Promise.all(feeds.splice(0).map(({ feed }) => feed.close()));
});

const follow = (hall: number, after?: number) => seatEvents.follow(database.db, hall, after);

/** A stream that listens, after its first event. */
async function started(hall: number, isListening: () => boolean, db = database.db): Promise<AsyncIterableIterator<SeatEvent>> {
  const stream = seatEvents.follow(db, hall);
  expect((await next(stream)).data).toEqual({ reason: 'started' });
  await until(async () => isListening());
  return stream;
}

const expired = (id: number | string) => ({ id: String(id), event: 'reset', data: { reason: 'expired' } });

test('a stream has each event of its account and its log alone, as it is appended, with an id of its own', async () => {
  const [hall, another] = [await openHall(database.db, 1), await openHall(database.db, 1)];
  const lights = defineEventLog<SeatEvent>('lights');
  const stream = await started(hall, openFeed());
  await visit(database.db, another, 0);
  await lights.append(database.db, hall, { event: 'removed', data: { seat: 9 } });
  await visitTimes(database.db, hall, 2);
  const [first, second] = [await next(stream), await next(stream)];
  expect(first).toEqual({ id: expect.any(String), event: 'changed', data: { seat: 0, visitors: 1 } });
  expect(second).toMatchObject({ data: { visitors: 2 } });
  expect(Number(second.id)).toBeGreaterThan(Number(first.id));
  expect(Number.isSafeInteger(Number(second.id))).toBe(true);
  const light = lights.follow(database.db, hall, 0);
  expect(await next(light)).toMatchObject({ event: 'removed', data: { seat: 9 } });
});

test('a stream after an event has all that follow it, also more than a page; one after 0 has all', async () => {
  const hall = await openHall(database.db, 1);
  await visitTimes(database.db, hall, 231);
  const [first] = await eventsOf(database.db, hall);
  openFeed();
  expect(await take(follow(hall, first?.id), 230)).toEqual(Array.from({ length: 230 }, (_, n) => n + 2));
  expect(await take(follow(hall, 0), 2)).toEqual([1, 2]);
});

test('where events are not kept any more, or the id was never given, the stream says so and goes on from now', async () => {
  const hall = await openHall(database.db, 1);
  await visitTimes(database.db, hall, 4);
  const [first, second, third, last = { id: 0 }] = await eventsOf(database.db, hall);
  const remaining = () => database.db('event_log').where({ account_id: hall });
  await remaining()
    .where('id', '<=', second?.id ?? 0)
    .delete();
  const isListening = openFeed();
  expect(await take(follow(hall, second?.id), 2)).toEqual([3, 4]);
  for (const id of [first?.id, (first?.id ?? 0) - 1, last.id + 1, 99, -7, 2 ** 53 - 1])
    expect(await next(follow(hall, id))).toEqual(expired(last.id));
  for (const text of ['', 'first', '1.5', '9007199254740993', '18446744073709551616'])
    expect(await next(seatEvents.follow(database.db, hall, text))).toEqual(expired(last.id));
  await remaining().delete();
  const stream = follow(hall, third?.id);
  expect(await next(stream)).toEqual(expired(last.id));
  await until(async () => isListening());
  await visit(database.db, hall, 0);
  expect(await take(stream, 1)).toEqual([5]);
  expect(await take(seatEvents.follow(database.db, hall, String(last.id)), 1)).toEqual([5]);
});

test('an account without events has id 0, and an id that was given elsewhere is none of its', async () => {
  openFeed();
  const hall = await openHall(database.db, 0);
  expect(await next(follow(hall))).toEqual({ id: '0', event: 'reset', data: { reason: 'started' } });
  expect(await next(follow(hall, 5))).toEqual(expired(0));
});

test('an event that is missing between two others is a reset, after what comes before it', async () => {
  const hall = await openHall(database.db, 1);
  await visitTimes(database.db, hall, 5);
  const events = await eventsOf(database.db, hall);
  await database
    .db('event_log')
    .where({ account_id: hall, id: events[3]?.id ?? 0 })
    .delete();
  openFeed();
  const stream = follow(hall, events[0]?.id);
  expect(await take(stream, 2)).toEqual([2, 3]);
  expect(await next(stream)).toEqual(expired(events[4]?.id ?? 0));
});

test('a stream that is read so slowly that events are deleted before says so', async () => {
  const hall = await openHall(database.db, 1);
  await visitTimes(database.db, hall, 111);
  const [first] = await eventsOf(database.db, hall);
  openFeed();
  const stream = follow(hall, first?.id);
  await next(stream);
  await database.db('event_log').where({ account_id: hall }).delete();
  expect((await take(stream, 100)).at(-1)).toEqual({ reason: 'expired' });
});

test('what is committed while the connection is lost comes when it is open again', async () => {
  const hall = await openHall(database.db, 1);
  const isListening = openFeed();
  const stream = await started(hall, isListening);
  await database.db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_advisory_lock_shared%' AND pid <> pg_backend_pid()`,
  );
  await until(async () => !isListening());
  await visitTimes(database.db, hall, 2);
  expect(await take(stream, 2)).toEqual([1, 2]);
});

const polling = withFixture(
  async () => {
    const proxy = await startTcpProxy(database.url);
    await proxy.refuse();
    return { proxy, db: connect({ url: database.url, directUrl: proxy.url }) };
  },
  async ({ proxy, db }) => {
    await db.destroy();
    await proxy.close();
  },
);

test('without notifications events are polled', async () => {
  const hall = await openHall(database.db, 1);
  openFeed({ pollIntervalMs: { listening: 60_000, polling: 30 } }, polling.db);
  const stream = seatEvents.follow(polling.db, hall);
  await next(stream);
  await visitTimes(database.db, hall, 2);
  expect(await take(stream, 2)).toEqual([1, 2]);
});

test('a notification that was lost is made up for by a poll', async () => {
  const hall = await openHall(database.db, 1);
  const stream = await started(hall, openFeed({ pollIntervalMs: { listening: 30, polling: 30 } }));
  await database.db.raw(
    `WITH head AS (INSERT INTO event_log_last_ids VALUES (:hall, 'seats', 7) RETURNING last_id)
     INSERT INTO event_log (account_id, log, id, previous_id, event)
     SELECT :hall, 'seats', last_id, 0, '{"event": "changed", "data": {"seat": 0, "visitors": 8}}' FROM head`,
    { hall },
  );
  expect(await take(stream, 1)).toEqual([8]);
});

test('streams to which nothing happens ask the database nothing, and all of a process poll together', async () => {
  const halls = [await openHall(database.db, 1), await openHall(database.db, 1)] as const;
  const pool = connectForEvents(database.db, 2);
  const isListening = openFeed({ pollIntervalMs: { listening: 50, polling: 60_000 }, pool });
  const streams = await Promise.all(Array.from({ length: 200 }, (_, n) => started(halls[n % 2] as number, isListening)));
  const pending = streams.map((stream) => stream.next());
  const statements: string[] = [];
  const record = ({ sql }: { sql: string }) => void statements.push(sql);
  pool.on('query', record);
  let elapsed = 0;
  // On a busy machine the first reads of the streams are still under way.
  await until(async () => {
    statements.length = 0;
    const start = performance.now();
    await sleep(250);
    elapsed = performance.now() - start;
    return !statements.some((sql) => /from event_log\b/i.test(sql));
  });
  pool.off('query', record);
  const polls = statements.filter((sql) => sql.includes('event_log_last_ids'));
  expect(polls.length).toBeGreaterThan(0);
  expect(polls.length).toBeLessThanOrEqual(2 + elapsed / 50);
  const [metric] = (await feeds[0]?.feed.metrics()) ?? [];
  expect(metric).toMatchObject({ name: 'event_log_streams', values: [{ labels: { log: 'seats' }, value: 200 }] });
  await visit(database.db, halls[0], 0);
  const woken = await Promise.all(pending.filter((_, n) => n % 2 === 0));
  expect(woken.map(({ value }) => (value as SeatEvent).data)).toEqual(woken.map(() => ({ seat: 0, visitors: 1 })));
  // What is closed while it waits ends at once, and a feed that has no streams asks nothing any more.
  for (const stream of streams) await stream.return?.();
  expect((await Promise.all(pending.filter((_, n) => n % 2 === 1))).every(({ done }) => done === true)).toBe(true);
  await sleep(60);
  statements.length = 0;
  pool.on('query', record);
  await sleep(150);
  pool.off('query', record);
  expect(statements.filter((sql) => sql.includes('event_log'))).toEqual([]);
});

test('a feed that is closed ends its streams, and publishes nothing any more', async () => {
  const hall = await openHall(database.db, 1);
  const stream = await started(hall, openFeed());
  const pending = stream.next();
  await feeds[0]?.feed.close();
  feeds.length = 0;
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect(() => follow(hall)).toThrow('no event feed is open for this database: call openEventFeed(db) when the service starts');
});

test('a stream that cannot begin fails at once, so that its client is told', async () => {
  const proxy = await startTcpProxy(database.url);
  await proxy.refuse();
  openFeed({ pool: connect({ url: proxy.url, pool: 1 }) });
  try {
    await expect(follow(1).next()).rejects.toMatchObject({ code: 'service_unavailable' });
  } finally {
    await proxy.close();
  }
});

test('a function publishes what it has committed when it is flushed, and not before', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  openFeed({ background: false });
  const { feed } = feeds[0] as (typeof feeds)[0];
  await visit(db, hall, 0);
  await sleep(30);
  expect((await readEvents(db, 'seats', hall, 0, 10)).events).toEqual([]);
  const age = async () => (await feed.metrics()).find(({ name }) => name === 'event_log_pending_age_seconds')?.values[0]?.value;
  expect(await age()).toBeGreaterThan(0.02);
  await feed.flush();
  expect((await readEvents(db, 'seats', hall, 0, 10)).events).toHaveLength(1);
  expect(await age()).toBe(0);
});

test('a log whose name would not fit into a notification is refused', () => {
  for (const name of ['', 'Seats', 'a,b', '1st', 'a'.repeat(41)])
    expect(() => defineEventLog<SeatEvent>(name)).toThrow(
      `an event log cannot be called ${name}: use up to 40 lower-case letters, digits and _`,
    );
});

test('events of many accounts with names of the greatest length are notified', async () => {
  const { db } = database;
  const log = defineEventLog<SeatEvent>('n'.repeat(40));
  const halls = await Promise.all(Array.from({ length: 300 }, () => openHall(db, 0)));
  const isListening = openFeed();
  const stream = log.follow(db, halls[299] ?? 0);
  await next(stream);
  await until(async () => isListening());
  await db.raw(`INSERT INTO event_log_pending (account_id, log, event) SELECT id, ?, '{"event":"removed","data":{"seat":1}}' FROM halls`, [
    log.name,
  ]);
  await publishEvents(db);
  expect(await next(stream)).toMatchObject({ event: 'removed' });
});
