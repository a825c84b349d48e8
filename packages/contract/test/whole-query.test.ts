/** The parameter `in: querystring` of OpenAPI 3.2: the query as one value, decoded, validated, with defaults; where it may be declared. */
import { describe, expect, test } from '@jest/globals';
import { checkDocument } from '../src/reading/check-document.ts';
import { parseSource } from '../src/reading/source-document.ts';
import { encodeQuery } from '../src/requests/whole-query.ts';
import { operationDocument, requestValidator } from './support/contract.ts';

const FORM = 'application/x-www-form-urlencoded';
const FILTER = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string' },
    limit: { type: 'integer', minimum: 1, default: 20 },
    tags: { type: 'array', items: { type: 'string' } },
    box: { type: 'object', properties: { x: { type: 'number' } } },
  },
};

const documentOf = (type: string, schema: object, { encoding = {}, ...rest }: { encoding?: object; required?: boolean } = {}) => ({
  ...operationDocument({ parameters: [{ name: 'filter', in: 'querystring', content: { [type]: { schema, encoding } }, ...rest }] }),
  openapi: '3.2.0',
});

test.each<[what: string, query: string, value: unknown]>([
  ['fields, with defaults', 'text=a+b', { text: 'a b', limit: 20 }],
  ['a list and an object', 'text=a&limit=2&tags=x%2Cy,z&box=%7B%22x%22%3A1%7D', { text: 'a', limit: 2, tags: ['x,y', 'z'], box: { x: 1 } }],
  ['a wrong type', 'text=a&limit=x', ['query/limit must be integer']],
  ['a bound', 'text=a&limit=0', ['query/limit must be >= 1']],
  ['a field that is not declared', 'text=a&other=1', ['query/other is not declared']],
  ['a field twice', 'text=a&text=b', ['query/text must be given once']],
  ['none of a form that is not required', '', undefined],
])('a form: %s', async (_what, query, value) => {
  const validate = await requestValidator(documentOf(FORM, FILTER, { encoding: { tags: { style: 'form', explode: false } } }));
  const result = await validate({ query });
  expect(Array.isArray(result) ? result : result.query).toEqual(value);
});

test('a required form may be empty, if its schema allows it', async () => {
  expect(await (await requestValidator(documentOf(FORM, FILTER, { required: true })))({})).toEqual(['query/text is required']);
  const open = await requestValidator(documentOf(FORM, { type: 'object', properties: {} }, { required: true }));
  expect(await open({})).toHaveProperty('query', {});
});

test.each<[what: string, type: string, schema: object, query: string, value: unknown]>([
  ['JSON', 'application/json', { type: 'array', items: { type: 'integer' } }, '%5B1,2%5D', [1, 2]],
  ['what is no JSON', 'application/json', {}, '%7B', ['query must be JSON']],
  ['what JSON refuses', 'application/json', { type: 'array', items: { type: 'integer' } }, '%5B%22a%22%5D', ['query/0 must be integer']],
  ['text, with its plus signs', 'text/plain', { type: 'string', minLength: 3 }, '$.a+b%20c', '$.a+b c'],
  [
    'text that is too short',
    'application/jsonpath',
    { type: 'string', minLength: 3 },
    '$',
    ['query must NOT have fewer than 3 characters'],
  ],
  ['what is not encoded', 'text/plain', { type: 'string' }, '%FF', ['query is not valid percent-encoding of UTF-8']],
  ['a default', 'application/json', { type: 'object', default: { a: 1 } }, '', { a: 1 }],
])('%s', async (_what, type, schema, query, value) => {
  const result = await (await requestValidator(documentOf(type, schema)))({ query });
  expect(Array.isArray(result) ? result : result.query).toEqual(value);
});

test('an integer that a number does not hold is refused', async () => {
  const validate = await requestValidator(documentOf('application/json', { type: 'integer' }));
  expect(await validate({ query: '9007199254740993' })).toEqual([expect.stringMatching(/^query /)]);
});

test('a required value has to be sent', async () => {
  expect(await (await requestValidator(documentOf('application/json', {}, { required: true })))({})).toEqual(['query is required']);
});

describe('what is written is read as the same value', () => {
  test.each<[type: string, schema: object, value: unknown]>([
    [FORM, FILTER, { text: 'a&b=c d+é', limit: 3, tags: ['a,b', '', 'c'], box: { x: 1.5 } }],
    ['application/json', {}, { a: [1, 'ü&?#', null], b: { c: true } }],
    ['text/plain', { type: 'string' }, 'a b+c%&#ü'],
  ])('%s', async (type, schema, value) => {
    const validate = await requestValidator(documentOf(type, schema));
    expect(await validate({ query: encodeQuery({ type, media: { schema } }, value) })).toMatchObject({ query: value });
  });
});

describe('it is refused at boot', () => {
  const filter = { name: 'filter', in: 'querystring', content: { [FORM]: { schema: FILTER } } };
  test.each<[what: string, parameters: object[], item: object[], problem: string]>([
    ['beside in: query', [filter, { name: 'a', in: 'query', schema: {} }], [], 'the parameter a in: query cannot be beside filter'],
    [
      'beside in: query of the path',
      [filter],
      [{ name: 'a', in: 'query', schema: {} }],
      'the parameter a in: query cannot be beside filter',
    ],
    ['twice', [filter, { ...filter, name: 'other' }], [], 'one parameter in: querystring, not filter and other'],
    ['with two media types', [{ ...filter, content: { ...filter.content, 'text/plain': {} } }], [], 'one media type'],
    ['with a schema of its own', [{ name: 'filter', in: 'querystring', schema: {} }], [], 'one media type'],
  ])('%s', async (_what, parameters, shared, problem) => {
    const get = { operationId: 'op', parameters, responses: { 200: { description: 'ok' } } };
    const document = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: { '/a': { parameters: shared, get } } };
    const problems = await checkDocument(parseSource('a.json', JSON.stringify(document)));
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
  });

  test('in OpenAPI 3.1, which does not have it', async () => {
    const get = { parameters: [filter], responses: { 200: { description: 'ok' } } };
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { get } } };
    expect(await checkDocument(parseSource('a.json', JSON.stringify(document)))).not.toEqual([]);
  });
});
