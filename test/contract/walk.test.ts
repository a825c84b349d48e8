/** Every operation answers every status that it declares, over HTTP and PostgreSQL, as it declares it. */
import { expect, test } from '@jest/globals';
import { createWitness, missingScenarios, walkContract, withApp, withDatabase, withFixture } from '@specwright/testing';
import { operations as table } from '../../generated/operations.ts';
import { startConditions } from './conditions.ts';
import { scenarioFor } from './scenario-for.ts';
import { SCENARIOS } from './scenarios.ts';
import { spec, specText } from './spec.ts';
import { createWorld } from './world.ts';

const database = withDatabase();
const conditions = withApp(() => startConditions(database));
const world = withFixture(() => createWorld(conditions.urls, database.db));

walkContract({ spec, world, client: world, app: conditions, scenarioFor, scenariosFile: 'test/contract/scenarios.ts' });

test('the scenarios are those of the statuses and operations that the document declares', () => {
  expect(missingScenarios({ spec, scenarioFor })).toEqual([]);
  const declared = spec.operations.map(({ id, statuses }) => [id, statuses]);
  expect(declared).toEqual(Object.entries(table).map(([id, { responses }]) => [id, Object.keys(responses)]));
  expect(Object.keys(SCENARIOS).sort()).toEqual(spec.operations.map(({ id }) => id).sort());
});

test('reports a status and an operation without a scenario', () => {
  const missingIn = (text: string) => missingScenarios({ spec: createWitness(text), scenarioFor });
  const teapot = '"418": { "description": "A teapot." }, "204": {';
  expect(missingIn(specText().replace('"204": {', teapot))).toContain('deletePet 418');
  expect(missingIn(specText().replace('"operationId": "getAccount"', '"operationId": "feedPet"'))).toContain('feedPet 200');
});
