/** A key revoked on one server is rejected by the next request to another: two processes on one database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { killProcesses, until, withDatabase, withFixture, type JsonClient, type TestProcess } from 'specwright/testing';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';

/** How long a key may work on after it was revoked if nobody is told, in ms: the memory of a server, as in db/callers.ts. */
const BOUND = 5000;

const database = withDatabase();
const cluster = withFixture(async () => {
  const servers = [0, 1].map(() => startProcess({ env: { DATABASE_URL: database.url, DATABASE_POOL: '4' } })) as [TestProcess, TestProcess];
  const urls = (await Promise.all(servers.map((server) => server.url()))) as [string, string];
  await Promise.all(servers.map((server) => server.waitForOutput(/listening for changes of keys/)));
  return { servers, urls };
}, killProcesses);

const statusOf = async (call: JsonClient) => (await call('GET', '/account')).status;

/** Another key of the account of `call`, which is in the cache of the second server. */
async function cachedKey(call: JsonClient): Promise<{ id: number; there: JsonClient }> {
  // For a moment after a change nothing is cached.
  await sleep(250);
  const { body } = await call<{ id: number; apiKey: string }>('POST', '/account/keys', { name: 'Till 2' });
  const there = clientWithKey(cluster.urls[1], body.apiKey);
  for (let i = 0; i < 3; i++) expect(await statusOf(there)).toBe(200);
  return { id: body.id, there };
}

test('a key in the cache of one server and revoked on another is rejected, twenty times in a row', async () => {
  const here = clientWithKey(cluster.urls[0], (await newAccount(database.db, 'enterprise')).key);
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { id, there } = await cachedKey(here);
    expect((await here('DELETE', `/account/keys/${id}`)).status).toBe(204);
    statuses.push(await statusOf(there));
  }
  expect(statuses).toEqual(Array(20).fill(401));
});

test('a key rotated without a grace period is rejected on the other server, and the new one is valid', async () => {
  const here = clientWithKey(cluster.urls[0], (await newAccount(database.db, 'enterprise')).key);
  const { id, there } = await cachedKey(here);
  const { status, body } = await here<{ apiKey: string }>('POST', `/account/keys/${id}/rotation`, { gracePeriod: 0 });
  expect([status, await statusOf(there), await statusOf(clientWithKey(cluster.urls[1], body.apiKey))]).toEqual([201, 401, 200]);
});

test('without its LISTEN connection a server rejects a revoked key within the lifetime of its cache, and reconnects', async () => {
  const here = clientWithKey(cluster.urls[0], (await newAccount(database.db, 'enterprise')).key);
  const { id, there } = await cachedKey(here);
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_advisory_%' AND pid <> pg_backend_pid()`,
  );
  expect(rows).toHaveLength(2);
  const revoked = performance.now();
  expect((await here('DELETE', `/account/keys/${id}`)).status).toBe(204);
  await until(async () => (await statusOf(there)) === 401, BOUND);
  expect(performance.now() - revoked).toBeLessThan(BOUND);

  for (const server of cluster.servers) {
    await server.waitForOutput(/changes of keys are not received/);
    await server.waitForOutput(/listening for changes of keys[^]*changes of keys are not received[^]*listening for changes of keys/);
  }
  const again = await cachedKey(here);
  await here('DELETE', `/account/keys/${again.id}`);
  expect(await statusOf(again.there)).toBe(401);
});

test('SIGTERM ends a server that listens, which has stored when keys were used', async () => {
  const { accountId, key } = await newAccount(database.db);
  expect(await statusOf(clientWithKey(cluster.urls[1], key))).toBe(200);
  cluster.servers[1].child.kill('SIGTERM');
  expect(await cluster.servers[1].exited).toEqual({ code: 0, signal: null });
  const row = await database.db('api_keys').where({ account_id: accountId }).first<{ at: string | null }>({ at: 'last_used_at' });
  expect(row.at).not.toBeNull();
});
