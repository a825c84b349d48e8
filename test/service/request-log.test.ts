/** The log's line for a request: enough to find it, and nothing that a client should have kept to itself. */
import { expect, test } from '@jest/globals';
import { until, withApp, withDatabase, withFixture } from 'specwright/testing';
import { readConfig } from '../../src/config.ts';
import { newAccount, startApp, type TestApp } from '../support/service/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

/** The line of a request; it is written when the response is sent. */
async function lineOf(server: TestApp, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${account.key}` } });
  const id = response.headers.get('x-request-id');
  const find = () => server.log.find(({ requestId, message }) => requestId === id && message === 'answered');
  await until(async () => find() !== undefined);
  return find() ?? {};
}

test('names the template of the path, never the path or the query', async () => {
  expect(await lineOf(app, '/store/pets/4711?secret=1')).toMatchObject({
    method: 'GET',
    operation: 'getStorePet',
    path: '/store/pets/{petId}',
    accountId: account.accountId,
    status: 400,
  });
});

test('cuts a path that nobody serves to 200 characters, and leaves out what may be a credential', async () => {
  expect(await lineOf(app, '/wp-admin/setup.php?key=1')).toMatchObject({ path: '/wp-admin/setup.php', status: 404 });
  expect((await lineOf(app, `/${'a/'.repeat(500)}`))['path']).toBe(`/${'a/'.repeat(500)}`.slice(0, 200));
  expect((await lineOf(app, `/${account.key}/x`))['path']).toBe('/***/x');
  // Not even what a cut would leave of it.
  expect((await lineOf(app, `/${'a/'.repeat(90)}${account.key}`))['path']).not.toContain('psk_');
});

test.each([
  ['all', [200, 503]],
  ['errors', [503]],
  ['off', []],
] as const)('LOG_REQUESTS=%s logs requests with status %j', async (value, statuses) => {
  let reason: string | undefined;
  const { logRequests } = readConfig({ LOG_REQUESTS: value });
  const server = await startApp(database.db, { logRequests, readiness: { reason: () => reason, check: async () => reason } });
  for (const state of [undefined, 'not ready']) {
    reason = state;
    await (await fetch(`${server.url}/pets`, { headers: { Authorization: `Bearer ${account.key}` } })).text();
  }
  await server.close();
  expect(server.log.filter(({ message }) => message === 'answered').map(({ status }) => status)).toEqual(statuses);
});

test('LOG_REQUESTS takes no other word', () => {
  expect(() => readConfig({ LOG_REQUESTS: 'some' })).toThrow(/LOG_REQUESTS must be all, errors or off/);
});
