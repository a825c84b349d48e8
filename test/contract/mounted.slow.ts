/** The walk once more with the service mounted in Express: directly, and after a parser of bodies. */
import { describe } from '@jest/globals';
import express from 'express';
import { createOperationClient, walkContract, withApp, withDatabase, withFixture, type Call } from 'specwright/testing';
import { inExpress } from '../support/service/express-host.ts';
import { startConditions } from './conditions.ts';
import { OUTGOING } from './outgoing.ts';
import { scenarioFor } from './scenario-for.ts';
import { spec } from './spec.ts';
import { createWorld } from './world.ts';

const database = withDatabase();
const scenariosFile = 'test/contract/scenarios.ts';

describe('mounted in Express', () => {
  const conditions = withApp(() => startConditions(database, { host: inExpress() }));
  const world = withFixture(() => createWorld(conditions.urls, database.db));
  const otherClient = withFixture(() => createOperationClient({ spec, servers: conditions.urls, credentials: () => world.otherKey }));
  walkContract({ spec, world, client: world, otherClient, app: conditions, scenarioFor, outgoing: OUTGOING, scenariosFile });
});

describe('mounted in Express after express.json()', () => {
  const conditions = withApp(() => startConditions(database, { host: inExpress(express.json()) }));
  const world = withFixture(() => createWorld(conditions.urls, database.db));
  // What is no JSON the parser refuses, so that the contract does not see it.
  const canSend = ({ raw }: Call) => raw !== '{';
  walkContract({ spec, world, client: world, app: conditions, scenarioFor, outgoing: OUTGOING, scenariosFile, canSend });
});
