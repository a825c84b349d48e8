/** From the queue to the receiver: sent, tried again, given up; and no account waits for another's receiver. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { createDatabase, type Respond, type TestDatabase, until } from '@specwright/testing';
import { createMessage, getMessage } from '../../src/db/messages.ts';
import { deleteWebhook } from '../../src/db/webhooks.ts';
import { retryDelayAfter } from '../../src/messages/worker.ts';
import { newAccount } from '../support/app.ts';
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

test('a message of an account without webhook is queued, then sent, and its version changes', async () => {
  const accountId = await bench.accountOf();
  const created = await createMessage(db, accountId, { message: 'hello' }, new Date());
  expect(created).toMatchObject({ version: '1', record: { message: 'hello', status: 'queued' } });
  bench.startWorker();
  await bench.becomes(accountId, created.record.id, 'sent');
  expect((await getMessage(db, accountId, created.record.id)).version).toBe('2');
  await until(async () => (await bench.jobs()) === 0);
});

test('a new message is noticed at once, not at the next look', async () => {
  const { url, received } = await bench.receive();
  const accountId = await bench.accountOf(url);
  bench.startWorker({ pollInterval: 60_000 });
  await bench.becomes(accountId, await bench.send(accountId), 'sent');
  const began = Date.now();
  await bench.becomes(accountId, await bench.send(accountId), 'sent');
  expect((received[1]?.at ?? Infinity) - began).toBeLessThan(1000);
});

test('what fails is tried again, later each time, with the same id, until it is accepted', async () => {
  const { url, received } = await bench.receive((_, count) => ({ status: count < 3 ? 500 : 200 }));
  const accountId = await bench.accountOf(url);
  const id = await bench.send(accountId);
  bench.startWorker({ retryDelay: 300 });
  await bench.becomes(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['x-webhook-id'])).toEqual([id, id, id]);
  const [first = 0, second = 0, third = 0] = received.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(150);
  expect(third - second).toBeGreaterThanOrEqual(300);
});

test('after the last try it is failed, for good', async () => {
  const { url, received } = await bench.receive(() => ({ status: 500 }));
  const accountId = await bench.accountOf(url);
  const id = await bench.send(accountId);
  bench.startWorker();
  await bench.becomes(accountId, id, 'failed');
  await until(async () => (await bench.jobs()) === 0);
  expect(received).toHaveLength(3);
  expect(bench.logged.at(-1)).toContain('"failure":"it answered 500"');
});

test.each([
  ['redirects', () => ({ status: 302, headers: { Location: 'http://127.0.0.1/' } })],
  ['never answers', () => undefined],
] as [string, Respond][])('a receiver that %s makes it failed', async (_, behave) => {
  const { url } = await bench.receive(behave);
  const accountId = await bench.accountOf(url);
  const id = await bench.send(accountId);
  bench.startWorker({ timeout: 100, maxAttempts: 2 });
  await bench.becomes(accountId, id, 'failed');
});

test('a name that leads to a private address makes it failed, and nothing is sent there', async () => {
  const { port, received } = await bench.receive();
  const accountId = await bench.accountOf(`http://rebind.example:${port}/`);
  const id = await bench.send(accountId);
  bench.startWorker({ allowPrivate: false, resolveHost: async () => ['127.0.0.1'] });
  await bench.becomes(accountId, id, 'failed');
  expect(received).toEqual([]);
});

test('a receiver that is slow holds up nobody else', async () => {
  const slow = await bench.receive(() => undefined);
  const fast = await bench.receive();
  const theirs = await bench.accountOf(slow.url);
  const mine = await bench.accountOf(fast.url);
  for (let i = 0; i < 20; i++) await bench.send(theirs);
  bench.startWorker({ timeout: 60_000, stopTimeout: 0 });
  await until(() => slow.received.length > 0);
  await bench.becomes(mine, await bench.send(mine), 'sent');
  expect(slow.received).toHaveLength(1);
  await db('messages').where({ account_id: theirs }).delete();
});

test('when the webhook is removed, what waits for another try is sent without it', async () => {
  const { url, received } = await bench.receive(() => ({ status: 500 }));
  const accountId = await bench.accountOf(url);
  const id = await bench.send(accountId);
  bench.startWorker({ retryDelay: 500 });
  await until(() => received.length === 1);
  await deleteWebhook(db, accountId);
  await bench.becomes(accountId, id, 'sent');
  expect(received).toHaveLength(1);
});

test('a message whose transaction does not commit leaves no job', async () => {
  const { accountId } = await newAccount(db);
  const before = await bench.jobs();
  await expect(createMessage(db, accountId, { message: 'x'.repeat(5000) }, new Date())).rejects.toThrow();
  await expect(createMessage(db, 999_999_999, { message: 'hello' }, new Date())).rejects.toThrow();
  expect(await bench.jobs()).toBe(before);
});

test('pauses double, up to an hour, less up to half at random', () => {
  for (let failed = 1; failed < 40; failed++) {
    const whole = Math.min(5000 * 2 ** (failed - 1), 3_600_000);
    for (let i = 0; i < 20; i++) {
      const delay = retryDelayAfter(failed, 5000);
      expect(delay).toBeGreaterThan(whole / 2 - 1);
      expect(delay).toBeLessThanOrEqual(whole);
    }
  }
  expect(new Set(Array.from({ length: 20 }, () => retryDelayAfter(3, 5000))).size).toBeGreaterThan(10);
});

test('no secret was logged', async () => {
  const secrets = await db('webhooks').pluck<string[]>('secret');
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets) expect(bench.logged.join('\n')).not.toContain(secret);
});
