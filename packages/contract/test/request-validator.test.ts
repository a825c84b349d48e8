/** What a request validator refuses and returns beside what the conformance suite asks of every server. */
import { ALL_MODULES } from '../src/all-modules.ts';
import { expect, test } from '@jest/globals';
import { MAX_VALIDATION_ERRORS } from '../src/document/problems.ts';
import { createOperationValidators } from '../src/operation-validators.ts';
import { operationDocument, operationOf, requestValidator } from './support/contract.ts';

const integer = { type: 'integer', format: 'int64', minimum: 0 };
const query = (name: string, schema: unknown, rest: object = {}) => ({ name, in: 'query', schema, ...rest });
const json = (schema: unknown, rest: object = {}) => ({ content: { 'application/json': { schema } }, ...rest });
const type = 'application/json';

test('validates requests that arrive while the schemas are being compiled', async () => {
  const document = operationDocument({ parameters: [query('n', integer)] });
  const { validateRequest } = createOperationValidators(document, ALL_MODULES)(operationOf(document, 'op'));
  const ask = async (text: string) => validateRequest({ path: {}, search: text, headers: {}, body: undefined, type: undefined });
  const answers = await Promise.all(['n=1', 'n=x', 'n=2', 'n='].map(ask));
  expect(answers.map(({ problems }) => problems.length)).toEqual([0, 1, 0, 1]);
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

test('of a list each item of which is wrong as many problems are reported as are looked at', async () => {
  const document = operationDocument({
    method: 'post',
    parameters: [query('n', { type: 'array', items: integer }, { style: 'form', explode: false })],
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { f: { type: 'array', items: integer } } } },
      },
    },
  });
  const { validateRequest } = createOperationValidators(document, ALL_MODULES)(operationOf(document, 'op'));
  const ask = async (search: string, body: string) =>
    (await validateRequest({ path: {}, search, headers: {}, body, type: 'application/x-www-form-urlencoded' })).problems;
  const wrong = Array.from({ length: 1000 }, () => 'a');
  const first = Array.from({ length: MAX_VALIDATION_ERRORS }, (_, i) => i);
  expect(await ask(`n=${wrong.join()}`, '')).toEqual(first.map((i) => ({ location: `query/n/${i}`, message: 'must be integer' })));
  expect(await ask('', wrong.map((text) => `f=${text}`).join('&'))).toEqual(
    first.map((i) => ({ location: `body/f/${i}`, message: 'must be integer' })),
  );
});
