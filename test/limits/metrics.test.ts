/** What a supervisor reads of the limits, if it is switched on. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMemoryStore } from '@specwright/server';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { newAccount, startApp } from '../support/app.ts';
import { clientWithKey } from '../support/client.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('decisions and refusals are counted, and told in the form of Prometheus', async () => {
  const app = await startApp(database.db, { metrics: true, rateLimit: { store: createMemoryStore() } });
  const { key } = await newAccount(database.db, 'enterprise', { minute: 2, day: 5 });
  for (let i = 0; i < 3; i++) await clientWithKey(app.url, key)('GET', '/account');
  const response = await fetch(`${app.url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n');
  for (const line of [
    '# TYPE rate_limit_decisions_total counter',
    'rate_limit_decisions_total{store="shared"} 3',
    'rate_limit_decisions_total{store="local"} 0',
    'rate_limit_refusals_total{reason="limit"} 1',
    'rate_limit_outages_total{store="shared"} 0',
  ]) {
    expect(lines).toContain(line);
  }
  await app.close();
});

test('unless it is switched on there is nothing there', async () => {
  const app = await startApp(database.db);
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
  await app.close();
});
