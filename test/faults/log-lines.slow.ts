/** The log of a server whose database is lost, and whose subscribers leave while they are behind: lines of JSON, and no error. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { killProcesses, until, withDatabase } from 'specwright/testing';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
afterAll(killProcesses);

test('a lost connection of the database prints no line that is not JSON, and a subscriber that leaves while it is behind no error', async () => {
  const {
    key,
    petIds: [petId],
  } = await openShop(database.db, 5);
  const server = startProcess({ env: { DATABASE_URL: database.url } });
  const url = await server.url();
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  await until(isReady);
  const call = clientWithKey(url, key);
  const listen = () => {
    const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': '1' };
    const sent = request(
      `${url}/store/inventory/events`,
      { headers, agent: false },
      (response) => void response.pause().on('error', () => undefined),
    );
    sent.on('error', () => undefined).end();
    return sent;
  };
  for (let quantity = 1; quantity < 20; quantity++) await call('PUT', `/store/inventory/${petId}`, { quantity });
  for (let round = 0; round < 4; round++) {
    const subscribers = Array.from({ length: 8 }, listen);
    await sleep(200);
    const calls = Array.from({ length: 20 }, (_, n) =>
      call(n % 2 === 0 ? 'GET' : 'PUT', `/store/inventory/${petId}`, n % 2 === 0 ? undefined : { quantity: n }).catch(() => undefined),
    );
    if (round % 2 === 0)
      await database.db.raw(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    await Promise.all(calls);
    for (const [n, subscriber] of subscribers.entries()) {
      if (n % 2 === 0) subscriber.socket?.end();
      else subscriber.socket?.resetAndDestroy();
    }
    await sleep(500);
    for (const subscriber of subscribers) subscriber.destroy();
  }
  await until(isReady);
  server.child.kill('SIGTERM');
  await server.exited;
  const lines = `${server.output.stdout}${server.output.stderr}`.split('\n').filter((line) => line !== '');
  const isJson = (line: string) => line.startsWith('{') && line.endsWith('}');
  // The greeting alone is text.
  expect(lines.filter((line) => !isJson(line))).toEqual([expect.stringMatching(/ listens on /)]);
  expect(lines.filter((line) => /the stream of items was cut off|could not be closed/.test(line))).toEqual([]);
});
