/** Every operation of the contract asks for credentials, validates its input, and answers 501 or what its scenarios say. */
import { readFileSync } from 'node:fs';
import { createOperationClient, createWitness, testOperations, withApp, withDatabase, withFixture } from 'specwright/testing';
import { loadServiceContract } from '../../src/service.ts';
import { startApp } from '../support/app.ts';
import { createCredentials, createOtherCredentials, refusedCredentials } from '../support/credentials.ts';
import { SCENARIOS, type World } from './scenarios.ts';

/** What cannot be tried or is meant so: an operation of which no valid request can be made, `createUser body/plan=gold`, `getUser other account`, each with the reason. */
const exemptions = JSON.parse(readFileSync(new URL('exemptions.json', import.meta.url), 'utf8')) as Record<string, string>;
const spec = createWitness((await loadServiceContract()).published, { undeclaredHeaders: 'all' });
const database = withDatabase();
const app = withApp(() => startApp(database));
const world = withFixture<World>(async () => {
  const credentials = await createCredentials(database.db);
  return { db: database.db, ...createOperationClient({ spec, servers: { service: app.url }, credentials }) };
});
const createOther = createOtherCredentials;
const otherClient =
  createOther &&
  withFixture(async () => createOperationClient({ spec, servers: { service: app.url }, credentials: await createOther(database.db) }));

testOperations({
  spec,
  client: world,
  world,
  otherClient,
  refusedCredentials,
  app,
  scenarios: SCENARIOS,
  scenariosFile: 'test/contract/scenarios.ts',
  credentialsFile: 'test/support/credentials.ts',
  exemptions,
  exemptionsFile: 'test/contract/exemptions.json',
});
