import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { newAccount, startApp, type TestApp } from '../support/app.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

test('smoke', async () => {
  const { key } = await newAccount(database.db);
  await request(app.server).get('/pets').set('Authorization', `Bearer ${key}`).expect(200, []);
});
