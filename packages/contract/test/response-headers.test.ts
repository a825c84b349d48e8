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

const RATE_LIMIT = { type: 'string', pattern: '^"minute";r=[0-9]+;t=[0-9]+, "day";r=[0-9]+;t=[0-9]+$' };
const ID = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' };

/** Texts that no schema here accepts tell whether they were checked: the framework builds none. */
function problemsOfBuilt(schemas: Record<string, unknown>, change = (fields: HeaderFields) => fields): readonly string[] {
  const headers = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { schema }]));
  const validate = responseValidator(operationDocument({ responses: { 200: { description: 'ok', headers } } }));
  const fields = new HeaderFields(['X-Request-Id', '']).withFirst('no id').setAll(['RateLimit', 'no limit'], true);
  return validate({ status: 200, headers: {}, body: undefined, type: undefined }, change(fields)).problems;
}

test.each<[what: string, schemas: Record<string, unknown>]>([
  ['its pattern', { 'X-Request-Id': ID, RateLimit: RATE_LIMIT }],
  ['bounds that it keeps', { 'X-Request-Id': { ...ID, minLength: 1, maxLength: 100 }, RateLimit: { ...RATE_LIMIT, maxLength: 69 } }],
  [
    'words for people',
    { 'x-request-id': { ...ID, title: 'id', example: '1' }, ratelimit: { ...RATE_LIMIT, description: 'left', examples: ['none'] } },
  ],
])('a text that the framework has built to its form is not checked against %s', (_, schemas) => {
  expect(problemsOfBuilt(schemas)).toEqual([]);
});

test.each<[what: string, schemas: Record<string, unknown>]>([
  ['another pattern', { 'X-Request-Id': { type: 'string', pattern: '^[a-z]+$' } }],
  ['a shorter maximum', { 'X-Request-Id': { ...ID, maxLength: 99 } }],
  ['a longer minimum', { 'X-Request-Id': { ...ID, minLength: 2 } }],
  ['a shorter maximum of a limit', { RateLimit: { ...RATE_LIMIT, maxLength: 68 } }],
  ['a further keyword', { 'X-Request-Id': { ...ID, not: { pattern: '^x' } } }],
  ['another type', { RateLimit: { type: 'integer' } }],
])('it is checked against %s', (_, schemas) => {
  expect(problemsOfBuilt(schemas)).not.toEqual([]);
});

test.each<[what: string, change: (fields: HeaderFields) => HeaderFields]>([
  ['was set to another value', (fields) => fields.set('ratelimit', 'no limit')],
  ['was set with others', (fields) => fields.setAll(['RateLimit', 'no limit'])],
  ['was added to', (fields) => fields.append('RateLimit', 'none')],
  ['was merged', (fields) => fields.merge({ RateLimit: 'no limit' })],
  ['is of other fields', (fields) => new HeaderFields().merge(fields)],
  ['has another place', (fields) => fields.delete('X-Request-Id')],
  ['is beyond the places that are known', () => manyFields().setAll(['RateLimit', 'no limit'], true)],
])('it is checked if it %s', (_, change) => {
  expect(problemsOfBuilt({ RateLimit: RATE_LIMIT }, change)).toContain(
    'response/header/RateLimit must match pattern "' + RATE_LIMIT.pattern + '"',
  );
});

const manyFields = () => new HeaderFields(Array.from({ length: 66 }, (_, i) => (i % 2 === 0 ? `X-${i}` : 'a')));
