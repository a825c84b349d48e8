/** The records of each noun belong to one account: what its store is asked for another account's record, it neither reads nor changes. */
import { expect, test } from '@jest/globals';
import { dumpRows, withApp, withDatabase, withFixture } from 'specwright/testing';
import { scenarioFor } from '../contract/scenario-for.ts';
import { spec } from '../contract/spec.ts';
import { createWorld } from '../contract/world.ts';
import { publishEvents } from '@specwright/postgres/events';
import { newAccount, startApp } from '../support/service/app.ts';
import { findRecordNouns } from '../support/service/record-nouns.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const world = withFixture(() => createWorld({ live: app.url }, database.db));
const nouns = await findRecordNouns();

test('there are such nouns', () => {
  expect(nouns.map(({ noun }) => noun)).toEqual(expect.arrayContaining(['categories', 'pets']));
});

test.each(nouns)('$noun', async ({ functions }) => {
  const { list, create, get, update, replace, delete: remove } = functions;
  const { db } = database;
  const [call = {}] = (await scenarioFor(spec.operation(create.name), 201)?.(world)) ?? [];
  const made = await world.send(create.name, call);
  expect(made.status).toBe(201);
  const { id } = JSON.parse(made.text) as { id: number };
  const values = call.body ?? (await world.sample(create.name)).body;
  const { accountId } = await newAccount(db);
  const page = { after: 0, limit: 100 };
  await publishEvents(db);
  const before = await dumpRows(db);
  // With a filter in front of the page, where the noun has one.
  expect(await list.call(db, accountId, ...(list.call.length > 3 ? [{}] : []), page)).toEqual([]);
  const missing = { code: 'not_found' };
  await expect(get.call(db, accountId, id)).rejects.toMatchObject(missing);
  await expect(update.call(db, accountId, id, {})).rejects.toMatchObject(missing);
  await expect(replace.call(db, accountId, id, values)).rejects.toMatchObject(missing);
  await expect(remove.call(db, accountId, id)).rejects.toMatchObject(missing);
  expect(await dumpRows(db)).toBe(before);
});
