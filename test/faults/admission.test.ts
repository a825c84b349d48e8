/** More requests than can be served: the rest is refused at once and free of charge, others are served, probes always. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { until, withDatabase } from 'specwright/testing';
import { countStatuses, createLoadClient, type LoadClient, type LoadResponse } from '../support/tools/load-client.ts';
import { findCaller } from '@specwright/accounts';
import { createMemoryStore, type CounterStore } from '@specwright/server/limits';
import { createSecurity } from '../../src/security.ts';
import { newAccount, startApp, type TestApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { UNLIMITED } from '../support/service/limits.ts';

/** Not scaled to the machine: the queue is as long as a part of it. */
const TIMEOUT_MS = 2000;
const OVERLOADED = JSON.stringify({ code: 'service_unavailable', message: 'too many requests are under way; retry later', status: 503 });

const database = withDatabase();
let counted: string[];
/** Ends what the account's requests wait for. */
let releaseAll: () => void;
let app: TestApp;
let hogKey: string;
let hog: LoadClient;
beforeEach(async () => {
  counted = [];
  const released = new Promise<void>((resolve) => (releaseAll = resolve));
  const memory = createMemoryStore();
  const store: CounterStore = {
    ...memory,
    // Handlers would need the database: here it is the limiter that keeps requests under way.
    take: async (request) => {
      counted.push(request.bucket);
      if (request.bucket === bucket) await released;
      return memory.take(request);
    },
  };
  const { accountId, key } = await newAccount(database.db, 'enterprise');
  const bucket = `account:${accountId}`;
  // As the cache of callers does.
  const callers = new Map<string, ReturnType<typeof findCaller>>();
  const find = (given: string) => {
    const caller = callers.get(given) ?? findCaller(database.db, given);
    callers.set(given, caller);
    return caller;
  };
  app = await startApp(database.db, {
    security: createSecurity(find),
    rateLimit: { store, plans: UNLIMITED, timeoutMs: 60_000 },
    requestTimeoutMs: TIMEOUT_MS,
    metrics: { maxAgeMs: 0 },
  });
  hogKey = key;
  hog = createLoadClient(app.url, { headers: { Authorization: `Bearer ${key}` } });
});
afterEach(async () => {
  releaseAll();
  hog.close();
  await app.close();
});

/** Sends far more than may be under way and in the queue. @returns what was refused so far, and what becomes of all. */
async function overload(): Promise<{ all: Promise<LoadResponse[]>; refused: LoadResponse[] }> {
  const refused: LoadResponse[] = [];
  const pending = Array.from({ length: 700 }, async () => {
    const answer = await hog.send('GET', '/pets');
    if (answer.body === OVERLOADED) refused.push(answer);
    return answer;
  });
  await until(() => refused.length >= 200);
  return { all: Promise.all(pending), refused };
}

test('refuses what is too much at once, with Retry-After, before it is counted; the others are served', async () => {
  const { all, refused } = await overload();
  for (const { status, headers } of refused)
    expect([status, headers]).toMatchObject([
      503,
      { 'retry-after': expect.stringMatching(/^[123]$/) as unknown, 'x-ratelimit-limit': expect.any(String) as unknown },
    ]);
  expect(counted.length).toBeLessThanOrEqual(13);
  // On a busy machine some of those that run have reached their deadline.
  expect(app.log.filter(({ level, message }) => level === 'error' && message !== 'the request took too long')).toEqual([]);
  releaseAll();
  const answers = await all;
  expect(countStatuses(answers)[200]).toBeGreaterThan(0);
  // Those that were refused have not been counted.
  expect(counted.length).toBeLessThanOrEqual(answers.length - refused.length);
  // One line for all of a second, which names the caller; none for each.
  const together = () => app.log.filter(({ message }) => message === 'too many requests are under way');
  const sum = () => together().reduce((count, line) => count + Number(line['refused']), 0);
  // On a busy machine some were refused at the moment of their deadline, and answered by that.
  await until(() => sum() >= refused.length);
  expect(together().length).toBeLessThan(20);
  expect(Object.keys(together()[0]?.['callers'] as object)).toEqual([expect.stringMatching(/^account:\d+$/)]);
  const ownLines = () => app.log.filter(({ message, status }) => message === 'answered' && status === 503);
  expect(ownLines().length).toBeLessThanOrEqual((countStatuses(answers)[503] ?? 0) - refused.length);
});

test('another account is served meanwhile, and so are probes', async () => {
  const { all } = await overload();
  const { key } = await newAccount(database.db);
  const neighbour = clientWithKey(app.url, key);
  for (let i = 0; i < 5; i++) expect((await neighbour('GET', '/pets')).status).toBe(200);
  for (const path of ['/livez', '/readyz']) expect((await fetch(app.url + path)).status).toBe(200);
  releaseAll();
  await all;
});

test('the metrics tell the bound, and how many were refused, meanwhile', async () => {
  const { all, refused } = await overload();
  const before = refused.length;
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const valueOf = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    );
  expect(valueOf('http_server_admission_refused_total')).toBeGreaterThanOrEqual(before);
  const answered = valueOf('http_server_unavailable_total{reason="too many requests are under way; retry later"}');
  expect(answered).toBeGreaterThanOrEqual(before);
  // On a busy machine some were refused at the moment of their deadline, and answered by that.
  expect(answered).toBeLessThanOrEqual(valueOf('http_server_admission_refused_total'));
  for (const name of ['running', 'limit', 'waiting']) expect(valueOf(`http_server_admission_${name}`)).toBeGreaterThan(0);
  releaseAll();
  await all;
});

test('an overload is refused before the body is read', async () => {
  const { all } = await overload();
  const socket = connectTcp(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(
    `POST /store/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hogKey}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 503 /);
  socket.destroy();
  releaseAll();
  await all;
});

test('whoever waits for its body has no slot: slow clients stop nobody', async () => {
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connectTcp(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /store/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hogKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
    );
    return socket;
  });
  releaseAll();
  await until(() => counted.length === 50);
  const { key } = await newAccount(database.db);
  const answers = await Promise.all(Array.from({ length: 20 }, () => clientWithKey(app.url, key)('GET', '/pets')));
  expect(countStatuses(answers)).toEqual({ 200: 20 });
  const created = sockets.map(async (socket) => {
    socket.write('}');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return bytes.toString().slice(9, 12);
  });
  expect(new Set(await Promise.all(created))).toEqual(new Set(['201']));
});
