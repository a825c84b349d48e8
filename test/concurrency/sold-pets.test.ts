/** A pet that is sold, or available again, beside orders for it: a decision is made on the row behind its lock, not on a snapshot before. */
import { expect, test } from '@jest/globals';
import { countDeadlocks, scaleTimeout, until, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { openShop, readStock } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));

async function open(...stocks: number[]) {
  const shop = await openShop(database.db, ...stocks);
  return { ...shop, call: clientWithKey(app.url, shop.key), stock: async () => (await readStock(database.db, shop.accountId))[0] };
}

const ROUNDS = 20;

test.each([
  ['open', {}],
  ['complete', { complete: true }],
])(
  'a pet that is set to sold stays sold beside an %s order for its last unit',
  async (_, order) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { call, petIds, stock } = await open(1);
      const [sold, placed] = await Promise.all([
        call('PATCH', `/pets/${petIds[0]}`, { status: 'sold' }),
        call<ErrorBody>('POST', '/store/orders', { petId: petIds[0], ...order }),
      ]);
      // The order first, and the pet is sold with it under way; or the pet first, and the order is refused.
      expect(sold.status).toBe(200);
      if (placed.status !== 201) expect([placed.status, placed.body.code]).toEqual([409, 'pet_sold']);
      expect(await stock()).toMatchObject({ status: 'sold', total: 1, stock: placed.status === 201 ? 0 : 1 });
    }
  },
  scaleTimeout(30_000),
);

test(
  'an open order that grows beside a pet that is set to sold leaves it sold',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { call, petIds, stock } = await open(2);
      const { body } = await call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] });
      const [sold, grown] = await Promise.all([
        call('PATCH', `/pets/${petIds[0]}`, { status: 'sold' }),
        call<ErrorBody>('PATCH', `/store/orders/${body.id}`, { quantity: 2 }),
      ]);
      expect(sold.status).toBe(200);
      if (grown.status !== 200) expect([grown.status, grown.body.code]).toEqual([409, 'pet_sold']);
      expect(await stock()).toMatchObject({ status: 'sold', total: 2, reserved: grown.status === 200 ? 2 : 1 });
    }
  },
  scaleTimeout(30_000),
);

test(
  'an order for a sold pet is never refused for its stock, which is enough, when the pet becomes available',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { call, petIds, stock } = await open(2);
      const { body } = await call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] });
      await call('PATCH', `/pets/${petIds[0]}`, { status: 'sold' });
      const isNew = round % 2 === 0;
      const [available, answer] = await Promise.all([
        call('PATCH', `/pets/${petIds[0]}`, { status: 'available' }),
        isNew
          ? call<ErrorBody>('POST', '/store/orders', { petId: petIds[0] })
          : call<ErrorBody>('PATCH', `/store/orders/${body.id}`, { quantity: 2 }),
      ]);
      expect(available.status).toBe(200);
      if (answer.status >= 400) expect([answer.status, answer.body.code]).toEqual([409, 'pet_sold']);
      expect(await stock()).toMatchObject({ total: 2, status: answer.status < 300 ? 'pending' : 'available' });
    }
  },
  scaleTimeout(30_000),
);

/** The lock and the decision one by one, without a race: the statement waits for a transaction that sells the pet, or makes it available. */
test.each<[string, 'sold' | 'available', 'sold' | 'available', 'POST' | 'PATCH', number]>([
  ['sells', 'available', 'sold', 'POST', 409],
  ['sells', 'available', 'sold', 'PATCH', 409],
  ['offers', 'sold', 'available', 'PATCH', 200],
])('an order that waits for a transaction that %s the pet sees what it did', async (_, before, after, method, status) => {
  const { accountId, call, petIds, stock } = await open(2);
  const { body } = await call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] });
  await call('PATCH', `/pets/${petIds[0]}`, { status: before });
  const trx = await database.db.transaction();
  await trx('pets').where({ account_id: accountId, id: petIds[0] }).forUpdate().select('id');
  const waiting =
    method === 'POST' ? call('POST', '/store/orders', { petId: petIds[0] }) : call('PATCH', `/store/orders/${body.id}`, { quantity: 2 });
  try {
    await until(isWaiting);
    await trx('pets').where({ account_id: accountId, id: petIds[0] }).update({ status: after });
  } finally {
    await trx.commit();
  }
  expect((await waiting).status).toBe(status);
  expect(await stock()).toMatchObject({ total: 2, status: status === 200 ? 'pending' : 'sold' });
});

async function isWaiting(): Promise<boolean> {
  const find = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  return (await database.db.raw<{ rows: object[] }>(find)).rows.length > 0;
}

test('no transaction of this file has deadlocked', async () => {
  expect(await countDeadlocks(database)).toBe(0);
});
