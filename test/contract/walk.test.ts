/** Every operation of the document answers every status that it declares, over HTTP and PostgreSQL, as it declares it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { operations as table } from '../../generated/operations.ts';
import { createWitness, specText } from '../support/witness.ts';
import { SCENARIOS } from './scenarios.ts';
import { startStages, type Stages } from './stages.ts';
import { unprovoked, walk } from './walk.ts';
import { createWorld, type World } from './world.ts';

const witness = createWitness();
let database: TestDatabase;
let stages: Stages;
let world: World;
beforeAll(async () => {
  database = await createDatabase();
  stages = await startStages(database);
  world = await createWorld(witness, stages.urls, database.db);
});
afterAll(async () => {
  await stages.close();
  await database.drop();
});

walk(witness, () => ({ world, judge: witness.problems }));

test('the walk knows each operation and each status of the document, and no others', () => {
  expect(unprovoked(witness.operations)).toEqual([]);
  const declared = witness.operations.map(({ id, statuses }) => [id, statuses.map(String)]);
  expect(declared).toEqual(Object.entries(table).map(([id, { responses }]) => [id, Object.keys(responses)]));
  expect(Object.keys(SCENARIOS).sort()).toEqual(witness.operations.map(({ id }) => id).sort());
});

test('a status or an operation that nothing provokes is named', () => {
  const teapot = specText().replace("        '204':", "        '418':\n          description: A teapot.\n        '204':");
  expect(unprovoked(createWitness(teapot).operations)).toContain('deletePet 418');
  const renamed = specText().replace('operationId: getAccount', 'operationId: feedPet');
  expect(unprovoked(createWitness(renamed).operations)).toContain('feedPet 200');
});
