/** Publishing ends with its process, and what was published is kept for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from 'specwright/testing';
import { EventPublisher } from '../../src/events/publisher.ts';
import { deleteOldEvents, readEvents } from '../../src/events/read-events.ts';
import { countGaps, countWaiting, eventsOf, openHall, visit, visitTimes, withSeats } from './support/seats.ts';

const database = withSeats();

test('publishing that is under way has ended when it is closed', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visit(db, hall, 0);
  const publisher = new EventPublisher(db);
  const trx = await db.transaction();
  await trx.raw('SELECT FROM event_log_pending WHERE account_id = ? FOR UPDATE', [hall]);
  const run = publisher.run();
  await until(async () => (await countWaiting(db)) > 0);
  const closed = publisher.close().then(() => 'closed');
  const first = await Promise.race([closed, sleep(50)]);
  // Before anything is expected: what fails here must not leave a lock behind.
  await trx.rollback();
  await run;
  expect([first, await closed]).toEqual([undefined, 'closed']);
  expect(publisher.published).toBe(1);
});

test('events are deleted after the retention, more than a batch of them too, and their ids are not given again', async () => {
  const { db } = database;
  const hall = await openHall(db, 1);
  await visitTimes(db, hall, 2);
  const kept = await eventsOf(db, hall);
  await db.raw(
    `INSERT INTO event_log (account_id, log, id, previous_id, event, created_at)
     SELECT ?, 'seats', n, n - 1, '{}', now() - interval '25 hours' FROM generate_series(1, 2500) n`,
    [hall],
  );
  await deleteOldEvents(db, 24);
  expect(await eventsOf(db, hall)).toEqual(kept);
  await db.raw(`UPDATE event_log SET created_at = now() - interval '25 hours'`);
  await deleteOldEvents(db, 24);
  const lastId = kept.at(-1)?.id ?? 0;
  expect(await readEvents(db, 'seats', hall, 0, 10)).toEqual({ lastId, events: [] });
  await visit(db, hall, 0);
  const after = await eventsOf(db, hall);
  expect(after[0]?.id).toBeGreaterThan(lastId);
  expect(countGaps(after, lastId)).toBe(0);
});
