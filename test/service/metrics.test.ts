/** GET /metrics: what somebody on call wants to see, and what docs/how-to/operating.md builds its alerts on. */
import { readFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect as connectDatabase, databaseMetrics, notificationMetrics } from '@specwright/postgres';
import { createKey, openCallerCache, openCounterStore, type CallerCache, type PostgresCounterStore } from '@specwright/accounts';
import { createTestLog, until, withDatabase, type LogLine } from 'specwright/testing';
import { createWorker, queueMetrics } from '@specwright/accounts/webhooks';
import { createMessage } from '../../src/db/messages.ts';
import { createSecurity } from '../../src/security.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { sender } from '../support/service/sender.ts';
import { newAccount, startApp, type TestApp } from '../support/service/app.ts';

const ignore = () => undefined;

const database = withDatabase();
let app: TestApp;
let store: PostgresCounterStore;
let callers: CallerCache;
let reason: string | undefined;
let areBroken = false;
let key: string;
let accountId: number;

beforeAll(async () => {
  const { db, url } = database;
  store = openCounterStore({ url });
  callers = openCallerCache(db);
  app = await startApp(db, {
    metrics: { maxAgeMs: 0 },
    rateLimit: { store, timeoutMs: 5000 },
    security: createSecurity(callers.find),
    readiness: { reason: () => reason, check: async () => reason },
    parts: [
      databaseMetrics(db),
      notificationMetrics,
      store.metrics,
      callers.metrics,
      () => queueMetrics(db),
      createWorker({ db: db, log: createTestLog(), timeout: 1000, stopTimeout: 1000, retentionDays: 30 }).metrics,
      createMessageWorker({ db, log: { info: ignore, warn: ignore }, timeout: 1, stopTimeout: 1, retentionDays: 1 }).metrics,
      () => (areBroken ? Promise.reject(new Error('a source that fails')) : []),
      () => (areBroken ? new Promise<never>(() => undefined) : []),
    ].map((metrics) => ({ metrics })),
  });
  ({ key, accountId } = await newAccount(db, 'enterprise', { minute: 50, day: 500 }));
});

afterAll(async () => {
  await app.close();
  await Promise.all([callers.close(), store.close()]);
});

const get = (path: string, headers: Record<string, string> = { Authorization: `Bearer ${key}` }) => fetch(app.url + path, { headers });
const scrape = async () => (await fetch(`${app.url}/metrics`)).text();
/** The value of a series; its labels as Prometheus writes them. */
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('counts requests by route and status, with their durations', async () => {
  for (const path of ['/store/pets/1', '/store/pets/2', '/pets', '/nowhere/1', '/nowhere/2']) await (await get(path)).text();
  const text = await scrape();
  const count = (labels: string) => valueOf(text, `http_server_requests_total{${labels}}`);
  expect(count('http_request_method="GET",http_route="/store/pets/{petId}",http_response_status_code="404"')).toBe(2);
  expect(count('http_request_method="GET",http_route="/pets",http_response_status_code="200"')).toBe(1);
  expect(count('http_request_method="GET",http_response_status_code="404"')).toBe(2);
  const bucket = (le: string) =>
    valueOf(text, `http_server_request_duration_seconds_bucket{http_request_method="GET",http_route="/pets",le="${le}"}`);
  expect([bucket('0') ?? 0, bucket('2.5'), bucket('+Inf')]).toEqual([0, 1, 1]);
  // No path that a client has invented is a label.
  expect(text).not.toContain('nowhere');
});

test('counts what is under way, clients that went away, and requests that are not HTTP', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST /categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  // The scrape itself, and this one.
  await until(async () => valueOf(await scrape(), 'http_server_active_requests') === 2);
  socket.destroy();
  await until(async () => valueOf(await scrape(), 'http_server_active_requests') === 1);
  const gone = 'http_server_requests_total{http_request_method="POST",http_route="/categories",error_type="client_gone"}';
  const text = await scrape();
  expect([valueOf(text, gone), valueOf(text, 'http_server_errors_total{code="client_gone"}')]).toEqual([1, 1]);
});

