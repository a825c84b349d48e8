/** What a request validator refuses and returns, for each case that express-openapi-validator alone gets wrong. */
import { describe, expect, test } from '@jest/globals';
import { createOperationValidators } from '../src/operation-validators.ts';
import { operationDocument, operationOf, requestValidator } from './support/contract.ts';

const integer = { type: 'integer', format: 'int64', minimum: 0 };
const query = (name: string, schema: unknown, rest: object = {}) => ({ name, in: 'query', schema, ...rest });
const json = (schema: unknown, rest: object = {}) => ({ content: { 'application/json': { schema } }, ...rest });
const type = 'application/json';

test('validates requests that arrive while the schemas are being compiled', async () => {
  const document = operationDocument({ parameters: [query('n', integer)] });
  const { validateRequest } = createOperationValidators(document)(operationOf(document, 'op'));
  const ask = async (text: string) => validateRequest({ path: {}, search: text, headers: {}, body: undefined, type: undefined });
  const answers = await Promise.all(['n=1', 'n=x', 'n=2', 'n='].map(ask));
  expect(answers.map(({ problems }) => problems.length)).toEqual([0, 1, 0, 1]);
});

describe('integers are written as JSON writes them', () => {
  const refused = ['', '%20', '%201', '0x10', '1e3', '1.0', '+1', '007', 'Infinity', 'NaN', '1_000', '१'];
  test.each(refused)('query %j is refused', async (text) => {
    const validate = await requestValidator(operationDocument({ parameters: [query('n', integer)] }));
    expect(await validate({ query: `n=${text}` })).toEqual(['query/n must be integer']);
  });

  test.each(refused.map(decodeURIComponent))('path %j is refused', async (text) => {
    const parameters = [{ name: 'n', in: 'path', required: true, schema: integer }];
    const validate = await requestValidator(operationDocument({ path: '/things/{n}', parameters }));
    expect(await validate({ path: { n: text } })).toEqual(['path/n must be integer']);
  });

  test('0 reaches the handler as a number, in path, query and header', async () => {
    const parameters = [
      { name: 'n', in: 'path', required: true, schema: integer },
      query('q', integer),
      { name: 'X-N', in: 'header', schema: integer },
    ];
    const validate = await requestValidator(operationDocument({ path: '/things/{n}', parameters }));
    expect(await validate({ path: { n: '0' }, query: 'q=0', headers: { 'x-n': '0' } })).toMatchObject({
      path: { n: 0 },
      query: { q: 0 },
      headers: { 'X-N': 0 },
    });
  });
});

test.each(['1', 'TRUE', 'yes', '', 'on'])('refuses %j as a boolean', async (text) => {
  const validate = await requestValidator(operationDocument({ parameters: [query('b', { type: 'boolean' })] }));
  expect(await validate({ query: `b=${text}` })).toEqual(['query/b must be boolean']);
  expect(await validate({ query: 'b=false' })).toMatchObject({ query: { b: false } });
});

test('an object in brackets that is required and not sent is missing, one that is spread over the query is empty', async () => {
  const filter = (style: string) =>
    query('filter', { type: 'object', properties: { a: { type: 'string' } } }, { required: true, style, explode: true });
  const brackets = await requestValidator(operationDocument({ parameters: [filter('deepObject')] }));
  expect(await brackets({})).toEqual([expect.stringMatching(/filter.*required|required.*filter/)]);
  const spread = await requestValidator(operationDocument({ parameters: [filter('form')] }));
  expect(await spread({})).toHaveProperty('query', { filter: {} });
});

test('the name of an API key is a parameter only where the key is sent', async () => {
  const withKey = (location: string) =>
    requestValidator({
      ...operationDocument({}),
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: location, name: 'token' } } },
    });
  expect(await (await withKey('query'))({ query: 'token=1' })).toHaveProperty('query', {});
  expect(await (await withKey('header'))({ query: 'token=1' })).toEqual(['query/token is not declared']);
});

test('refuses a repeated parameter unless it is an array', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  const validate = await requestValidator(operationDocument({ parameters: [query('one', { type: 'string' }), query('many', list)] }));
  expect(await validate({ query: 'one=a&one=b' })).toEqual(['query/one must be given once']);
  expect(await validate({ query: 'many=a&many=b' })).toMatchObject({ query: { many: ['a', 'b'] } });
  expect(await validate({ query: 'many=a' })).toMatchObject({ query: { many: ['a'] } });
});

test('reports undeclared query parameters together with all other problems', async () => {
  const validate = await requestValidator(
    operationDocument({ parameters: [query('n', integer), query('s', { type: 'string', maxLength: 2 })] }),
  );
  expect(await validate({ query: 'n=x&s=abc&other=1&__proto__=1' })).toEqual([
    'query/other is not declared',
    'query/__proto__ is not declared',
    'query/n must be integer',
    'query/s must NOT have more than 2 characters',
  ]);
});

