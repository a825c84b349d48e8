/** The validator of responses: status, headers, media type and body, of each operation and status. */
import { describe, expect, test } from '@jest/globals';
import type { UnvalidatedResponse } from '../src/responses/handler-response.ts';
import { operationDocument, responseValidator } from './support/contract.ts';

const json = (schema: object) => ({ description: 'json', content: { 'application/json': { schema } } });
const named = (name: string) => json({ type: 'object', required: [name], properties: { [name]: { type: 'integer' } } });

const validate = responseValidator(
  operationDocument({
    responses: {
      200: named('a'),
      201: {
        description: 'two types',
        content: { 'application/json': { schema: { type: 'string' } }, 'text/plain': { schema: { type: 'string' } } },
      },
      202: { description: 'text', content: { 'text/plain': { schema: { type: 'string' } } } },
      204: { description: 'nothing', headers: { 'X-Count': { required: true, schema: { type: 'integer' } } } },
      '2XX': named('range'),
      default: named('other'),
    },
  }),
);
const closed = responseValidator(operationDocument({ responses: { 200: named('a') } }));

const answer = (status: number, body?: unknown, { type, headers = {} }: Partial<UnvalidatedResponse> = {}): UnvalidatedResponse => ({
  status,
  headers,
  type,
  body,
});
const problemsOf = (...given: Parameters<typeof answer>) => validate(answer(...given)).problems;

test('a response that keeps the contract has no problems, and the type that is declared', () => {
  expect(validate(answer(200, { a: 1 }))).toMatchObject({ status: 200, type: 'application/json', body: { a: 1 }, problems: [] });
});

describe('of a status', () => {
  test('its own entry counts before that of its range, and that before `default`', () => {
    expect([problemsOf(200, { a: 1 }), problemsOf(299, { range: 1 }), problemsOf(500, { other: 1 })]).toEqual([[], [], []]);
    expect(problemsOf(200, { range: 1 })).toEqual(["response/body must have required property 'a'"]);
    expect(problemsOf(299, { other: 1 })).toEqual(["response/body must have required property 'range'"]);
  });

  test('that is not declared is a problem', () => {
    expect(closed(answer(201, { a: 1 })).problems).toEqual(['response status 201 is not declared']);
  });
});

test('a status without content has none, whatever is declared', () => {
  const given = responseValidator(operationDocument({ responses: { 204: named('a'), 304: named('a'), default: named('a') } }));
  for (const status of [204, 205, 304]) {
    expect(given(answer(status)).problems).toEqual([]);
    expect(given(answer(status, { a: 1 })).problems).toEqual(['response/body is not declared']);
  }
});

describe('a body', () => {
  test('has to fit its schema, and loses what that does not declare', () => {
    expect(problemsOf(200, { a: 'one' })).toEqual(['response/body/a must be integer']);
    expect(validate(answer(200, { a: 1, secret: 2 })).body).toEqual({ a: 1 });
  });

  test('has to be there if one is declared, and not if none is', () => {
    expect(problemsOf(200)).toEqual(['response/body is required']);
    const headers = { 'X-Count': '1' };
    expect(validate(answer(204, { a: 1 }, { headers }))).toMatchObject({
      type: undefined,
      body: undefined,
      problems: ['response/body is not declared'],
    });
    expect(problemsOf(204, undefined, { headers })).toEqual([]);
  });

  test('of a type that is not declared is not sent', () => {
    expect(validate(answer(200, { a: 1 }, { type: 'application/xml' }))).toMatchObject({
      type: undefined,
      body: undefined,
      problems: ['response media type application/xml is not declared'],
    });
  });

  test.each<[what: string, body: unknown, problems: string[]]>([
    ['a string', 'text', []],
    ['bytes', Buffer.from('text'), []],
    ['an object', { a: 1 }, ['response/body must be a string or a Buffer, to be sent as text/plain']],
    ['a list', ['text'], ['response/body must be a string or a Buffer, to be sent as text/plain']],
    ['a number', 1, ['response/body must be a string or a Buffer, to be sent as text/plain']],
  ])('that is text is a string or bytes: %s', (_, body, problems) => {
    expect(problemsOf(201, body, { type: 'text/plain' })).toEqual(problems);
    // The first type, if the response names none.
    expect(problemsOf(202, body)).toEqual(problems);
  });
});

test('headers have to be there and fit their schemas', () => {
  expect(problemsOf(204)).toEqual([expect.stringContaining('X-Count')]);
  expect(problemsOf(204, undefined, { headers: { 'X-Count': 'many' } })).toEqual([expect.stringContaining('X-Count')]);
});

test('a text has to fit a schema of strings', () => {
  const content = { 'text/plain': { schema: { type: 'string', maxLength: 3 } }, 'text/csv': { schema: { type: 'integer' } } };
  const validate = responseValidator(operationDocument({ responses: { 200: { description: 'ok', content } } }));
  const problemsOf = (body: unknown, type: string) => validate({ status: 200, headers: {}, body, type }).problems;
  expect(problemsOf('abc', 'text/plain')).toEqual([]);
  expect(problemsOf('abcd', 'text/plain')).toEqual(['response/body must NOT have more than 3 characters']);
  expect(problemsOf(Buffer.from('abcd'), 'text/plain')).toEqual([]);
  expect(problemsOf('abcd', 'text/csv')).toEqual([]);
});

test('a type of a declared range is sent as that type', () => {
  const content = { 'text/*': { schema: { type: 'string' } }, 'text/html': { schema: { type: 'string', maxLength: 1 } } };
  const validate = responseValidator(operationDocument({ responses: { 200: { description: 'ok', content } } }));
  const answer = (type: string) => validate({ status: 200, headers: {}, body: 'a,b', type });
  expect(answer('text/csv')).toMatchObject({ type: 'text/csv', problems: [] });
  expect(answer('text/html').problems).toHaveLength(1);
  expect(answer('image/svg+xml').problems).toEqual(['response media type image/svg+xml is not declared']);
});
