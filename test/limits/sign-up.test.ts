/** Sign-ups are bounded by address: in a minute together with its other requests, by their cost, and in a day by a limit for them alone. */
import { expect, test } from '@jest/globals';
import { createMemoryStore } from '@specwright/server/limits';
import { createClient, withApp, withDatabase, type JsonClient } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startApp } from '../support/service/app.ts';
import type { ErrorBody } from '../support/service/client.ts';
import { createClock } from '../support/service/limits.ts';

const database = withDatabase();
const clock = createClock();
const app = withApp(() =>
  startApp(database.db, {
    now: clock.now,
    rateLimit: { store: createMemoryStore(() => clock.now().getTime()), trustProxy: { header: 'x-forwarded-for', hops: 1 } },
  }),
);
const client: JsonClient = (...args) => createClient(app.url)(...args);
let number = 0;
const signUp = (address: string) =>
  client<ErrorBody>('POST', '/accounts', { email: `new-${++number}@example.com` }, { 'X-Forwarded-For': address });
const countAccounts = async () => Number((await database.db('accounts').count({ count: '*' }))[0]?.['count']);

test('70 sign-ups of one address at once are 5 accounts, and it has less left for other requests', async () => {
  const before = await countAccounts();
  const answers = await Promise.all(Array.from({ length: 70 }, () => signUp('192.0.2.1')));
  expect(countStatuses(answers)).toEqual({ 201: 5, 429: 65 });
  expect((await countAccounts()) - before).toBe(5);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe('rate_limited');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(30);
  expect((await client('GET', '/pets', undefined, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(429);
  expect((await signUp('192.0.2.2')).headers.get('x-ratelimit-remaining')).toBe('50');
});

test('in a day they are 20, however long it waits between them, and what failed counts; other requests go on', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 24; i++) {
    const answer = i === 0 ? await client('POST', '/accounts', {}, { 'X-Forwarded-For': '192.0.2.3' }) : await signUp('192.0.2.3');
    statuses.push(answer.status);
    clock.pass(61);
  }
  expect(statuses).toEqual([400, ...Array.from({ length: 19 }, () => 201), 429, 429, 429, 429]);
  const refused = await signUp('192.0.2.3');
  expect(refused.body.message).toMatch(/^the limit of 20 requests a day is used up; retry in \d{5} s$/);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('20');
  expect((await client('GET', '/pets', undefined, { 'X-Forwarded-For': '192.0.2.3' })).status).toBe(401);
  clock.pass(86_400);
  expect((await signUp('192.0.2.3')).status).toBe(201);
});
