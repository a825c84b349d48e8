/** A key revoked on one server is refused on the next request to another: both are processes on one database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type JsonClient, killProcesses, type TestDatabase, type TestProcess, until } from '@specwright/testing';
import { newAccount } from '../support/app.ts';
import { clientWithKey } from '../support/client.ts';
import { startProcess } from '../support/process.ts';

/** How long a key may work on after it was revoked if nobody is told, in ms: the memory of a server, as in db/callers.ts. */
const BOUND = 5000;

let database: TestDatabase;
let servers: TestProcess[];
let urls: [string, string];
beforeAll(async () => {
  database = await createDatabase();
  servers = [0, 1].map(() => startProcess({ env: { DATABASE_URL: database.url, DATABASE_POOL: '4' } }));
  urls = (await Promise.all(servers.map((server) => server.url()))) as [string, string];
  await Promise.all(servers.map((server) => server.waitForOutput(/listening for changes of keys/)));
}, 60_000);
afterAll(async () => {
  await killProcesses();
  await database.drop();
});

const statusOf = async (call: JsonClient) => (await call('GET', '/account')).status;

/** Another key of the account of `call`, which the second server has seen and remembers. */
async function knownKey(call: JsonClient): Promise<{ id: number; there: JsonClient }> {
  // For a moment after a change nothing is remembered.
  await sleep(250);
  const { body } = await call<{ id: number; apiKey: string }>('POST', '/account/keys', { name: 'Till 2' });
  const there = clientWithKey(urls[1], body.apiKey);
  for (let i = 0; i < 3; i++) expect(await statusOf(there)).toBe(200);
  return { id: body.id, there };
}

test('twenty times in a row: known there, revoked here, refused there', async () => {
  const here = clientWithKey(urls[0], (await newAccount(database.db, 'enterprise')).key);
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { id, there } = await knownKey(here);
    expect((await here('DELETE', `/account/keys/${id}`)).status).toBe(204);
    statuses.push(await statusOf(there));
  }
  expect(statuses).toEqual(Array(20).fill(401));
});

test('replaced without a grace period: refused there, and the new one is let in', async () => {
  const here = clientWithKey(urls[0], (await newAccount(database.db, 'enterprise')).key);
  const { id, there } = await knownKey(here);
  const { status, body } = await here<{ apiKey: string }>('POST', `/account/keys/${id}/rotation`, { gracePeriod: 0 });
  expect([status, await statusOf(there), await statusOf(clientWithKey(urls[1], body.apiKey))]).toEqual([201, 401, 200]);
});

test('when the connection that listens is killed, the key is refused there all the same, within the bound; then it listens again', async () => {
  const here = clientWithKey(urls[0], (await newAccount(database.db, 'enterprise')).key);
  const { id, there } = await knownKey(here);
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_advisory_%' AND pid <> pg_backend_pid()`,
  );
  expect(rows).toHaveLength(2);
  const revoked = performance.now();
  expect((await here('DELETE', `/account/keys/${id}`)).status).toBe(204);
  await until(async () => (await statusOf(there)) === 401, BOUND);
  expect(performance.now() - revoked).toBeLessThan(BOUND);

  for (const server of servers) {
    await server.waitForOutput(/changes of keys are not heard/);
    await server.waitForOutput(/listening for changes of keys[^]*changes of keys are not heard[^]*listening for changes of keys/);
  }
  const again = await knownKey(here);
  await here('DELETE', `/account/keys/${again.id}`);
  expect(await statusOf(again.there)).toBe(401);
});

test('told to stop, a server that listens ends at once, and has written which keys were used', async () => {
  const { accountId, key } = await newAccount(database.db);
  expect(await statusOf(clientWithKey(urls[1], key))).toBe(200);
  servers[1]?.child.kill('SIGTERM');
  expect(await servers[1]?.exited).toEqual({ code: 0, signal: null });
  const row = await database.db('api_keys').where({ account_id: accountId }).first<{ at: string | null }>({ at: 'last_used_at' });
  expect(row.at).not.toBeNull();
});