test('accepts reserved characters in a query, such as the colons of a date-time', async () => {
  const validate = await requestValidator(operationDocument({ parameters: [query('t', { type: 'string', format: 'date-time' })] }));
  expect(await validate({ query: 't=2026-11-21T09:00:00Z' })).toMatchObject({ query: { t: '2026-11-21T09:00:00Z' } });
});

test.each(['2021-02-30', '2021-13-01', '2021-1-1'])('refuses the date %s', async (text) => {
  const validate = await requestValidator(
    operationDocument({ method: 'post', requestBody: json({ type: 'object', properties: { d: { type: 'string', format: 'date' } } }) }),
  );
  expect(await validate({ body: { d: text }, type })).toEqual(['body/d must match format "date"']);
});

test('sets defaults in query and body', async () => {
  const body = json({ type: 'object', properties: { s: { type: 'string', default: 'x' } } });
  const validate = await requestValidator(
    operationDocument({ method: 'post', parameters: [query('n', { ...integer, default: 20 })], requestBody: body }),
  );
  expect(await validate({ body: {}, type })).toMatchObject({ query: { n: 20 }, body: { s: 'x' } });
});

test('sets defaults in lists, maps and parts of an allOf, not in what a client may not send, nor within unions', async () => {
  const count = { type: 'object', properties: { n: { ...integer, default: 1 } } };
  const schema = {
    type: 'object',
    allOf: [{ type: 'object', properties: { part: { type: 'string', default: 'p' } } }],
    properties: {
      list: { type: 'array', items: count },
      map: { type: 'object', additionalProperties: count },
      nested: count,
      maybe: { nullable: true, properties: count.properties },
      union: { oneOf: [count, integer] },
      stamp: { type: 'string', readOnly: true, default: 's' },
    },
  };
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: json(schema) }));
  const body = { list: [{}], map: { a: {} }, maybe: {}, union: {} };
  expect(await validate({ body, type })).toMatchObject({
    body: { list: [{ n: 1 }], map: { a: { n: 1 } }, maybe: {}, union: {}, part: 'p' },
  });
});

test('does not coerce a body: "1" is not an integer', async () => {
  const validate = await requestValidator(
    operationDocument({ method: 'post', requestBody: json({ type: 'object', properties: { n: integer } }) }),
  );
  expect(await validate({ body: { n: '1' }, type })).toEqual(['body/n must be integer']);
});

test('reports every problem of a body with its location', async () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['a', 'b'],
    properties: { a: integer, b: { type: 'object', properties: { c: { type: 'string' } } } },
  };
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: json(schema, { required: true }) }));
  expect(await validate({ body: { b: { c: 1 }, d: 1 }, type })).toEqual([
    'body/a is required',
    'body/d is not declared',
    'body/b/c must be string',
  ]);
});

test('ignores a readOnly property in a request, whatever its value is, and does not require it', async () => {
  const id = { ...integer, readOnly: true };
  const part = { type: 'object', additionalProperties: false, properties: { id, size: { type: 'integer', default: 1 } } };
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name'],
    maxProperties: 3,
    properties: { id, name: { type: 'string' }, parts: { type: 'array', items: part }, more: { oneOf: [part, { type: 'string' }] } },
  };
  const validate = await requestValidator(operationDocument({ method: 'put', requestBody: json(schema, { required: true }) }));
  const bodyOf = async (body: unknown) => ((await validate({ body, type })) as { body?: unknown }).body;
  expect(await bodyOf({ name: 'x' })).toEqual({ name: 'x' });
  expect(await bodyOf({ id: 'no integer', name: 'x', parts: [{ id: 1 }, { id: 2, size: 5 }], more: { id: 3 } })).toEqual({
    name: 'x',
    parts: [{ size: 1 }, { size: 5 }],
    more: { size: 1 },
  });
  expect(await validate({ body: { id: 1, name: 5, ID: 1 }, type })).toEqual(['body/ID is not declared', 'body/name must be string']);
});

test('keeps a property that is readOnly in one branch of a union only', async () => {
  const branch = (kind: string, more: object) => ({
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: { kind: { type: 'string', enum: [kind] }, id: { ...integer, ...more } },
  });
  const schema = { oneOf: [branch('a', { readOnly: true }), branch('b', {})] };
  const validate = await requestValidator(operationDocument({ method: 'put', requestBody: json(schema, { required: true }) }));
  expect(await validate({ body: { kind: 'b', id: 1 }, type })).toMatchObject({ body: { kind: 'b', id: 1 } });
  expect(await validate({ body: { kind: 'a', id: 1 }, type })).toContain('body/id is read-only: leave it out');
});

test('validates a text by a schema of strings, and hands on what has another', async () => {
  const content = { 'text/plain': { schema: { type: 'string', maxLength: 3 } }, 'text/csv': { schema: { type: 'integer' } } };
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: { content } }));
  expect(await validate({ body: 'abc', type: 'text/plain' })).toMatchObject({ body: 'abc' });
  expect(await validate({ body: 'abcd', type: 'text/plain' })).toEqual(['body must NOT have more than 3 characters']);
  expect(await validate({ body: 'abcd', type: 'text/csv' })).toMatchObject({ body: 'abcd' });
});

