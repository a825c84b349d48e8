/** Lifecycle headers: a deprecated operation before and after its sunset, and an unstable one. */
import { expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { orThrow } from '../../generated/client.ts';
import { startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
let now: Date;
const app = withApp(() => startApp(database.db, { now: () => now }));
const shop = withFixture(() => openShop(database.db, 1));

const client = () => petStore(app.url, shop.key);
// eslint-disable-next-line @typescript-eslint/no-deprecated -- what is tested
const getPet = async () => client().getPet({ path: path() });
const path = () => ({ petId: shop.petIds[0] });

test('until its sunset a deprecated operation is served with Deprecation, Sunset and a link to its successor', async () => {
  now = new Date('2027-12-30T23:59:59.999Z');
  const { body, headers } = await orThrow(getPet());
  expect(headers.Deprecation).toBe(`@${Date.UTC(2026, 10, 1) / 1000}`);
  expect(headers.Sunset).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
  expect(headers.Link).toBe(`</store/pets/${shop.petIds[0]}>; rel="successor-version"`);
  expect(body).toEqual((await orThrow(client().getStorePet({ path: path() }))).body);
});

test('from its sunset on it is 410 with a link to its successor', async () => {
  now = new Date('2027-12-31T00:00:00.000Z');
  expect(await getPet()).toMatchObject({
    status: 410,
    headers: { Link: `</store/pets/${shop.petIds[0]}>; rel="successor-version"` },
    body: { code: 'gone', message: 'this operation ended on 2027-12-31; use GET /store/pets/{petId}', status: 410 },
  });
  expect((await client().getStorePet({ path: path() })).status).toBe(200);
});

test('only an operation with x-stability has X-Stability', async () => {
  const { headers } = await orThrow(client().listInventory());
  expect(headers['X-Stability']).toBe('experimental');
  const { response: stable } = await client().listPets();
  for (const name of ['x-stability', 'deprecation', 'sunset']) expect(stable.headers.has(name)).toBe(false);
});
