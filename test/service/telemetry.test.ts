/**
 * Traces and metrics, as a collector gets them from the SDK that `.deploy/telemetry/register.mjs` registers.
 *
 * The SDK is registered for the whole process: this file does not share modules with other tests.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { context, metrics, trace } from '@opentelemetry/api';
import { createTestLog, startReceiver, until, withApp, withDatabase, withFixture } from 'specwright/testing';
import { traceClientRequest } from '@specwright/server';
import { setWebhook } from '@specwright/accounts/webhooks';
import { createCategory } from '../../src/db/categories.ts';
import { createPet, getPet } from '../../src/db/pets.ts';
import { createHandlers } from '../../src/handlers/index.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { sender } from '../support/service/sender.ts';
import { startOtlpReceiver, type OtlpSpan } from '../support/service/otlp-receiver.ts';

// Before the pools of the fixtures are made, as `node --import` does it.
const collector = await startOtlpReceiver();
Object.assign(process.env, {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
  OTEL_METRIC_EXPORT_INTERVAL: '100',
});
const register: string = '../../.deploy/telemetry/register.mjs';
await import(register);

/** What the providers of an SDK have beside what the API says. */
interface Provider {
  readonly shutdown: () => Promise<void>;
  readonly getDelegate?: () => Provider;
}

const database = withDatabase();
const receiver = withApp(() => startReceiver());
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const account = withFixture(() => newAccount(database.db));
const app = withApp(() => {
  const handlers = createHandlers({ sender });
  return startApp(database.db, {
    handlers: {
      ...handlers,
      getStorePet: (...args) =>
        trace
          .getTracer('test')
          .startActiveSpan('look up', (span) => Promise.resolve(handlers.getStorePet(...args)).finally(() => span.end())),
      listCategories: () => {
        throw new Error('a defect');
      },
    },
  });
});

afterAll(async () => {
  const tracers = trace.getTracerProvider() as object as Provider;
  await Promise.all([tracers.getDelegate?.().shutdown(), (metrics.getMeterProvider() as object as Provider).shutdown()]);
  await collector.close();
});

const call = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
  const response = await fetch(app.url + path, { ...init, headers: { Authorization: `Bearer ${account.key}`, ...headers } });
  await response.text();
  return response;
};
const spanOf = async (find: (span: OtlpSpan) => boolean): Promise<OtlpSpan> => {
  await until(async () => collector.received.spans.some(find));
  return collector.received.spans.find(find) as OtlpSpan;
};

