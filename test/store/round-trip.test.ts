/** Values are read as they were stored: any text, any RFC 3339 date, any id that is exact in JSON. */
import { describe, expect, test } from '@jest/globals';
import { createCategory, getCategory } from '../../src/db/categories.ts';
import { connect } from '@specwright/postgres';
import { withApp, withDatabase } from 'specwright/testing';
import { createOrder, deleteOrder, getOrder, updateOrder } from '../../src/db/orders.ts';
import { createPet, getPet, listPets, updatePet } from '../../src/db/pets.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { openShop } from '../support/service/shop.ts';

const MAX = Number.MAX_SAFE_INTEGER;

const TEXTS = [
  `O'Malley's "best" \\ dog`,
  `'); DROP TABLE pets; --`,
  '$1 ? ?? :name %s {{x}} ${y} \\? \\u0000',
  '🐕‍🦺🐈 Ünïcödé 猫 العربية',
  'e\u0301 is not \u00e9',
  '  spaces  ',
  'NULL',
  '𝕩'.repeat(100),
];

const database = withDatabase();
const app = withApp(() => startApp(database.db));

test.each(TEXTS)('reads a name as it was stored: %j', async (name) => {
  const { accountId, categoryId } = await openShop(database.db);
  const { id } = (await createPet(database.db, accountId, { name, categoryId, status: 'available' })).record;
  expect((await getPet(database.db, accountId, id)).record.name).toBe(name);
  expect((await updatePet(database.db, accountId, id, { name: `${name.slice(0, -2)}!` })).record.name).toBe(`${name.slice(0, -2)}!`);
  const category = await createCategory(database.db, accountId, { name, description: name });
  expect((await getCategory(database.db, accountId, category.record.id)).record).toMatchObject({ name, description: name });
});

const DATES: [given: string, stored: string][] = [
  ['2026-12-24T12:00:00Z', '2026-12-24T12:00:00.000Z'],
  ['2026-12-24T12:00:00.123456+02:00', '2026-12-24T10:00:00.123Z'],
  ['2024-02-29T00:00:00-12:00', '2024-02-29T12:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T23:59:59.999Z', '0099-12-31T23:59:59.999Z'],
  ['1800-01-01T00:00:00Z', '1800-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:00:00+14:00', '9999-12-31T09:00:00.000Z'],
  ['2026-12-24T12:00:00+23:59', '2026-12-23T12:01:00.000Z'],
  ['0099-01-01T00:00:00-23:59', '0099-01-01T23:59:00.000Z'],
];

describe('a date is read as the same moment, in UTC, to the millisecond,', () => {
  // Before standard time the zone's offset has seconds; the database's own zone must not show.
  test.each(['UTC', 'Europe/Amsterdam', 'Asia/Kathmandu'])('in a database whose time zone is %s', async (zone) => {
    await database.db.raw(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = '${zone}'`);
    const there = connect({ url: database.url, pool: 1 });
    const { accountId } = await newAccount(there);
    for (const [given, stored] of DATES) {
      const { record } = await createOrder(there, accountId, { shipDate: given });
      expect(record.shipDate).toBe(stored);
      expect((await getOrder(there, accountId, record.id)).record.shipDate).toBe(stored);
    }
    await there.destroy();
  });

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2021-02-30T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
  ])('or rejected where it cannot be stored: %s', async (shipDate) => {
    const { accountId } = await newAccount(database.db);
    await expect(createOrder(database.db, accountId, { shipDate })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('and over HTTP it is stored or rejected with 400, never 500', async () => {
    const { key } = await newAccount(database.db);
    const call = clientWithKey(app.url, key);
    for (const [shipDate, stored] of DATES)
      expect((await call('POST', '/store/orders', { shipDate })).body).toMatchObject({ shipDate: stored });
    const refused = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00', '2021-02-30T00:00:00Z', '2016-12-31T22:59:60Z', '2026-12-24'];
    for (const shipDate of [...refused, '-0001-01-01T00:00:00Z', '10000-01-01T00:00:00Z', 'infinity', 'now', '9999-12-31T23:59:59-23:59']) {
      const { status, body } = await call<ErrorBody>('POST', '/store/orders', { shipDate });
      expect([shipDate, status, body.message]).toEqual([shipDate, 400, expect.stringContaining('body')]);
    }
  });
});

test('the largest id that is exact in JSON is assigned, read, listed and referenced without rounding', async () => {
  const { accountId, key, categoryId } = await openShop(database.db);
  await database.db.raw(`ALTER TABLE pets ALTER COLUMN id RESTART WITH ${MAX - 1}`);
  await database.db.raw(`ALTER TABLE orders ALTER COLUMN id RESTART WITH ${MAX}`);
  const ids = [];
  for (const name of ['last but one', 'last'])
    ids.push((await createPet(database.db, accountId, { name, categoryId, status: 'available' })).record.id);
  expect(ids).toEqual([MAX - 1, MAX]);
  const order = await createOrder(database.db, accountId, {});
  expect(order.record.id).toBe(MAX);
  await deleteOrder(database.db, accountId, MAX);
  await expect(updateOrder(database.db, accountId, MAX, {})).rejects.toMatchObject({ code: 'not_found' });

  const call = clientWithKey(app.url, key);
  expect((await call('GET', `/store/pets/${MAX}`)).body).toMatchObject({ id: MAX, name: 'last' });
  expect((await call('PUT', `/store/inventory/${MAX}`, { quantity: 1 })).body).toEqual({ petId: MAX, quantity: 1, status: 'available' });
  expect((await call('GET', `/store/pets/${MAX}0`)).status).toBe(400);
  const first = await call('GET', '/pets?limit=1');
  const next = /<(.+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  expect((await call('GET', next)).body).toMatchObject([{ id: MAX }]);
  expect(await listPets(database.db, accountId, {}, { after: MAX, limit: 1 })).toEqual([]);
});
