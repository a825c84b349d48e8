/** The server process: how it starts, why it does not, and how it stops. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@specwright/postgres';
import { createDatabase, killProcesses, scaleTimeout, until, type TestDatabase } from 'specwright/testing';
import { startTcpProxy, type TcpProxy } from '../support/tools/tcp-proxy.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';
import { openShop, readStock } from '../support/service/shop.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase({ schema: 'empty' });
});
let proxy: TcpProxy | undefined;
afterEach(async () => {
  await killProcesses();
  await proxy?.close();
  proxy = undefined;
  await database.drop();
});

const start = (env: Record<string, string> = {}, args: string[] = []) =>
  startProcess({ env: { DATABASE_URL: database.url, ...env }, args });

/** An order that waits for the shop's stock, on a connection that is kept alive. */
async function slowOrder(url: string) {
  const { accountId, key, petIds } = await openShop(database.db, 5);
  const trx = await database.db.transaction();
  await trx('pets').where({ account_id: accountId }).forUpdate().select('id');
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ petId: petIds[0] });
  const request = httpRequest(`${url}/store/orders`, {
    agent,
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': body.length },
  });
  const status = new Promise<number | string>((resolve) => {
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'lost'));
  });
  request.end(body);
  await until(async () => {
    const { rows } = await database.db.raw<{ rows: { n: number }[] }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n === 1;
  });
  return { accountId, status, release: () => trx.rollback(), agent };
}

test('migrates with --migrate; SIGTERM lets a request in progress end, accepts no other, and exits with 0', async () => {
  const server = start({ DATABASE_POOL: '1' }, ['--migrate']);
  const url = await server.url();
  expect((await clientWithKey(url, 'psk_live_0')('GET', '/readyz')).status).toBe(200);

  const order = await slowOrder(url);
  server.child.kill('SIGTERM');
  await server.waitForOutput(/"msg":"stopping"/);
  await expect(fetch(`${url}/livez`)).rejects.toThrow();
  const released = performance.now();
  await order.release();
  expect(await order.status).toBe(201);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  // The client keeps its connection: the server does not wait until it has been idle for long enough.
  expect(performance.now() - released).toBeLessThan(scaleTimeout(2000));
  order.agent.destroy();
  expect(await readStock(database.db, order.accountId)).toMatchObject([{ stock: 4, reserved: 1 }]);
  expect(server.output.stdout).toMatch(/"msg":"stopped"/);
  expect(server.output.stderr).toBe('');
});

