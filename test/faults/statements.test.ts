/** Whichever statement of an operation fails, the response is an error, nothing is half done, and the next request is served. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { dumpRows, scaleTimeout, withApp, withDatabase, withFixture, type JsonClient, type JsonResponse } from 'specwright/testing';
import { startPostgresProxy, type StatementFault } from '../support/tools/postgres-proxy.ts';
import { createOrder } from '../../src/db/orders.ts';
import { startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { publishEvents } from '@specwright/postgres/events';
import { openShop, readStock, type Shop } from '../support/service/shop.ts';

const database = withDatabase();
// Events are published after the commit, over connections of their own, and nobody waits for it.
const proxy = withApp(() => startPostgresProxy(database.url, 0, / events$/));
const app = withFixture(
  async () => {
    // With one connection, one that is not released blocks every other request.
    const db = connect({ url: proxy.url, pool: 1, acquireTimeoutMs: scaleTimeout(2000), statementTimeoutMs: scaleTimeout(1500) });
    return { ...(await startApp(db)), db };
  },
  async ({ close, db }) => {
    await close();
    await db.destroy();
  },
);
afterEach(() => proxy.clear());

interface Fixture extends Shop {
  /** An open order of 2 of the first pet, which has 3. */
  readonly orderId: number;
}

interface Outcome {
  readonly response: JsonResponse;
  readonly statement: string;
  readonly fixture: Fixture;
  /** Every row of the database is as it was before. */
  readonly isUnchanged: boolean;
}

type Operation = (call: JsonClient, fixture: Fixture) => Promise<JsonResponse>;

/** Statements that are committed with their answer: transactions themselves. */
const COMMITS = /^(commit|insert into "categories"|with stock)/i;

let emails = 0;
const order = ({ orderId }: Fixture) => `/store/orders/${orderId}`;
const OPERATIONS: Record<string, Operation> = {
  createAccount: (call) => call('POST', '/accounts', { email: `fault-${++emails}@example.com` }),
  createCategory: (call) => call('POST', '/categories', { name: 'x' }),
  createPet: (call, { categoryId }) => call('POST', '/pets', { name: 'x', categoryId }),
  deletePet: (call, { petIds }) => call('DELETE', `/pets/${petIds[1] ?? 0}`),
  setInventory: (call, { petIds }) => call('PUT', `/store/inventory/${petIds[1] ?? 0}`, { quantity: 1 }),
  'createOrder, the last units': (call, { petIds }) => call('POST', '/store/orders', { petId: petIds[0], quantity: 1 }),
  'createOrder, complete': (call, { petIds }) => call('POST', '/store/orders', { petId: petIds[2], complete: true }),
  'updateOrder, another pet': (call, s) => call('PATCH', order(s), { petId: s.petIds[2], quantity: 1 }),
  'updateOrder, complete': (call, s) => call('PATCH', order(s), { complete: true, quantity: 3 }),
  deleteOrder: (call, s) => call('DELETE', order(s)),
  sendMessage: (call) => call('POST', '/messages', { message: 'x' }),
};

/** Operation -> statements and round trips, as docs/architecture.md has them: with the look-up of the key, and COMMIT after several statements. */
const DOCUMENTED = new Map(
  [...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `(\w+)`(, [\w ]+)? +\| +(\d+) +\| +(\d+) +\|/gm)].map(
    ([, name = '', which = '', statements, roundTrips]) => [`${name}${which}`.trim(), [Number(statements), Number(roundTrips)]] as const,
  ),
);

test('the documents have the price of each operation', () => {
  expect([...DOCUMENTED.keys()].sort()).toEqual(Object.keys(OPERATIONS).sort());
});

async function prepare(): Promise<Fixture> {
  const shop = await openShop(database.db, 3, 0, 1);
  const { record } = await createOrder(database.db, shop.accountId, { petId: shop.petIds[0], quantity: 2 });
  await publishEvents(database.db);
  return { ...shop, orderId: record.id };
}

async function expectBalance({ accountId, petIds }: Fixture): Promise<void> {
  const totals = new Map((await readStock(database.db, accountId)).map(({ petId, total }) => [petId, total]));
  // The second pet may have been deleted.
  expect(petIds.map((petId) => totals.get(petId) ?? 0)).toEqual([3, 0, 1]);
}

/** Injects the fault into the first statement, then the second and so on, until the operation has no more. @returns how many it has, in how many round trips. */
async function injectIntoEach(
  fault: StatementFault,
  operation: Operation,
  check: (outcome: Outcome) => Promise<void>,
): Promise<readonly [statements: number, roundTrips: number]> {
  let fixture = await prepare();
  let before = await dumpRows(database.db);
  for (let nth = 1; ; nth++) {
    const call = clientWithKey(app.url, fixture.key);
    proxy.inject(fault, nth);
    const response = await operation(call, fixture);
    const [statement] = proxy.faulty;
    const roundTrips = proxy.roundTrips();
    proxy.clear();
    if (statement === undefined) {
      expect(response.status).toBeLessThan(300);
      return [nth - 1, roundTrips];
    }
    expect((await call('GET', '/pets')).status).toBe(200);
    const after = await dumpRows(database.db);
    await check({ response, statement, fixture, isUnchanged: after === before });
    if (after === before) continue;
    fixture = await prepare();
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
  test('changes nothing when a statement fails', async () => {
    const price = await injectIntoEach('error', operation, async ({ response, isUnchanged }) => {
      expectError(response, 'internal_error');
      expect(isUnchanged).toBe(true);
    });
    expect(price).toEqual(DOCUMENTED.get(name));
  });

  test('changes all or nothing when the connection is lost after a statement', async () => {
    await injectIntoEach('disconnect', operation, async ({ response, statement, fixture, isUnchanged }) => {
      expectError(response, 'service_unavailable');
      // Whether a commit whose response is lost took effect cannot be known by the client; it must be all of it.
      expect(isUnchanged).toBe(!COMMITS.test(statement));
      if (name !== 'setInventory') await expectBalance(fixture);
    });
  });
});

describe('a transaction that deadlocks with another', () => {
  test('is retried, whichever statement it is, and succeeds', async () => {
    const { 'updateOrder, another pet': operation } = OPERATIONS as Record<'updateOrder, another pet', Operation>;
    await injectIntoEach('deadlock', operation, async ({ response, fixture }) => {
      expect(response.body).toMatchObject({ petId: fixture.petIds[2], quantity: 1 });
      await expectBalance(fixture);
    });
  });

  test('is responseed 503 after three retries', async () => {
    const fixture = await prepare();
    const before = await dumpRows(database.db);
    proxy.inject('deadlock', /^update "pets"/);
    const response = await clientWithKey(app.url, fixture.key)('PATCH', order(fixture), { quantity: 1 });
    expectError(response, 'service_unavailable');
    expect(proxy.faulty).toHaveLength(4);
    expect(await dumpRows(database.db)).toBe(before);
  });
});

test.each([
  ['disconnect', 1],
  ['serialization', 4],
] as const)('an order that cannot be decided, by %s, answers 503 after as many attempts as that allows', async (fault, attempts) => {
  const { key, petIds } = await openShop(database.db, 0);
  const call = clientWithKey(app.url, key);
  proxy.inject(fault, /^select .* from "pets"/i);
  expectError(await call('POST', '/store/orders', { petId: petIds[0] }), 'service_unavailable');
  expect(proxy.faulty).toHaveLength(attempts);
  proxy.clear();
  expect((await call<ErrorBody>('POST', '/store/orders', { petId: petIds[0] })).body.code).toBe('out_of_stock');
});
