/** The walk once more with Prism as the judge of every response: a validator is no witness for itself. */
import { describe, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { walkContract, withApp, withDatabase, withFixture } from 'specwright/testing';
import { startConditions } from './conditions.ts';
import { DEFECTS, startDefective } from './defects.ts';
import { prismProblems, startPrism } from './prism.ts';
import { scenarioFor } from './scenario-for.ts';
import { spec, SPEC_PATH } from './spec.ts';
import { createWorld } from './world.ts';

const database = withDatabase();
const conditions = withApp(() => startConditions(database));
const defective = withFixture(
  () => startDefective(database.db, 'off'),
  ({ app }) => app.close(),
);
const prism = withApp(() => startPrism(SPEC_PATH, { ...conditions.urls, defective: defective.app.url }));
const world = withFixture(() => createWorld(prism.urls, database.db));
const defectiveWorld = withFixture(() => createWorld({ live: prism.urls.defective }, database.db));

walkContract(
  {
    spec,
    world,
    client: world,
    scenarioFor,
    scenariosFile: 'test/contract/scenarios.ts',
    problems: (_id, response) => prismProblems(response),
    canSend: ({ notThroughProxy }) => notThroughProxy === undefined,
  },
  { values: false },
);

describe('Prism reports a response that breaks the contract', () => {
  test.each(DEFECTS)('$name', async ({ operation, answer, corrected, notSeenByPrism }) => {
    defective.inject(answer);
    const problems = prismProblems(await defectiveWorld.send(operation));
    expect(problems.length > 0).toBe(corrected === undefined && notSeenByPrism === undefined);
  });

  /** Images, and events: it validates neither. */
  const NO_JSON = ['getPhoto 200', 'getPhoto 206', 'listenToInventory 200'];
  // Off where accounts are created at once.
  const BY_MAIL = ['requestSignUp', 'confirmSignUp'];
  // It accepts any body where it cannot compile the schema.
  const served = spec.operations.filter(({ id }) => !BY_MAIL.includes(id));
  const withBody = served.flatMap(({ id, statuses }) =>
    statuses
      .filter((status) => !['204', '304'].includes(status) && !NO_JSON.includes(`${id} ${status}`))
      .map((status) => [id, Number(status)] as const),
  );
  test.each(withBody)('%s %i with another body', async (id, status) => {
    defective.inject(() => HandlerResponse.reply(status, { body: 'nonsense' }));
    const problems = prismProblems(await defectiveWorld.send(id));
    expect(problems.filter((problem) => problem.startsWith('response/body'))).not.toEqual([]);
  });
});