test('accepts the absence of an optional body', async () => {
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: json({ type: 'object', required: ['a'] }) }));
  expect(await validate({})).toMatchObject({ body: undefined });
});

test('accepts null for nullable with a composition and no type', async () => {
  const schema = { type: 'object', properties: { n: { nullable: true, allOf: [integer] } } };
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: json(schema) }));
  expect(await validate({ body: { n: null }, type })).toMatchObject({ body: { n: null } });
  expect(await validate({ body: { n: 1 }, type })).toMatchObject({ body: { n: 1 } });
  expect(await validate({ body: { n: 'x' }, type })).not.toHaveProperty('body');
});

test('does not read examples with an id as schemas', async () => {
  const schema = { type: 'object', example: { id: 'a b' }, properties: { id: { type: 'string', example: 'x' } } };
  const validate = await requestValidator(operationDocument({ method: 'post', requestBody: json(schema) }));
  expect(await validate({ body: { id: 'y' }, type })).toMatchObject({ body: { id: 'y' } });
});

test.each([
  ['form without explode', { style: 'form', explode: false }, 'v=1,2,3'],
  ['spaceDelimited', { style: 'spaceDelimited', explode: false }, 'v=1%202%203'],
  ['pipeDelimited', { style: 'pipeDelimited', explode: false }, 'v=1|2|3'],
  ['form with explode', { style: 'form', explode: true }, 'v=1&v=2&v=3'],
])('decodes arrays in the style %s', async (_name, style, text) => {
  const validate = await requestValidator(operationDocument({ parameters: [query('v', { type: 'array', items: integer }, style)] }));
  expect(await validate({ query: text })).toMatchObject({ query: { v: [1, 2, 3] } });
  expect(await validate({ query: text.replace(/2(?!0)/, 'x') })).toEqual(['query/v/1 must be integer']);
});

test.each([
  ['form', 'v=a,b'],
  ['spaceDelimited', 'v=a%20b'],
  ['pipeDelimited', 'v=a|b'],
])('refuses a repeated list without explode in the style %s, and says how to write it', async (style, written) => {
  const list = { type: 'array', items: { type: 'string' } };
  const validate = await requestValidator(operationDocument({ parameters: [query('v', list, { style, explode: false })] }));
  expect(await validate({ query: 'v=a&v=b' })).toEqual([`query/v must be given once: ${written}`]);
  expect(await validate({ query: written })).toMatchObject({ query: { v: ['a', 'b'] } });
});

test('decodes a deepObject', async () => {
  const schema = { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } };
  const validate = await requestValidator(operationDocument({ parameters: [query('f', schema, { style: 'deepObject', explode: true })] }));
  expect(await validate({ query: 'f[a]=x' })).toMatchObject({ query: { f: { a: 'x' } } });
  expect(await validate({ query: 'f[b]=x' })).toEqual(['query/f/b is not declared']);
});

test('returns declared headers only, by their declared names', async () => {
  const validate = await requestValidator(
    operationDocument({ parameters: [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }] }),
  );
  expect(await validate({ headers: { 'x-trace': 'a', 'x-other': 'b' } })).toMatchObject({ headers: { 'X-Trace': 'a' } });
  const invalid = await requestValidator(
    operationDocument({ parameters: [{ name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', maxLength: 1 } }] }),
  );
  expect(await invalid({ headers: { 'x-trace': 'ab' } })).toEqual(['header/X-Trace must NOT have more than 1 characters']);
  expect(await invalid({})).toEqual(['header/X-Trace is required']);
});

test("ignores the path of a server's URL", async () => {
  const document = { ...operationDocument({ parameters: [query('n', integer)] }), servers: [{ url: 'https://example.com/v1' }] };
  expect(await (await requestValidator(document))({ query: 'n=1' })).toMatchObject({ query: { n: 1 } });
});

test('a mapping that the property of its schema does not allow changes nothing of what is valid', async () => {
  const tag = (value: string) => ({ type: 'object', required: ['type'], properties: { type: { type: 'string', enum: [value] } } });
  const mapping = { A: '#/components/schemas/A', Other: '#/components/schemas/B' };
  const union = {
    oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
    discriminator: { propertyName: 'type', mapping },
  };
  const document = {
    ...operationDocument({ method: 'post', requestBody: json(union) }),
    components: { schemas: { A: tag('A'), B: tag('B') } },
  };
  const validate = await requestValidator(document as never);
  for (const kind of ['A', 'B']) expect(await validate({ body: { type: kind }, type })).toMatchObject({ body: { type: kind } });
  expect(await validate({ body: { type: 'Other' }, type })).toContainEqual(expect.stringMatching(/^body/));
});
