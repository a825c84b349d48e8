/** Keys that nobody has are bounded by address before they reach the database; what has a valid key draws on its account. */
import { afterEach, expect, test } from '@jest/globals';
import { createKey, openCallerCache, revokeKey } from '@specwright/accounts';
import { createMemoryStore } from '@specwright/server/limits';
import { withDatabase } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { createSecurity } from '../../src/security.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';

const database = withDatabase();
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve() {
  const callers = openCallerCache(database.db, {});
  const rateLimit = { store: createMemoryStore(), trustProxy: { header: 'x-forwarded-for', hops: 1 } };
  const app = await startApp(database.db, { rateLimit, security: createSecurity(callers.find) });
  opened.push(callers.close, app.close);
  return {
    app,
    send: (key: string, address = '192.0.2.1', path = '/categories', method = 'GET') =>
      clientWithKey(app.url, key)<ErrorBody>(method, path, undefined, { 'X-Forwarded-For': address }),
  };
}

/** How often the database is asked whose a key is. */
async function countLookUps(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onQuery = ({ sql }: { sql: string }) => void (count += sql.includes('join "accounts"') ? 1 : 0);
  database.db.on('query', onQuery);
  await run();
  database.db.off('query', onQuery);
  return count;
}

const times = <T>(count: number, run: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => run(i)));

test.each([
  ['at once', (send: (key: string) => Promise<unknown>) => times(100, () => send(createKey()))],
  [
    'one after the other',
    async (send: (key: string) => Promise<unknown>) => {
      for (let i = 0; i < 100; i++) await send(createKey());
    },
  ],
])('100 unknown keys of one address %s are 60 look-ups, and a key that is known is not affected', async (_, run) => {
  const { send } = await serve();
  const { key } = await newAccount(database.db);
  expect((await send(key)).status).toBe(200);
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  expect(await countLookUps(() => run(async (unknown) => answers.push(await send(unknown))))).toBe(60);
  expect(countStatuses(answers)).toEqual({ 401: 60, 429: 40 });
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.body.code, refused?.headers.get('x-ratelimit-remaining')]).toEqual(['rate_limited', '0']);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(30);
  expect((await send(key)).status).toBe(200);
  expect((await send(createKey(), '192.0.2.2')).status).toBe(401);
});

test('a key that was revoked is looked up once more when its address is used up, and then no more', async () => {
  const { send } = await serve();
  const { accountId, key } = await newAccount(database.db);
  expect((await send(key)).status).toBe(200);
  await times(60, () => send(createKey()));
  const { id } = await database.db('api_keys').where({ account_id: accountId }).first<{ id: number }>('id');
  await revokeKey(database.db, accountId, id, new Date(), { allowLast: true });
  expect([await countLookUps(() => send(key)), await countLookUps(() => send(key))]).toEqual([1, 0]);
});

test('as many valid keys as come at once from one address are found', async () => {
  const { send } = await serve();
  const accounts = await times(90, () => newAccount(database.db));
  expect(countStatuses(await times(90, (i) => send(accounts[i]?.key ?? '')))).toEqual({ 200: 90 });
});

test.each([
  ['404', '/nowhere', 'GET', 404],
  ['405', '/categories', 'PUT', 405],
  ['OPTIONS', '/categories', 'OPTIONS', 204],
  ['the contract', '/openapi.yaml', 'GET', 200],
])('%s with a valid key draws on its account, not on the address', async (_, path, method, status) => {
  const { app, send } = await serve();
  const { key } = await newAccount(database.db, 'pro');
  const { headers } = await fetch(`${app.url}${path}`, { method, headers: { Authorization: `Bearer ${key}`, 'X-Forwarded-For': '192.0.2.1' } }); // prettier-ignore
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['300', '299']);
  expect((await send(key)).headers.get('x-ratelimit-remaining')).toBe('298');
  const anonymous = await fetch(`${app.url}${path}`, { method, headers: { 'X-Forwarded-For': '192.0.2.1' } });
  expect([anonymous.status, anonymous.headers.get('x-ratelimit-remaining')]).toEqual([status, '59']);
});

test('404 with a key that is used up is 429, and with one that nobody has it draws on the address', async () => {
  const { send } = await serve();
  const { key } = await newAccount(database.db, 'enterprise', { minute: 2, day: 5 });
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await send(key, '192.0.2.1', '/nowhere'));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
  const unknown = await send(createKey(), '192.0.2.1', '/nowhere');
  expect([unknown.status, unknown.headers.get('x-ratelimit-remaining')]).toEqual([404, '59']);
});
