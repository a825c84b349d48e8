/** Whichever statement of a request with an `Idempotency-Key` fails, its retry makes that there is one order, exactly. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from '@specwright/postgres';
import { dumpRows, scaleTimeout, withApp, withDatabase, withFixture, type JsonResponse } from 'specwright/testing';
import { startPostgresProxy } from '../support/tools/postgres-proxy.ts';
import { publishEvents } from '@specwright/postgres/events';
import { startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, readStock, type Shop } from '../support/service/shop.ts';

const database = withDatabase();
const proxy = withApp(() => startPostgresProxy(database.url, 0, / events$/));
const app = withFixture(
  async () => {
    // With one connection, one that is not released blocks every other request; so does one that is needed twice.
    const db = connect({ url: proxy.url, pool: 1, acquireTimeoutMs: scaleTimeout(2000) });
    return { ...(await startApp(db)), db };
  },
  async ({ close, db }) => {
    await close();
    await db.destroy();
  },
);
afterEach(() => proxy.clear());

interface Attempt {
  readonly shop: Shop;
  readonly statement: string;
  readonly isUnchanged: boolean;
  readonly response: JsonResponse;
  readonly retry: JsonResponse;
}

/** Injects the fault into each statement of an order, one order each, and sends the order again. */
async function injectIntoEach(fault: 'error' | 'disconnect' | 'deadlock', check: (attempt: Attempt) => void): Promise<void> {
  for (let nth = 1; ; nth++) {
    const shop = await openShop(database.db, 5);
    await publishEvents(database.db);
    const call = clientWithKey(app.url, shop.key);
    const before = await dumpRows(database.db);
    const key = randomUUID();
    const order = () => call('POST', '/store/orders', { petId: shop.petIds[0], quantity: 1 }, { 'Idempotency-Key': key });
    proxy.inject(fault, nth);
    const response = await order();
    const [statement] = proxy.faulty;
    proxy.clear();
    const isUnchanged = (await dumpRows(database.db)) === before;
    const retry = await order();
    expect(await readStock(database.db, shop.accountId)).toMatchObject([{ stock: 4, reserved: 1 }]);
    expect(retry).toMatchObject({ status: 201, body: { petId: shop.petIds[0], quantity: 1 } });
    if (statement === undefined) return expect(nth).toBeGreaterThan(5);
    check({ shop, statement, isUnchanged, response, retry });
  }
}

const isReplayed = ({ headers }: JsonResponse) => headers.get('Idempotent-Replayed') === 'true';

describe('a retry of a request', () => {
  test('that failed is done, because the first one has left nothing behind', async () => {
    await injectIntoEach('error', ({ statement, response, retry, isUnchanged }) => {
      expect([statement, response.status, isUnchanged, isReplayed(retry)]).toEqual([statement, 500, true, false]);
    });
  });

  test('whose connection was lost is done if and only if the commit was not', async () => {
    await injectIntoEach('disconnect', ({ statement, response, retry, isUnchanged }) => {
      const isCommitted = /^commit/i.test(statement);
      expect([statement, response.status, isUnchanged, isReplayed(retry)]).toEqual([statement, 503, !isCommitted, isCommitted]);
    });
  });
});

test('a request that deadlocks is run again as a whole, whichever statement it was', async () => {
  await injectIntoEach('deadlock', ({ statement, response, retry }) => {
    expect([statement, response.status, isReplayed(retry)]).toEqual([statement, 201, true]);
    expect(retry.body).toEqual(response.body);
  });
});