test('a request is a span of its client, and its statements and the spans of its handler are in it', async () => {
  const { db } = database;
  const category = await createCategory(db, account.accountId, { name: 'cats' });
  const values = { name: 'Schnurrli', categoryId: category.record.id, status: 'available' } as const;
  const pet = await createPet(db, account.accountId, values);
  const response = await call(`/store/pets/${pet.record.id}?`, { traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01` });
  expect(response.status).toBe(200);
  const server = await spanOf(({ name, traceId }) => name === 'GET /store/pets/{petId}' && traceId === TRACE_ID);
  const port = Number(new URL(app.url).port);
  expect(server).toMatchObject({ parentSpanId: CLIENT_SPAN, kind: 2, resource: { 'service.name': 'petstore' } });
  expect(server.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/store/pets/{petId}',
    'http.response.status_code': 200,
    'url.path': `/store/pets/${pet.record.id}`,
    'url.scheme': 'http',
    'server.address': new URL(app.url).hostname,
    'server.port': port,
    'client.address': expect.any(String),
    'network.protocol.version': '1.1',
    'user_agent.original': expect.any(String),
  });
  const handler = await spanOf(({ name }) => name === 'look up');
  expect(handler.parentSpanId).toBe(server.spanId);
  const statement = await spanOf(({ name, parentSpanId }) => name === 'SELECT pets' && parentSpanId === handler.spanId);
  expect(statement).toMatchObject({ traceId: TRACE_ID, kind: 3 });
  expect(statement.attributes).toMatchObject({
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.collection.name': 'pets',
    'db.query.summary': 'SELECT pets',
    'db.namespace': expect.any(String),
  });
  // The look-up of the key.
  const ofKey = await spanOf(
    ({ attributes, parentSpanId }) => attributes['db.system.name'] === 'postgresql' && parentSpanId === server.spanId,
  );
  expect(ofKey).toMatchObject({ name: 'SELECT api_keys', attributes: { 'db.collection.name': 'api_keys' } });
  const line = app.log.find(({ message, trace_id }) => message === 'answered' && trace_id === TRACE_ID);
  expect(line).toMatchObject({ span_id: server.spanId });
});

test('statements that share a connection are in the spans of those who asked for them', async () => {
  const { db } = database;
  const category = await createCategory(db, account.accountId, { name: 'dogs' });
  const pet = await createPet(db, account.accountId, { name: 'Rex', categoryId: category.record.id, status: 'available' });
  const spans = ['first', 'second'].map((name) => trace.getTracer('test').startSpan(name));
  const read = () => getPet(db, account.accountId, pet.record.id);
  await Promise.all(spans.map((span) => context.with(trace.setSpan(context.active(), span), read).finally(() => span.end())));
  for (const { spanId } of spans.map((span) => span.spanContext()))
    await spanOf(({ name, parentSpanId }) => name === 'SELECT pets' && parentSpanId === spanId);
});

test('a defect is an error of its span; probes have none, and no span has a key, a query or a value', async () => {
  await call('/readyz');
  await call('/categories', { Authorization: `Bearer ${account.key}` });
  await call(`/${account.key}?key=${account.key}`);
  const failed = await spanOf(({ name }) => name === 'GET /categories');
  expect(failed).toMatchObject({ status: 2, attributes: { 'http.response.status_code': 500, 'error.type': '500' } });
  const unknown = await spanOf(({ name }) => name === 'GET');
  expect(unknown).toMatchObject({ status: 0, attributes: { 'url.path': '/***', 'http.response.status_code': 404 } });
  const all = JSON.stringify(collector.received.spans);
  expect(all).not.toContain('readyz');
  expect(all).not.toContain(account.key);
  expect(all).not.toContain('Schnurrli');
});

test('a message takes the trace of its request to the receiver of its webhook', async () => {
  const target = `${receiver.url}?secret=1`;
  await setWebhook(database.db, account.accountId, { url: target }, new Date());
  const bounds = { timeout: 1000, stopTimeout: 1000, retentionDays: 30, pollInterval: 20, allowPrivate: true };
  const worker = createMessageWorker({ db: database.db, log: createTestLog(), ...bounds });
  worker.start();
  const response = await call(
    '/messages',
    { 'Content-Type': 'application/json', traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01` },
    { method: 'POST', body: JSON.stringify({ message: 'hello' }) },
  );
  expect(response.status).toBe(202);
  const server = await spanOf(({ name }) => name === 'POST /messages');
  const sent = await spanOf(({ name, kind }) => name === 'POST' && kind === 3);
  expect(sent).toMatchObject({ traceId: TRACE_ID, parentSpanId: server.spanId });
  expect(sent.attributes).toMatchObject({ 'url.full': `${new URL(target).origin}/`, 'http.response.status_code': 204 });
  expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${TRACE_ID}-${sent.spanId}-01`);
  await worker.stop();
});

test.each([
  ['https://receiver.example/hooks?secret=1', 443],
  ['http://receiver.example/', 80],
  ['https://receiver.example:8443/', 8443],
])('a request to %s is a span with the port %i', async (url, port) => {
  await traceClientRequest('PUT', new URL(url), undefined, async () => 200);
  const { attributes } = await spanOf(({ name, attributes: { 'url.full': full } }) => name === 'PUT' && full === `${new URL(url).origin}/`);
  expect(attributes).toMatchObject({ 'server.address': 'receiver.example', 'server.port': port });
});

test('the duration of requests and those under way are metrics', async () => {
  await call('/pets');
  const points = (name: string) => collector.received.metrics.find((metric) => metric.name === name);
  const ofPets = () => points('http.server.request.duration')?.points.find(({ attributes }) => attributes['http.route'] === '/pets');
  await until(async () => ofPets() !== undefined);
  expect(points('http.server.request.duration')?.unit).toBe('s');
  expect(ofPets()).toEqual({
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/pets',
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
    },
    bounds: expect.arrayContaining([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
    count: 1,
  });
  expect(points('http.server.active_requests')).toMatchObject({ unit: '{request}' });
});

test('the image gets the SDK that these tests have', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  const { '@opentelemetry/api': api, ...sdk } = read('.deploy/telemetry/package.json')['dependencies'] ?? {};
  expect(read('package.json')['devDependencies']).toMatchObject(sdk);
  // The packages have its code inside, of the same version: an SDK finds an API by that.
  for (const file of ['packages/server/package.json', 'packages/postgres/package.json'])
    expect(read(file)['devDependencies']).toMatchObject({ '@opentelemetry/api': api });
});
