/** A response that breaks the contract never reaches a client, and the log names the operation and the place. */
import { loadPetStore } from '../../src/service.ts';
import type { AppOptions } from '../support/app.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HandlerResponse, type UnvalidatedResponse, notImplemented } from '@specwright/server';
import { createDatabase, type LogLine, type TestDatabase } from '@specwright/testing';
import { newAccount, startApp } from '../support/app.ts';
import { createWitness } from '../support/witness.ts';
import { DEFECTS, startDefective, type Defective } from './defects.ts';
import { createWorld, type World } from './world.ts';

type Mode = NonNullable<AppOptions['responseValidation']>;

const witness = createWitness();
let database: TestDatabase;
let modes: Record<Mode, { defective: Defective; world: World }>;
beforeAll(async () => {
  database = await createDatabase();
  const start = async (mode: Mode) => {
    const defective = await startDefective(database.db, mode);
    return { defective, world: await createWorld(witness, { live: defective.app.url }, database.db) };
  };
  modes = { strict: await start('strict'), log: await start('log'), off: await start('off') };
});
afterAll(async () => {
  for (const { defective } of Object.values(modes)) await defective.app.close();
  await database.drop();
});

/** One request to the operation. @returns the answer and the errors that were logged meanwhile. */
async function ask(mode: Mode, operation: string, answer: () => unknown) {
  const { defective, world } = modes[mode];
  defective.app.log.length = 0;
  defective.inject(answer);
  const given = await world.send(operation, {});
  return { given, errors: defective.app.log.filter(({ level }) => level === 'error') };
}

const textOf = ({ message, err }: LogLine) => `${message} ${String((err as Error | undefined)?.message)}`;
const internal = { code: 'internal_error', message: 'internal error', status: 500 };

describe('strict', () => {
  test.each(DEFECTS)('$name: 500, and a log line', async ({ operation, answer, place }) => {
    const { given, errors } = await ask('strict', operation, answer);
    expect({ status: given.status, body: JSON.parse(given.text) as unknown }).toEqual({ status: 500, body: internal });
    expect(witness.problems(operation, given)).toEqual([]);
    const naming = errors.filter(
      (line) => line['operation'] === operation && textOf(line).includes(`response of ${operation} breaks the contract`),
    );
    expect(naming.map(textOf)).toEqual([expect.stringContaining(place)]);
  });

  test('all problems of a response are named together', async () => {
    const { errors } = await ask('strict', 'getStorePet', () => HandlerResponse.reply(200, { body: { id: 0, name: 1 } }));
    for (const place of ['header/ETag', 'body/id', 'body/name', "required property 'categoryId'"])
      expect(errors.map(textOf).join()).toContain(place);
  });

  test.each([
    ['an object that `reply` did not make', () => ({ status: 200, headers: {}, body: [], type: undefined })],
    ['nothing', () => undefined],
    ['an exception', () => { throw new Error('secret'); }], // prettier-ignore
  ])('%s is a 500 that tells the client nothing', async (_name, answer) => {
    const { given, errors } = await ask('strict', 'listPets', answer);
    expect(JSON.parse(given.text)).toEqual(internal);
    expect(errors).toMatchObject([{ operation: 'listPets' }]);
  });
});

test('an operation that nobody has written answers 501, which no contract has to declare', async () => {
  const { given } = await ask('strict', 'getStorePet', () => notImplemented('getStorePet'));
  expect({ status: given.status, body: JSON.parse(given.text) as unknown }).toEqual({
    status: 501,
    body: { code: 'not_implemented', message: 'getStorePet is not implemented yet', status: 501 },
  });
});

test.each(['strict', 'log', 'off'] as const)('what the line refuses is refused, declared or not: %s', async (mode) => {
  const contract = await loadPetStore();
  const undeclared = { status: 400, headers: {}, type: undefined, body: undefined, problems: ['response status 400 is not declared'] };
  const silent = contract.operations.map((operation) => ({
    ...operation,
    validateResponse: (response: UnvalidatedResponse) => (response.status === 400 ? undeclared : operation.validateResponse(response)),
  }));
  const app = await startApp(database.db, { contract: { ...contract, operations: silent }, responseValidation: mode });
  const { key } = await newAccount(database.db);
  const given = await fetch(`${app.url}/pets?colour=red`, { headers: { Authorization: `Bearer ${key}` } });
  expect([given.status, await given.json()]).toEqual([
    400,
    { code: 'invalid_request', message: 'query/colour is not declared', status: 400 },
  ]);
  const warned = app.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(warned).toEqual(mode === 'off' ? [] : ['the 400 response of listPets breaks the contract: response status 400 is not declared']);
  await app.close();
});

describe('log', () => {
  test.each(DEFECTS)('$name: goes out, and a log line', async ({ operation, answer, place, healed }) => {
    const { given, errors } = await ask('log', operation, answer);
    expect(given.text).not.toContain('internal_error');
    expect(witness.problems(operation, given).length > 0).toBe(healed === undefined);
    expect(errors.map(textOf).join()).toContain(place);
    expect(errors.map(textOf).join()).toContain(`response of ${operation} breaks the contract`);
  });
});

describe('off', () => {
  test.each(DEFECTS)('$name: goes out, and the log says nothing of it', async ({ operation, answer, healed }) => {
    const { given, errors } = await ask('off', operation, answer);
    expect(given.text).not.toContain('internal_error');
    expect(witness.problems(operation, given).length > 0).toBe(healed === undefined);
    expect(errors.map(textOf).join()).not.toContain('breaks the contract');
  });

  test('what is not declared stays inside nevertheless', async () => {
    const rex = { id: 1, name: 'Rex', categoryId: 1, owner: 'Ada' };
    const { given } = await ask('off', 'getStorePet', () => HandlerResponse.reply(200, { headers: { ETag: '"1"' }, body: rex }));
    expect(JSON.parse(given.text)).toEqual({ id: 1, name: 'Rex', categoryId: 1 });
  });
});
