/** The witness reports every way in which a response breaks the contract, and nothing else. */
import { expect, test } from '@jest/globals';
import { createWitness, type HttpResponse } from 'specwright/testing';
import { LIBRARY, spec } from './library.ts';

const book = { title: 'Emma', pages: 474 };

function respond(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { status, headers: new Headers({ ...type, ...headers }), text: body === undefined ? '' : JSON.stringify(body) };
}

const Total = '1';

test.each([
  ['a list', 'listBooks', respond(200, [book], { Total })],
  ['a recursive value', 'listBooks', respond(200, [{ ...book, sequel: { ...book, note: 'x' } }], { Total })],
  [
    'values of patterns that are not valid with the flag u, or no ECMAScript',
    'addBook',
    respond(201, { ...book, shelf: 'a:b', author: 'J' }),
  ],
  ['a status of a range', 'addBook', respond(404, { message: 'no', status: 404 })],
  ['a status of `default`', 'listBooks', respond(503, { message: 'no' })],
  ['no body', 'removeBook', respond(204, undefined)],
  ['no body of what is not modified', 'listBooks', respond(304, undefined)],
  [
    'the headers of CORS',
    'removeBook',
    respond(204, undefined, { Vary: 'Origin', 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }),
  ],
])('accepts %s', (_, id, response) => expect(spec.problems(id, response)).toEqual([]));

test.each([
  ['an undeclared status', 'removeBook', respond(200, undefined), 'status 200 is not declared'],
  ['a missing header', 'listBooks', respond(200, []), 'header Total is required'],
  ['a malformed header', 'listBooks', respond(200, [], { Total: 'many' }), 'header Total must be integer'],
  ['an undeclared header', 'listBooks', respond(200, [], { Total, 'X-Debug': '1' }), 'header x-debug is not declared'],
  ['an undeclared media type', 'listBooks', respond(200, [], { Total, 'Content-Type': 'text/csv' }), 'media type text/csv is not declared'],
  ['an undeclared property', 'addBook', respond(201, { ...book, isbn: 1 }), 'body must NOT have additional properties'],
  [
    'a wrong value inside',
    'listBooks',
    respond(200, [{ ...book, sequel: {} }], { Total }),
    "body/0/sequel must have required property 'title'",
  ],
  ['a boolean exclusiveMinimum', 'addBook', respond(201, { ...book, pages: 0 }), 'body/pages must be > 0'],
  ['a value of another pattern', 'addBook', respond(201, { ...book, shelf: 'A' }), 'body/shelf must match pattern "^[a-z\\:]+$"'],
  ['an undeclared body', 'removeBook', respond(204, book), 'body is not declared, but there is one of type application/json'],
  [
    'an error that repeats another status',
    'addBook',
    respond(404, { message: 'no', status: 400 }),
    'body/status is 400, the status is 404',
  ],
  [
    'a wrong Content-Length',
    'addBook',
    respond(201, book, { 'Content-Length': '3' }),
    'header Content-Length is not the length of the body',
  ],
])('reports %s', (_, id, response, problem) => expect(spec.problems(id, response)).toContain(problem));

test('undeclared headers can be allowed by name, or all', () => {
  const response = respond(200, [], { Total, 'X-Request-Id': '1' });
  for (const undeclaredHeaders of [['X-Request-Id'], 'all'] as const)
    expect(createWitness(LIBRARY, { undeclaredHeaders }).problems('listBooks', response)).toEqual([]);
});

test('rejects what is no document, and an operation that it does not have', () => {
  expect(() => createWitness('a: 1')).toThrow('not an OpenAPI document');
  expect(() => spec.operation('readBook')).toThrow('no operation readBook');
});

test('examples may have the same $id', () => {
  const example = { $id: '01234500-12f1-1234-aa12-b1d234cb567e', $anchor: 'a' };
  const schema = { type: 'object', properties: { $id: { type: 'string', example: 'x' } }, example };
  const schemas = { One: { ...schema, allOf: [{ example }] }, Other: schema };
  const witness = createWitness({ openapi: '3.0.3', info: { title: 'Examples', version: '1' }, paths: {}, components: { schemas } });
  expect(witness.valueProblems('#/components/schemas/One', example)).toEqual([]);
  expect(witness.valueProblems('#/components/schemas/Other', { $id: 1 })).toEqual([expect.stringContaining('/$id must be string')]);
});

test('an empty content declares no body', () => {
  const responses = { 200: { description: 'ok', content: {} } };
  const witness = createWitness({ openapi: '3.1.0', info: {}, paths: { '/a': { get: { operationId: 'a', responses } } } });
  expect(witness.problems('a', respond(200, undefined))).toEqual([]);
});
