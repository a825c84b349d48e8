/** GET /metrics: the counters of the rate limiter, where it is enabled. */
import { expect, test } from '@jest/globals';
import { createMemoryStore } from '@specwright/server/limits';
import { withDatabase } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';

const database = withDatabase();

test('counts decisions and refusals in the Prometheus text format', async () => {
  const app = await startApp(database.db, { metrics: { maxAgeMs: 0 }, rateLimit: { store: createMemoryStore() } });
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

test('is 404 unless it is enabled', async () => {
  const app = await startApp(database.db);
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
  await app.close();
});