test('with DRAIN_DELAY, SIGTERM first makes it not ready while it serves; then it stops', async () => {
  const server = start({ DRAIN_DELAY: String(scaleTimeout(1000)) }, ['--migrate']);
  const url = await server.url();
  server.child.kill('SIGTERM');
  await server.waitForOutput(/"msg":"stopping"/);
  const told = await fetch(`${url}/readyz`);
  expect([told.status, told.headers.get('connection')]).toEqual([503, 'close']);
  const served = await fetch(`${url}/pets`);
  expect([served.status, served.headers.get('connection')]).toEqual([401, 'close']);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test('without --migrate it is not ready until the database is migrated; a second SIGINT exits at once', async () => {
  const server = start();
  const url = await server.url();
  const call = clientWithKey(url, 'psk_live_0');
  expect((await call('GET', '/livez')).status).toBe(200);
  const notReady = await call('GET', '/readyz');
  expect([notReady.status, notReady.body]).toEqual([503, { code: 'service_unavailable', message: 'the server is not ready', status: 503 }]);
  const refused = await call<ErrorBody>('GET', '/pets');
  expect([refused.status, refused.body.code, refused.headers.get('Retry-After')]).toEqual([503, 'service_unavailable', '1']);
  expect(server.output.stdout).toMatch(/"level":"error".*"reason":"the database lacks migrations .*npm run migrate/);

  await migrate(database.db, schema);
  await server.waitForOutput(/"msg":"ready"/); // by itself: nobody has asked since
  expect((await call('GET', '/pets')).status).toBe(401);
  expect((await call('GET', '/readyz')).status).toBe(200);

  const order = await slowOrder(url);
  server.child.kill('SIGINT');
  await server.waitForOutput(/"msg":"stopping"/);
  server.child.kill('SIGINT');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(await order.status).toBe('ECONNRESET');
  await order.release();
  order.agent.destroy();
});

describe('exits with the reason, which is the last line of the log and on standard error not again', () => {
  function reasonOf({ output }: ReturnType<typeof start>): string {
    expect(output.stderr).toBe('');
    return (JSON.parse(output.stdout.trimEnd().split('\n').at(-1) ?? '') as { err: Error }).err.message;
  }

  test.each(['an embedded database', 'DATABASE_URL'])('where the port is in use, with %s', async (which) => {
    const folder = mkdtempSync(join(tmpdir(), 'port-'));
    // As root, PostgreSQL runs as another user, who must be able to reach the folder.
    chmodSync(folder, 0o755);
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const env = { PORT: String(port), DATA_DIR: join(folder, '.data') };
      const server = which === 'DATABASE_URL' ? start(env) : startProcess({ env });
      expect(await server.exited).toEqual({ code: 1, signal: null });
      expect(reasonOf(server)).toBe(`port ${port} is in use: stop the process that listens there, or choose another with PORT`);
      // It warns of no connection that it closes, and does not say where in its code it has seen that.
      const lines = server.output.stdout.trimEnd().split('\n');
      expect(lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toHaveLength(1);
      expect(server.output.stdout).not.toMatch(/stack|node:net/);
    } finally {
      other.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('where the database has been unreachable for START_TIMEOUT', async () => {
    const server = start({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/petstore', START_TIMEOUT: '1200' });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(reasonOf(server)).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:1\/petstore cannot be used: nothing listens there \(ECONNREFUSED\): start PostgreSQL, .*$/,
    );
    expect(server.output.stdout.match(/waiting for the database/g)).toHaveLength(1);
    expect(server.output.stdout + server.output.stderr).not.toMatch(/secret|listens on/);
  });
});

describe('started before its database', () => {
  test('lives, is not ready, refuses requests with 503, and serves them once the database is there', async () => {
    proxy = await startTcpProxy(database.url);
    await proxy.refuse();
    const server = start({ DATABASE_URL: proxy.url }, ['--migrate']);
    const [, port = ''] = await server.waitForOutput(/"port":(\d+),.*"msg":"listening"/);
    const call = clientWithKey(`http://127.0.0.1:${port}`, 'psk_live_0');
    await server.waitForOutput(/"level":"warn".*"msg":"waiting for the database"/);
    expect((await call('GET', '/livez')).status).toBe(200);
    expect((await call('GET', '/readyz')).status).toBe(503);
    const refused = await call<ErrorBody>('GET', '/pets');
    expect([refused.status, refused.body.code, refused.headers.get('Retry-After')]).toEqual([503, 'service_unavailable', '1']);
    await proxy.restore();
    await server.waitForOutput(/"msg":"the database answers"/);
    await server.url();
    await until(async () => (await call('GET', '/pets')).status === 401);
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.output.stderr).toBe('');
  });

  test('stops at once when it is told to', async () => {
    const server = start({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/petstore' });
    await server.waitForOutput(/waiting for the database/);
    const began = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(scaleTimeout(2000));
  });
});

test('ends within SHUTDOWN_TIMEOUT of SIGTERM while the network to the database is silent, with requests and the worker under way', async () => {
  const shutdownTimeout = scaleTimeout(8000);
  proxy = await startTcpProxy(database.url);
  const server = start({ DATABASE_URL: proxy.url, SHUTDOWN_TIMEOUT: `${shutdownTimeout}` }, ['--migrate']);
  const url = await server.url();
  const { key } = await openShop(database.db, 5);
  const call = clientWithKey(url, key);
  await Promise.all(Array.from({ length: 10 }, () => call('GET', '/pets')));
  proxy.silence();
  const requests = Promise.allSettled(Array.from({ length: 20 }, () => call('GET', '/pets')));
  await sleep(200);
  const began = performance.now();
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(shutdownTimeout);
  for (const result of await requests) expect(result).toMatchObject({ status: 'fulfilled', value: { status: 503 } });
});
