/** The service with exactly the rights of docs/service-role.sql: the whole contract, messages, limits; and nothing beyond them. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { killProcesses, startReceiver, until, walkContract, withApp, withDatabase, withFixture } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startConditions } from '../contract/conditions.ts';
import { OUTGOING } from '../contract/outgoing.ts';
import { scenarioFor } from '../contract/scenario-for.ts';
import { spec } from '../contract/spec.ts';
import { createWorld } from '../contract/world.ts';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';

const SQL = readFileSync(new URL('../../docs/service-role.sql', import.meta.url), 'utf8');

const database = withDatabase();
const role = withFixture(
  async () => {
    // Roles are of the whole server, which other test files use too.
    const name = `service_${process.pid}_${Date.now()}`;
    await database.db.raw(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await database.db.raw(SQL.replaceAll('petstore_service', name));
    const url = Object.assign(new URL(database.url), { username: name, password: 'secret' }).href;
    return { name, url, db: connect({ url }), owner: database.db };
  },
  async ({ name, db, owner }) => {
    await db.destroy();
    await owner.raw(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  },
);
const receiver = withApp(() => startReceiver());
afterEach(killProcesses);

describe('the contract', () => {
  const conditions = withApp(() => startConditions({ ...database, url: role.url, db: role.db }));
  const world = withFixture(() => createWorld(conditions.urls, database.db));
  walkContract({ spec, world, client: world, scenarioFor, outgoing: OUTGOING, scenariosFile: 'test/contract/scenarios.ts' });
});

test('the process is ready, counts, and delivers messages', async () => {
  const server = startProcess({ env: { DATABASE_URL: role.url, WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const url = await server.url();
  const { key } = await newAccount(database.db, 'free');
  const call = clientWithKey(url, key);
  expect((await call('GET', '/readyz')).status).toBe(200);
  expect((await call('PUT', '/account/webhook', { url: receiver.url })).status).toBeLessThan(300);
  expect((await call('POST', '/messages', { message: 'Rex is well.' })).status).toBe(202);
  await until(() => receiver.received.length === 1, 15_000);
  const issued = await call<{ id: number }>('POST', '/account/keys', { name: 'Till' });
  expect((await call('DELETE', `/account/keys/${issued.body.id}`)).status).toBe(204);
  const answers = await Promise.all(Array.from({ length: 70 }, () => call('GET', '/pets')));
  expect(Object.keys(countStatuses(answers))).toEqual(['200', '429']);
  // On a busy machine the counters may not answer in time, which is said and has nothing to do with rights.
  const errors = server.output.stdout.split('\n').filter((line) => /permission denied|"level":"error"/.test(line));
  expect(errors.filter((line) => !line.includes('has not answered within 150 ms'))).toEqual([]);
});

test.each([
  ['makes no table', 'CREATE TABLE mine (id int)'],
  ['changes no table', 'ALTER TABLE pets ADD COLUMN mine int'],
  ['removes no table', 'DROP TABLE pets'],
  ['empties no table', 'TRUNCATE pets'],
  ['records no migration', `INSERT INTO migrations (name, batch) VALUES ('mine', 1)`],
  ['reads no passwords', 'SELECT * FROM pg_authid'],
])('%s', async (_, sql) => {
  await expect(role.db.raw(sql)).rejects.toMatchObject({ code: '42501' });
});

test('every right is needed: without the one to deliveries POST /messages fails', async () => {
  await database.db.raw(`REVOKE INSERT ON webhook_deliveries FROM ${role.name}`);
  const server = startProcess({ env: { DATABASE_URL: role.url, WORKER: 'off' } });
  const call = clientWithKey(await server.url(), (await newAccount(database.db)).key);
  expect((await call('POST', '/messages', { message: 'Rex is well.' })).status).toBeGreaterThanOrEqual(500);
  await database.db.raw(`GRANT INSERT ON webhook_deliveries TO ${role.name}`);
});
