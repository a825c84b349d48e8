/** Lifecycle headers: a deprecated operation before and after its sunset, and an unstable one. */
import { expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from '@specwright/testing';
import { startApp } from '../support/app.ts';
import { openShop } from '../support/shop.ts';

const database = withDatabase();
let now: Date;
const app = withApp(() => startApp(database.db, { now: () => now }));
const shop = withFixture(() => openShop(database.db, 1));

const get = (path: string) => fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${shop.key}` } });

test('until its sunset a deprecated operation is served with Deprecation, Sunset and a link to its successor', async () => {
  now = new Date('2027-12-30T23:59:59.999Z');
  const response = await get(`/pets/${shop.petIds[0]}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 1) / 1000}`);
  expect(response.headers.get('sunset')).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
  expect(response.headers.get('link')).toBe(`</store/pets/${shop.petIds[0]}>; rel="successor-version"`);
  expect(await response.json()).toEqual(await (await get(`/store/pets/${shop.petIds[0]}`)).json());
});

test('from its sunset on it is 410 with a link to its successor', async () => {
  now = new Date('2027-12-31T00:00:00.000Z');
  const response = await get(`/pets/${shop.petIds[0]}`);
  expect(response.status).toBe(410);
  expect(response.headers.get('link')).toBe(`</store/pets/${shop.petIds[0]}>; rel="successor-version"`);
  expect(await response.json()).toEqual({
    code: 'gone',
    message: 'this operation ended on 2027-12-31; use GET /store/pets/{petId}',
    status: 410,
  });
  expect((await get(`/store/pets/${shop.petIds[0]}`)).status).toBe(200);
});

test('only an operation with x-stability has X-Stability', async () => {
  expect((await get('/store/inventory')).headers.get('x-stability')).toBe('experimental');
  const stable = await get('/pets');
  for (const name of ['x-stability', 'deprecation', 'sunset']) expect(stable.headers.has(name)).toBe(false);
});
