/** What happens to a response that breaks the contract, in each mode of response validation; the log names the operation and the problem. */
import { loadPetStore } from '../../src/service.ts';
import { omittedOperations } from '../../src/sign-ups.ts';
import type { AppOptions } from '../support/service/app.ts';
import { describe, expect, test } from '@jest/globals';
import { HandlerResponse, HeaderFields, type UnvalidatedResponse, notImplemented } from '@specwright/server';
import { withDatabase, withFixture, type LogLine } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { spec } from './spec.ts';
import { DEFECTS, startDefective } from './defects.ts';
import { createWorld } from './world.ts';

type Mode = NonNullable<AppOptions['responseValidation']>;

const database = withDatabase();
const modes = withFixture(
  async () => {
    const start = async (mode: Mode) => {
      const defective = await startDefective(database.db, mode);
      return { defective, world: await createWorld({ live: defective.app.url }, database.db) };
    };
    return { strict: await start('strict'), log: await start('log'), off: await start('off') };
  },
  async ({ strict, log, off }) => {
    for (const { defective } of [strict, log, off]) await defective.app.close();
  },
);

/** Sends a request to the operation. @returns the response, and the errors that were logged. */
async function call(mode: Mode, operation: string, answer: () => unknown) {
  const { defective, world } = modes[mode];
  defective.app.log.length = 0;
  defective.inject(answer);
  const response = await world.send(operation);
  return { response, errors: defective.app.log.filter(({ level }) => level === 'error') };
}

const textOf = ({ message, err }: LogLine) => `${message} ${String((err as Error | undefined)?.message)}`;
const internal = { code: 'internal_error', message: 'internal error', status: 500 };

describe('strict', () => {
  test.each(DEFECTS)('$name: answers 500 and logs it', async ({ operation, answer, problem }) => {
    const { response, errors } = await call('strict', operation, answer);
    expect({ status: response.status, body: JSON.parse(response.text) as unknown }).toEqual({ status: 500, body: internal });
    expect(spec.problems(operation, response)).toEqual([]);
    const naming = errors.filter(
      (line) => line['operation'] === operation && textOf(line).includes(`response of ${operation} breaks the contract`),
    );
    expect(naming.map(textOf)).toEqual([expect.stringContaining(problem)]);
  });

  test('logs all problems of a response together', async () => {
    const { errors } = await call('strict', 'getStorePet', () => HandlerResponse.reply(200, { body: { id: 0, name: 1 } }));
    for (const problem of ['header/ETag', 'body/id', 'body/name', "required property 'categoryId'"])
      expect(errors.map(textOf).join()).toContain(problem);
  });

  test.each([
    ['an object not made by `reply`', () => ({ status: 200, headers: {}, body: [], type: undefined })],
    ['nothing', () => undefined],
    ['an exception', () => { throw new Error('secret'); }], // prettier-ignore
  ])('%s is a 500 without details', async (_name, answer) => {
    const { response, errors } = await call('strict', 'listPets', answer);
    expect(JSON.parse(response.text)).toEqual(internal);
    expect(errors).toMatchObject([{ operation: 'listPets' }]);
  });
});

test('an operation that is not implemented answers 501, whether the contract declares it or not', async () => {
  const { response } = await call('strict', 'getStorePet', () => notImplemented('getStorePet'));
  expect({ status: response.status, body: JSON.parse(response.text) as unknown }).toEqual({
    status: 501,
    body: { code: 'not_implemented', message: 'getStorePet is not implemented yet', status: 501 },
  });
});

test.each(['strict', 'log', 'off'] as const)(
  'a request that the framework rejects is rejected, whether the contract declares the status or not: %s',
  async (mode) => {
    const contract = await loadPetStore(omittedOperations({ signUpAccount: undefined }));
    const undeclared = {
      status: 400,
      headers: new HeaderFields(),
      type: undefined,
      body: undefined,
      problems: ['response status 400 is not declared'],
    };
    const withoutStatus = contract.operations.map((operation) => ({
      ...operation,
      validateResponse: (response: UnvalidatedResponse, headers?: HeaderFields) =>
        response.status === 400 ? undeclared : operation.validateResponse(response, headers),
    }));
    const app = await startApp(database.db, { contract: { ...contract, operations: withoutStatus }, responseValidation: mode });
    const { key } = await newAccount(database.db);
    const response = await fetch(`${app.url}/pets?colour=red`, { headers: { Authorization: `Bearer ${key}` } });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'query/colour is not declared',
        status: 400,
        errors: [{ location: 'query', pointer: '/colour', code: 'additionalProperties', message: 'is not declared' }],
      },
    ]);
    const warned = app.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warned).toEqual(mode === 'off' ? [] : ['the 400 response of listPets breaks the contract: response status 400 is not declared']);
    await app.close();
  },
);

describe('log', () => {
  test.each(DEFECTS)('$name: is sent and logged', async ({ operation, answer, problem, corrected }) => {
    const { response, errors } = await call('log', operation, answer);
    expect(response.text).not.toContain('internal_error');
    expect(spec.problems(operation, response).length > 0).toBe(corrected === undefined);
    expect(errors.map(textOf).join()).toContain(problem);
    expect(errors.map(textOf).join()).toContain(`response of ${operation} breaks the contract`);
  });
});

describe('off', () => {
  test.each(DEFECTS)('$name: is sent and not logged', async ({ operation, answer, corrected }) => {
    const { response, errors } = await call('off', operation, answer);
    expect(response.text).not.toContain('internal_error');
    expect(spec.problems(operation, response).length > 0).toBe(corrected === undefined);
    expect(errors.map(textOf).join()).not.toContain('breaks the contract');
  });

  test('still strips undeclared properties', async () => {
    const rex = { id: 1, name: 'Rex', categoryId: 1, owner: 'Ada' };
    const { response } = await call('off', 'getStorePet', () => HandlerResponse.reply(200, { headers: { ETag: '"1"' }, body: rex }));
    expect(JSON.parse(response.text)).toEqual({ id: 1, name: 'Rex', categoryId: 1 });
  });
});
