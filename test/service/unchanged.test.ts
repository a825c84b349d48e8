/** A request that changes nothing: no new version, no other ETag, no event. */
import { expect, test } from '@jest/globals';
import { withApp, withDatabase } from 'specwright/testing';
import type { OperationId } from '../../generated/contract.ts';
import { operations } from '../../generated/operations.ts';
import { startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));

/** What each operation is sent that sets what is already set. */
const UNCHANGED: Readonly<Record<string, readonly object[]>> = {
  'PATCH /categories': [{}],
  'PATCH /pets': [{}],
  'PATCH /store/orders': [{}, { quantity: 2 }, { shipDate: '2026-12-24T13:00:00+01:00' }, { quantity: 2, complete: false }],
  'PUT /store/inventory': [{ quantity: 5 }],
};

test('every operation that patches a record is tried here', () => {
  const patched = (Object.keys(operations) as OperationId[]).filter((id) => (operations[id].method as string) === 'patch');
  const listed = Object.keys(UNCHANGED).filter((key) => key.startsWith('PATCH'));
  expect(patched.map((id) => `PATCH ${operations[id].path.replace(/\/\{\w+\}$/, '')}`).toSorted()).toEqual(listed.toSorted());
});

test.each(Object.entries(UNCHANGED))('%s', async (operation, bodies) => {
  const shop = await openShop(database.db, 7);
  const call = clientWithKey(app.url, shop.key);
  const order = { petId: shop.petIds[0], quantity: 2, shipDate: '2026-12-24T12:00:00Z' };
  const { body: placed } = await call<{ id: number }>('POST', '/store/orders', order);
  const [method = '', collection = ''] = operation.split(' ');
  const id = { '/categories': shop.categoryId, '/store/orders': placed.id }[collection] ?? shop.petIds[0];
  const path = `${collection}/${id}`;
  const read = async () => {
    const { headers, body } = await call('GET', path);
    return { etag: headers.get('etag'), body };
  };
  const events = async () => {
    const { rows } = await database.db.raw<{ rows: { count: number }[] }>(
      `SELECT (SELECT count(*) FROM event_log WHERE account_id = :id) + (SELECT count(*) FROM event_log_pending WHERE account_id = :id) AS count`,
      { id: shop.accountId },
    );
    return rows[0]?.count;
  };
  const before = await read();
  const eventsBefore = await events();
  for (const sent of bodies) {
    for (const headers of [{}, { 'If-Match': before.etag ?? '' }] as Record<string, string>[]) {
      const answer = await call(method, path, sent, headers);
      expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([200, before.etag, before.body]);
    }
    expect((await call(method, path, sent, { 'If-Match': '"0"' })).status).toBe(412);
  }
  expect(await read()).toEqual(before);
  expect(await events()).toBe(eventsBefore);
});
