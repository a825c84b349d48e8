/** From the queue to the receiver: sent, tried again, given up; and what happens when worker, account or database go. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/connect.ts';
import { createMessage, getMessage } from '../../src/db/messages.ts';
import { deleteWebhook, setWebhook } from '../../src/db/webhooks.ts';
import { createWorker, pauseAfter, type Worker, type WorkerOptions } from '../../src/worker/worker.ts';
import { newAccount } from '../support/app.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startReceiver, type Behave, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const logged: string[] = [];
const write = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));

function startWorker(options: Partial<WorkerOptions> = {}): Worker {
  const log = { info: write, warn: write };
  const worker = createWorker({
    db,
    log,
    timeout: 500,
    stopTimeout: 2000,
    tries: 3,
    pause: 50,
    pollInterval: 20,
    allowPrivate: true,
    ...options,
  });
  worker.start();
  cleanups.push(() => worker.stop());
  return worker;
}

async function receive(behave?: Behave): Promise<Receiver> {
  const receiver = await startReceiver(behave);
  cleanups.push(() => receiver.close());
  return receiver;
}

/** An account whose messages go to a URL. */
async function accountOf(url?: string): Promise<number> {
  const { accountId } = await newAccount(db);
  if (url !== undefined) await setWebhook(db, accountId, url, new Date(), { allowPrivate: true });
  return accountId;
}

async function send(accountId: number): Promise<string> {
  return (await createMessage(db, accountId, 'hello', new Date())).record.id;
}

const statusOf = async (accountId: number, id: string) => (await getMessage(db, accountId, id)).record.status;
const becomes = (accountId: number, id: string, status: string) => until(async () => (await statusOf(accountId, id)) === status, 8000);
const jobs = async () => Number((await db('graphile_worker.jobs').count<{ count: number }[]>())[0]?.count);

test('a message of an account without webhook is queued, then sent, and its version changes', async () => {
  const accountId = await accountOf();
  const created = await createMessage(db, accountId, 'hello', new Date());
  expect(created).toMatchObject({ version: '1', record: { message: 'hello', status: 'queued' } });
  startWorker();
  await becomes(accountId, created.record.id, 'sent');
  expect((await getMessage(db, accountId, created.record.id)).version).toBe('2');
  await until(async () => (await jobs()) === 0);
});

test('a new message is noticed at once, not at the next look', async () => {
  const { url, received } = await receive();
  const accountId = await accountOf(url);
  startWorker({ pollInterval: 60_000 });
  await becomes(accountId, await send(accountId), 'sent');
  const began = Date.now();
  await becomes(accountId, await send(accountId), 'sent');
  expect((received[1]?.at ?? Infinity) - began).toBeLessThan(1000);
});

test('what fails is tried again, later each time, with the same id, until it is accepted', async () => {
  const { url, received } = await receive((_, count) => ({ status: count < 3 ? 500 : 200 }));
  const accountId = await accountOf(url);
  const id = await send(accountId);
  startWorker({ pause: 300 });
  await becomes(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['x-webhook-id'])).toEqual([id, id, id]);
  const [first = 0, second = 0, third = 0] = received.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(150);
  expect(third - second).toBeGreaterThanOrEqual(300);
});

test('after the last try it is failed, for good', async () => {
  const { url, received } = await receive(() => ({ status: 500 }));
  const accountId = await accountOf(url);
  const id = await send(accountId);
  startWorker();
  await becomes(accountId, id, 'failed');
  await until(async () => (await jobs()) === 0);
  expect(received).toHaveLength(3);
  expect(logged.at(-1)).toContain('"failure":"it answered 500"');
});

test.each([
  ['redirects', () => ({ status: 302, headers: { Location: 'http://127.0.0.1/' } })],
  ['never answers', () => undefined],
] as [string, Behave][])('a receiver that %s makes it failed', async (_, behave) => {
  const { url } = await receive(behave);
  const accountId = await accountOf(url);
  const id = await send(accountId);
  startWorker({ timeout: 100, tries: 2 });
  await becomes(accountId, id, 'failed');
});