test('counts errors by code, and 503 by reason', async () => {
  await get('/account', {});
  reason = 'the database lacks migrations';
  await get('/account');
  reason = undefined;
  const text = await scrape();
  expect(valueOf(text, 'http_server_errors_total{code="unauthorized"}')).toBe(1);
  expect(valueOf(text, 'http_server_errors_total{code="service_unavailable"}')).toBe(1);
  expect(valueOf(text, 'http_server_unavailable_total{reason="the server is not ready"}')).toBe(1);
});

test('counts 503 by the SQLSTATE of its cause', async () => {
  const db = connectDatabase({ url: database.url, lockTimeoutMs: 50 });
  const own = await startApp(db, { metrics: { maxAgeMs: 0 } });
  const holder = await database.db.transaction();
  await holder.raw('LOCK TABLE categories IN ACCESS EXCLUSIVE MODE');
  expect((await fetch(`${own.url}/categories`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(503);
  await holder.rollback();
  const text = await (await fetch(`${own.url}/metrics`)).text();
  const series = 'http_server_unavailable_total{reason="another request is changing the same data",error_type="55P03"}';
  expect(valueOf(text, series)).toBe(1);
  await own.close();
  await db.destroy();
});

test('counts unknown keys, also those that are refused because their address has sent too many', async () => {
  const count = async () => {
    const text = await scrape();
    return ['401', '429'].map((status) => valueOf(text, `http_server_unknown_credentials_total{http_response_status_code="${status}"}`));
  };
  expect(await count()).toEqual([0, 0]);
  // The requests without a key of the tests before were counted for the same address: that is no key that is unknown.
  for (let i = 0; i < 65; i++) await get('/account', { Authorization: `Bearer ${createKey()}` });
  await get('/account', {});
  const [unknown = 0, refused = 0] = await count();
  expect(unknown + refused).toBe(65);
  expect([unknown, refused].every((number) => number > 0)).toBe(true);
});

test('tells pools, caches, queues and the process, although one source fails and one hangs', async () => {
  await createMessage(database.db, accountId, { message: 'hello' }, sender, {});
  areBroken = true;
  const text = await scrape();
  areBroken = false;
  expect(valueOf(text, 'db_client_connection_max{db_client_connection_pool_name="database"}')).toBeGreaterThan(0);
  expect(valueOf(text, 'db_client_connection_pending_requests{db_client_connection_pool_name="rate limits"}')).toBe(0);
  expect(valueOf(text, 'messages_queue_jobs{task="deliver_webhook"}')).toBe(1);
  expect(valueOf(text, 'messages_queue_jobs{task="redeliver_webhook"}')).toBe(0);
  expect(valueOf(text, 'messages_queue_age_seconds{task="deliver_webhook"}')).toBeGreaterThan(0);
  expect((valueOf(text, 'api_key_cache_requests_total{result="miss"}') ?? 0) > 0).toBe(true);
  expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined();
  const failures = app.log.filter(({ message }: LogLine) => message === 'some metrics could not be read').map(({ err }) => String(err));
  expect(failures).toEqual(expect.arrayContaining(['Error: a source that fails', 'Error: no answer within 1000 ms']));
});

test('every metric that docs/how-to/operating.md names is there', async () => {
  const text = await scrape();
  const documented = await readFile('docs/how-to/operating.md', 'utf8');
  const prefixes = 'http_server_|db_client_|rate_limit_|api_key_cache_|messages_queue_|deliveries_|nodejs_|process_';
  const names = [...new Set(documented.match(new RegExp(`\\b(?:${prefixes})[a-z0-9_]+`, 'g')))];
  expect(names.length).toBeGreaterThan(10);
  const known = new Set(text.split('\n').flatMap((line) => /^# TYPE (\S+) (\S+)/.exec(line)?.slice(1, 2) ?? []));
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''));
  // Labels, and a table.
  const labels = ['db_client_connection_pool_name', 'db_client_connection_state', 'rate_limit_counters'];
  expect(names.filter((name) => !isKnown(name) && !labels.includes(name))).toEqual([]);
});
