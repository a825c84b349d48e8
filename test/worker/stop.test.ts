/** A worker that is stopped, or loses its database: what is under way ends or is delivered again, under the same id. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase, until } from '@specwright/testing';
import { createBench, type Bench } from '../support/worker.ts';

let database: TestDatabase;
let db: Database;
let bench: Bench;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
  bench = createBench(db);
});
afterEach(() => bench.clear());
afterAll(() => database.drop());

test('told to stop, it lets a delivery under way end', async () => {
  const { port, received } = await bench.receive();
  const accountId = await bench.accountOf(`http://slow.example:${port}/`);
  const id = await bench.send(accountId);
  let began = false;
  const resolveHost = async () => {
    began = true;
    await sleep(300);
    return ['127.0.0.1'];
  };
  const worker = bench.startWorker({ resolveHost });
  await until(() => began);
  expect(received).toEqual([]);
  await worker.stop();
  expect(received).toHaveLength(1);
  expect(await bench.statusOf(accountId, id)).toBe('sent');
});

test('a delivery that cannot end in time is interrupted, is no failed try, and is made again by the next worker', async () => {
  const { url, received } = await bench.receive((_, count) => (count === 1 ? undefined : { status: 200 }));
  const accountId = await bench.accountOf(url);
  const id = await bench.send(accountId);
  const first = bench.startWorker({ timeout: 60_000, stopTimeout: 100 });
  await until(() => received.length === 1);
  const began = Date.now();
  await first.stop();
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await db('messages').where({ account_id: accountId, id }).first('status', 'attempts')).toEqual({ status: 'queued', attempts: 0 });
  bench.startWorker();
  await bench.becomes(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['x-webhook-id'])).toEqual([id, id]);
});

test('a worker whose connections are cut goes on by itself', async () => {
  const { url } = await bench.receive();
  const accountId = await bench.accountOf(url);
  bench.startWorker();
  await bench.becomes(accountId, await bench.send(accountId), 'sent');
  await db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'petstore queue'`);
  await bench.becomes(accountId, await bench.send(accountId), 'sent');
});
