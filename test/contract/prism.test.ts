/** The walk once more, with Prism as the judge of every answer: a validator cannot be its own witness. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { prismProblems, startPrism, type Prism } from '../support/prism.ts';
import { createWitness } from '../support/witness.ts';
import { DEFECTS, startDefective, type Defective } from './defects.ts';
import { startStages, type Stage, type Stages } from './stages.ts';
import { walk } from './walk.ts';
import { createWorld, type World } from './world.ts';

const witness = createWitness();
let database: TestDatabase;
let stages: Stages;
let defective: Defective;
let prism: Prism<Stage | 'defective'>;
let world: World;
let broken: World;
beforeAll(async () => {
  database = await createDatabase();
  stages = await startStages(database);
  defective = await startDefective(database.db, 'off');
  prism = await startPrism({ ...stages.urls, defective: defective.app.url });
  world = await createWorld(witness, prism.urls, database.db);
  broken = await createWorld(witness, { live: prism.urls.defective }, database.db);
});
afterAll(async () => {
  await prism.close();
  await defective.app.close();
  await stages.close();
  await database.drop();
});

walk(witness, () => ({ world, judge: (_id, answer) => prismProblems(answer), can: ({ direct }) => direct === undefined }));

describe('Prism finds what is wrong', () => {
  test.each(DEFECTS)('$name', async ({ operation, answer, healed, unseen }) => {
    defective.inject(answer);
    const problems = prismProblems(await broken.send(operation, {}));
    expect(problems.length > 0).toBe(healed === undefined && unseen === undefined);
  });

  // It passes a body in silence where it cannot compile the schema.
  const withBody = witness.operations.flatMap(({ id, statuses }) =>
    statuses.filter((status) => ![204, 304].includes(status)).map((status) => [id, status] as const),
  );
  test.each(withBody)('%s %i with another body', async (id, status) => {
    defective.inject(() => HandlerResponse.reply(status, { body: 'nonsense' }));
    const problems = prismProblems(await broken.send(id, {}));
    expect(problems.filter((problem) => problem.startsWith('response/body'))).not.toEqual([]);
  });
});
