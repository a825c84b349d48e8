/** What a deprecated operation says before its sunset and after it, and what an unstable one says. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { createPet } from '../../src/db/pets.ts';
import { createCategory } from '../../src/db/categories.ts';
import { newAccount, startApp, type TestApp } from '../support/app.ts';

let database: TestDatabase;
let app: TestApp;
let now: Date;
let petId: number;
let authorization: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db, { now: () => now });
  const { accountId, key } = await newAccount(database.db);
  authorization = { Authorization: `Bearer ${key}` };
  const category = await createCategory(database.db, accountId, { name: 'Dogs' });
  petId = (await createPet(database.db, accountId, { name: 'Rex', categoryId: category.record.id, status: 'available' })).record.id;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const get = (path: string) => fetch(`${app.url}${path}`, { headers: authorization });

test('until the last moment it works, and says when it ends and what to use instead', async () => {
  now = new Date('2027-12-30T23:59:59.999Z');
  const response = await get(`/pets/${petId}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 1) / 1000}`);
  expect(response.headers.get('sunset')).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
  expect(response.headers.get('link')).toBe(`</store/pets/${petId}>; rel="successor-version"`);
  expect(await response.json()).toEqual(await (await get(`/store/pets/${petId}`)).json());
});

test('from then on it is gone, and still says what to use instead', async () => {
  now = new Date('2027-12-31T00:00:00.000Z');
  const response = await get(`/pets/${petId}`);
  expect(response.status).toBe(410);
  expect(response.headers.get('link')).toBe(`</store/pets/${petId}>; rel="successor-version"`);
  expect(await response.json()).toEqual({
    code: 'gone',
    message: 'this operation ended on 2027-12-31; use GET /store/pets/{petId}',
    status: 410,
  });
  expect((await get(`/store/pets/${petId}`)).status).toBe(200);
});

test('an operation that may still change says so, others say nothing', async () => {
  expect((await get('/store/inventory')).headers.get('x-stability')).toBe('experimental');
  const stable = await get('/pets');
  for (const name of ['x-stability', 'deprecation', 'sunset']) expect(stable.headers.has(name)).toBe(false);
});