test('a name that leads to a private address makes it failed, and nothing is sent there', async () => {
  const { port, received } = await receive();
  const accountId = await accountOf(`http://rebind.example:${port}/`);
  const id = await send(accountId);
  startWorker({ allowPrivate: false, resolve: async () => ['127.0.0.1'] });
  await becomes(accountId, id, 'failed');
  expect(received).toEqual([]);
});

test('a receiver that is slow holds up nobody else', async () => {
  const slow = await receive(() => undefined);
  const fast = await receive();
  const theirs = await accountOf(slow.url);
  const mine = await accountOf(fast.url);
  for (let i = 0; i < 20; i++) await send(theirs);
  startWorker({ timeout: 60_000, stopTimeout: 0 });
  await until(() => slow.received.length > 0);
  await becomes(mine, await send(mine), 'sent');
  expect(slow.received).toHaveLength(1);
  await db('messages').where({ account_id: theirs }).delete();
});

test('when the webhook is removed, what waits for another try is sent without it', async () => {
  const { url, received } = await receive(() => ({ status: 500 }));
  const accountId = await accountOf(url);
  const id = await send(accountId);
  startWorker({ pause: 500 });
  await until(() => received.length === 1);
  await deleteWebhook(db, accountId);
  await becomes(accountId, id, 'sent');
  expect(received).toHaveLength(1);
});

test('a message whose transaction does not commit leaves no job', async () => {
  const { accountId } = await newAccount(db);
  const before = await jobs();
  await expect(createMessage(db, accountId, 'x'.repeat(5000), new Date())).rejects.toThrow();
  await expect(createMessage(db, 999_999_999, 'hello', new Date())).rejects.toThrow();
  expect(await jobs()).toBe(before);
});

test('told to stop, it lets a delivery under way end', async () => {
  const { port, received } = await receive();
  const accountId = await accountOf(`http://slow.example:${port}/`);
  const id = await send(accountId);
  let began = false;
  const resolve = async () => {
    began = true;
    await sleep(300);
    return ['127.0.0.1'];
  };
  const worker = startWorker({ resolve });
  await until(() => began);
  expect(received).toEqual([]);
  await worker.stop();
  expect(received).toHaveLength(1);
  expect(await statusOf(accountId, id)).toBe('sent');
});

test('a delivery that cannot end in time is interrupted, is no failed try, and is made again by the next worker', async () => {
  const { url, received } = await receive((_, count) => (count === 1 ? undefined : { status: 200 }));
  const accountId = await accountOf(url);
  const id = await send(accountId);
  const first = startWorker({ timeout: 60_000, stopTimeout: 100 });
  await until(() => received.length === 1);
  const began = Date.now();
  await first.stop();
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await db('messages').where({ account_id: accountId, id }).first('status', 'attempts')).toEqual({ status: 'queued', attempts: 0 });
  startWorker();
  await becomes(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['x-webhook-id'])).toEqual([id, id]);
});

test('a worker whose connections are cut goes on by itself', async () => {
  const { url } = await receive();
  const accountId = await accountOf(url);
  startWorker();
  await becomes(accountId, await send(accountId), 'sent');
  await db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'petstore queue'`);
  await becomes(accountId, await send(accountId), 'sent');
});

test('pauses double, up to an hour, less up to half at random', () => {
  for (let failed = 1; failed < 40; failed++) {
    const whole = Math.min(5000 * 2 ** (failed - 1), 3_600_000);
    for (let i = 0; i < 20; i++) {
      const pause = pauseAfter(failed, 5000);
      expect(pause).toBeGreaterThan(whole / 2 - 1);
      expect(pause).toBeLessThanOrEqual(whole);
    }
  }
  expect(new Set(Array.from({ length: 20 }, () => pauseAfter(3, 5000))).size).toBeGreaterThan(10);
});

test('no secret was logged', async () => {
  const secrets = await db('webhooks').pluck<string[]>('secret');
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets) expect(logged.join('\n')).not.toContain(secret);
});
