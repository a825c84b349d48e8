/** Every operation answers every status that it declares, over HTTP and PostgreSQL, as it declares it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadContract } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import {
  createOperationClient,
  createWitness,
  missingScenarios,
  ruleCases,
  tryWrittenValues,
  walkContract,
  withApp,
  withDatabase,
  withFixture,
} from 'specwright/testing';
import type { ContractTypes } from '../../generated/contract.ts';
import { operations as table } from '../../generated/operations.ts';
import { startApp } from '../support/service/app.ts';
import { signUpsOf } from '../support/service/sign-ups.ts';
import { startConditions } from './conditions.ts';
import { OUTGOING } from './outgoing.ts';
import { scenarioFor } from './scenario-for.ts';
import { SCENARIOS } from './scenarios.ts';
import { spec, specText } from './spec.ts';
import { createWorld } from './world.ts';

const database = withDatabase();
const conditions = withApp(() => startConditions(database));
const world = withFixture(() => createWorld(conditions.urls, database.db));
const otherClient = withFixture(() => createOperationClient({ spec, servers: conditions.urls, credentials: () => world.otherKey }));

walkContract({
  spec,
  world,
  client: world,
  otherClient,
  app: conditions,
  scenarioFor,
  outgoing: OUTGOING,
  scenariosFile: 'test/contract/scenarios.ts',
  exemptionsFile: 'test/contract/walk.test.ts',
});

test('the scenarios are those of the statuses and operations that the document declares', () => {
  expect(missingScenarios({ spec, scenarioFor })).toEqual([]);
  const declared = spec.operations.map(({ id, statuses }) => [id, statuses]);
  expect(declared).toEqual(Object.entries(table).map(([id, { responses }]) => [id, Object.keys(responses)]));
  expect(Object.keys(SCENARIOS).sort()).toEqual(spec.operations.map(({ id }) => id).sort());
});

test('the rules apply to filters, pages, references, optional properties, conditions, deletions and accounts', () => {
  expect(ruleCases(spec)).toEqual(
    expect.arrayContaining([
      ...[
        'listPets filter status',
        'listPets filter categoryId',
        'listOrders filter petId',
        'listOrders filter complete',
        'listInventory filter status',
      ],
      ...['listPets', 'listCategories', 'listOrders', 'listInventory', 'listKeys'].map((id) => `${id} pages`),
      ...['createPet', 'replacePet', 'updatePet'].map((id) => `${id} reference categoryId`),
      ...['createOrder', 'updateOrder'].map((id) => `${id} reference petId`),
      ...['replacePet omitted status', 'replaceCategory omitted description'],
      // A read, which test/service/photos.test.ts asks for, changes nothing.
      ...spec.operations
        .filter(({ method, parameters }) => method !== 'GET' && parameters.some(({ name }) => name === 'If-Match'))
        .map(({ id }) => `${id} If-Match`),
      // A photo is read as an image, which test/store/photos.test.ts does.
      ...spec.operations.filter(({ id, method }) => method === 'DELETE' && id !== 'deletePhoto').map(({ id }) => `${id} deletion`),
      ...['createPet', 'createCategory', 'createOrder', 'createKey'].map((id) => `${id} Location`),
      ...['listPets', 'getPet', 'updateOrder', 'deleteCategory', 'getMessage', 'rotateKey'].map((id) => `${id} other account`),
    ]),
  );
});

test('reports a status and an operation without a scenario', () => {
  const missingIn = (text: string) => missingScenarios({ spec: createWitness(text), scenarioFor });
  const teapot = '"418": { "description": "A teapot." }, "204": {';
  expect(missingIn(specText().replace('"204": {', teapot))).toContain('deletePet 418');
  expect(missingIn(specText().replace('"operationId": "getAccount"', '"operationId": "feedPet"'))).toContain('feedPet 200');
});

/** The contract with another property of pets, as a team would add it. */
async function loadWithProperty() {
  const document = structuredClone(spec.document) as { components: { schemas: Record<string, { properties: object }> } };
  for (const name of ['NewPet', 'PetPatch', 'Pet'])
    Object.assign(document.components.schemas[name]?.properties ?? {}, {
      storedNowhere: { type: 'string', maxLength: 100, example: 'Rexie' },
    });
  const folder = await mkdtemp(join(tmpdir(), 'property-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const source = readDocument(file);
    const generated = { digest: source.digest, operations: operationTable(source.document), rateLimitPlans: null };
    return { document, contract: await loadContract<ContractTypes>(file, generated as never) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('reports a property that is in the contract and in the table, and is stored nowhere', async () => {
  const { document, contract } = await loadWithProperty();
  await database.db.raw('ALTER TABLE pets ADD stored_nowhere text');
  const app = await startApp(database.db, { contract, signUps: signUpsOf() });
  try {
    const changed = createWitness(document);
    const client = await createWorld({ live: app.url }, database.db);
    const walk = { spec: changed, world: client, client, app, scenarioFor, scenariosFile: 'test/contract/scenarios.ts' };
    for (const id of ['createPet', 'replacePet', 'updatePet'])
      await expect(tryWrittenValues(walk, changed.operation(id))).rejects.toThrow(
        'body/storedNowhere was written as "Rexie": nothing came back from the response',
      );
    await tryWrittenValues(walk, changed.operation('createCategory'));
  } finally {
    await app.close();
  }
});
