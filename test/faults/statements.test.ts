/** Whichever statement of an operation fails: the client is told, nothing is half done, and the next request is served. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dumpRows } from '@specwright/testing';
import { connect, type Database } from '@specwright/postgres';
import {
  createDatabase,
  type JsonClient,
  type JsonResponse,
  type PostgresProxy,
  startPostgresProxy,
  type StatementFault,
  type TestDatabase,
} from '@specwright/testing';
import { createOrder } from '../../src/db/orders.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { clientWithKey, type ErrorBody } from '../support/client.ts';
import { openShop, readBooks, type Shop } from '../support/shop.ts';

let database: TestDatabase;
let proxy: PostgresProxy;
let behind: Database;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await startPostgresProxy(database.url);
  // With one connection, one that is not given back stops everything.
  behind = connect({ url: proxy.url, pool: 1, acquireTimeoutMs: 2000 });
  app = await startApp(behind);
});
afterEach(() => proxy.clear());
afterAll(async () => {
  await app.close();
  await behind.destroy();
  await proxy.close();
  await database.drop();
});

interface Situation extends Shop {
  /** An open order of 2 of the first pet, which has 3. */
  readonly orderId: number;
}

interface Outcome {
  readonly answer: JsonResponse;
  readonly statement: string;
  readonly situation: Situation;
  /** Every row of the database is as it was before. */
  readonly isUnchanged: boolean;
}

type Operation = (call: JsonClient, situation: Situation) => Promise<JsonResponse>;

let emails = 0;
const order = ({ orderId }: Situation) => `/store/orders/${orderId}`;
const OPERATIONS: Record<string, Operation> = {
  createAccount: (call) => call('POST', '/accounts', { email: `problem-${++emails}@example.com` }),
  createCategory: (call) => call('POST', '/categories', { name: 'x' }),
  createPet: (call, { categoryId }) => call('POST', '/pets', { name: 'x', categoryId }),
  deletePet: (call, { petIds }) => call('DELETE', `/pets/${petIds[1] ?? 0}`),
  setInventory: (call, { petIds }) => call('PUT', `/store/inventory/${petIds[1] ?? 0}`, { quantity: 1 }),
  'createOrder, the last units': (call, { petIds }) => call('POST', '/store/orders', { petId: petIds[0], quantity: 1 }),
  'createOrder, complete': (call, { petIds }) => call('POST', '/store/orders', { petId: petIds[2], complete: true }),
  'updateOrder, another pet': (call, s) => call('PATCH', order(s), { petId: s.petIds[2], quantity: 1 }),
  'updateOrder, complete': (call, s) => call('PATCH', order(s), { complete: true, quantity: 3 }),
  deleteOrder: (call, s) => call('DELETE', order(s)),
};

async function prepare(): Promise<Situation> {
  const shop = await openShop(database.db, 3, 0, 1);
  const { record } = await createOrder(database.db, shop.accountId, { petId: shop.petIds[0], quantity: 2 });
  return { ...shop, orderId: record.id };
}

async function expectBalance({ accountId, petIds }: Situation): Promise<void> {
  for (const { petId, total } of await readBooks(database.db, accountId)) {
    if (petIds.includes(petId)) expect([3, 0, 1][petIds.indexOf(petId)]).toBe(total);
  }
}

/** Breaks the first statement, then the second and so on, until the operation has no more. @returns how many it has. */
async function breakEach(problem: StatementFault, operation: Operation, judge: (outcome: Outcome) => Promise<void>): Promise<number> {
  let situation = await prepare();
  let before = await dumpRows(database.db);
  for (let nth = 1; ; nth++) {
    const call = clientWithKey(app.url, situation.key);
    proxy.inject(problem, nth);
    const answer = await operation(call, situation);
    const [statement] = proxy.faulty;
    proxy.clear();
    if (statement === undefined) {
      expect(answer.status).toBeLessThan(300);
      return nth - 1;
    }
    expect((await call('GET', '/pets')).status).toBe(200);
    const after = await dumpRows(database.db);
    await judge({ answer, statement, situation, isUnchanged: after === before });
    if (after === before) continue;
    situation = await prepare();
    before = await dumpRows(database.db);
  }
}

function expectError({ status, body, headers }: JsonResponse, code: 'internal_error' | 'service_unavailable'): void {
  const expected = code === 'internal_error' ? 500 : 503;
  expect([status, body]).toEqual([expected, { code, message: expect.any(String), status: expected }]);
  expect((body as ErrorBody).message).not.toMatch(/injected|select|insert|update|terminated/i);
  expect(headers.get('Retry-After')).toBe(expected === 503 ? '1' : null);
}

describe.each(Object.entries(OPERATIONS))('%s', (name, operation) => {
  test('nothing has changed when a statement fails', async () => {
    const statements = await breakEach('error', operation, async ({ answer, isUnchanged }) => {
      expectError(answer, 'internal_error');
      expect(isUnchanged).toBe(true);
    });
    // The look-up of the key, at least one statement, and where there are more BEGIN and COMMIT.
    expect(statements).toBeGreaterThanOrEqual(name === 'createCategory' ? 2 : 4);
  });

  test('all or nothing has changed when the connection is lost after a statement, and so before the next one', async () => {
    await breakEach('disconnect', operation, async ({ answer, statement, situation, isUnchanged }) => {
      expectError(answer, 'service_unavailable');
      // Whether a commit whose answer is lost took effect cannot be known by the client; it must be all of it.
      const isCommit = /^(commit|insert into "categories")/i.test(statement);
      expect(isUnchanged).toBe(!isCommit);
      if (name !== 'setInventory') await expectBalance(situation);
    });
  });
});

describe('a transaction that collides with another', () => {
  test('is run again, at whichever statement, and the client does not notice', async () => {
    const { 'updateOrder, another pet': operation } = OPERATIONS as Record<'updateOrder, another pet', Operation>;
    await breakEach('deadlock', operation, async ({ answer, statement, situation }) => {
      // The look-up of the key is no transaction.
      if (/api_keys/.test(statement)) return expectError(answer, 'service_unavailable');
      expect(answer.body).toMatchObject({ petId: situation.petIds[2], quantity: 1 });
      await expectBalance(situation);
    });
  });

  test('again and again is given up after three more tries, with a 503', async () => {
    const situation = await prepare();
    const before = await dumpRows(database.db);
    proxy.inject('deadlock', /^update "inventory"/);
    const answer = await clientWithKey(app.url, situation.key)('DELETE', order(situation));
    expectError(answer, 'service_unavailable');
    expect(proxy.faulty).toHaveLength(4);
    expect(await dumpRows(database.db)).toBe(before);
  });
});
