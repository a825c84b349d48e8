/** Response headers are validated in each response, whatever those before it had. */
import { expect, test } from '@jest/globals';
import { HeaderFields } from '../src/http/header-fields.ts';
import { operationDocument, responseValidator } from './support/contract.ts';

const NAMES_MISSING = 'response/header/X-Count is required';

test('names and values are checked again when they differ from those of the last valid response', () => {
  const validate = responseValidator(
    operationDocument({
      responses: {
        200: {
          description: 'ok',
          headers: { 'X-Count': { required: true, schema: { type: 'integer', minimum: 0 } }, ETag: { schema: { type: 'string' } } },
        },
      },
    }),
  );
  const problemsOf = (headers: Record<string, string | number>, pipeline: string[] = ['X-Request-Id', 'a']) =>
    validate({ status: 200, headers, body: undefined, type: undefined }, new HeaderFields(pipeline)).problems;

  expect(problemsOf({ 'X-Count': 1 })).toEqual([]);
  expect(problemsOf({ 'X-Count': 1 })).toEqual([]);
  for (let i = 0; i < 2; i++) expect(problemsOf({ 'X-Count': -1 })).toEqual(['response/header/X-Count must be >= 0']);
  expect(problemsOf({})).toEqual([NAMES_MISSING]);
  expect(problemsOf({ ETag: '"1"' })).toEqual([NAMES_MISSING]);
  expect(problemsOf({ 'X-Other': '1' })).toEqual(['response/header/x-other is not declared', NAMES_MISSING]);
  expect(problemsOf({ 'x-count': 2 })).toEqual([]);
  expect(problemsOf({ 'X-Count': 1, ETag: '"1"' }, [])).toEqual([]);
  // The same names, of which another one is the pipeline's.
  expect(problemsOf({ 'X-Count': 1 }, ['X-Request-Id', 'a', 'X-Other', '1'])).toEqual([]);
  expect(problemsOf({ 'X-Other': '1', 'X-Count': 1 })).toEqual(['response/header/x-other is not declared']);
  expect(problemsOf({ 'X-Count': 'many' })).toContain('response/header/X-Count must be integer');
});

test.each<[type: string, schema: unknown, valid: string[], invalid: string[]]>([
  ['integer', { type: 'integer' }, ['5', '-1'], ['', ' ', '0x10', '1.5', 'five']],
  ['number', { type: 'number' }, ['5', '0.5'], ['', 'NaN', '0x10']],
  ['boolean', { type: 'boolean' }, ['true', 'false'], ['', 'yes', '1']],
  ['array', { type: 'array', items: { type: 'integer' }, maxItems: 2 }, ['1,2', '1'], ['1,x', '1,2,3']],
  ['object', { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, ['a,1'], ['a,x', 'b,1']],
])('a header of the type %s is read as a header parameter is', (_, schema, valid, invalid) => {
  const validate = responseValidator(
    operationDocument({ responses: { 200: { description: 'ok', headers: { 'X-Value': { required: true, schema } } } } }),
  );
  const isValid = (text: string) =>
    validate({ status: 200, headers: { 'X-Value': text }, body: undefined, type: undefined }).problems.length === 0;
  expect(valid.filter((text) => !isValid(text))).toEqual([]);
  expect(invalid.filter(isValid)).toEqual([]);
});

test("a response's own header takes the place of the pipeline's; both may link", () => {
  const headers = { 'Cache-Control': { schema: { type: 'string' } }, Link: { schema: { type: 'string' } } };
  const validate = responseValidator(operationDocument({ responses: { 200: { description: 'ok', headers } } }));
  const pipeline = ['Cache-Control', 'no-store', 'Link', '<a>'];
  const own = { 'Cache-Control': 'no-cache', Link: '<b>' };
  expect(validate({ status: 200, headers: own, body: undefined, type: undefined }, new HeaderFields(pipeline)).headers.list).toEqual([
    'Cache-Control',
    'no-cache',
    'Link',
    '<a>, <b>',
  ]);
  expect(pipeline).toEqual(['Cache-Control', 'no-store', 'Link', '<a>']);
});
