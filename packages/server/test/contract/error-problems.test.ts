/** The problems of a request, one by one, in whatever list a contract has for them. */
import { describe, expect, test } from '@jest/globals';
import { listOperations } from '@specwright/contract/document';
import { AppError } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { ALL_MODULES, createErrorBodies } from '../../../contract/test/support/internals.ts';
import { documentOf, responseValidator } from '../../../contract/test/support/contract.ts';
import { serve } from '../support/serve.ts';

const PROBLEMS = [
  { location: 'body', pointer: '/owner/first name', code: 'required', message: 'is required' },
  { location: 'query', pointer: '/limit', code: 'maximum', message: 'must be <= 100' },
  { location: 'query', pointer: '/limit', code: 'multipleOf', message: 'must be a multiple of 10' },
];
const ERROR = { code: 'invalid_request', message: 'both', status: 400, problems: PROBLEMS };

function bodyOf(schema: string, { type = 'application/json', ...error }: Partial<typeof ERROR> & { type?: string } = {}): unknown {
  const document = documentOf(
    `paths:\n  /a:\n    get: { operationId: op, responses: { 400: { description: bad, content: { ${type}: { schema: ${schema} } } } } }\n`,
  );
  const [op] = listOperations(document);
  const { type: sentType, make } = createErrorBodies(document, ALL_MODULES)(op?.operation, 400);
  const body = make({ ...ERROR, ...error });
  expect(responseValidator(document)({ status: 400, headers: {}, type: sentType, body }).problems).toEqual([]);
  return body;
}

const text = '{ type: string }';
const list = (items: string, more = '') =>
  `{ type: object, properties: { message: ${text}, errors: { type: array, items: ${items}${more} } } }`;

describe('a list of problems has', () => {
  test.each<[what: string, items: string, first: unknown]>([
    [
      'location, pointer, code and message',
      `{ type: object, required: [location, pointer, code, message], properties: { location: { enum: [body, query, path, header, cookie], type: string }, pointer: ${text}, code: ${text}, message: ${text} } }`,
      PROBLEMS[0],
    ],
    [
      'a field and a text',
      `{ type: object, properties: { field: ${text}, reason: ${text} } }`,
      { field: 'owner.first name', reason: 'is required' },
    ],
    ['texts with the location', text, 'body/owner/first name is required'],
    [
      'messages with the location where nothing else says it',
      `{ type: object, properties: { detail: ${text} } }`,
      { detail: 'body/owner/first name is required' },
    ],
    [
      'the source of JSON:API',
      `{ type: object, properties: { status: ${text}, code: ${text}, detail: ${text}, source: { type: object, properties: { pointer: ${text} } } } }`,
      { status: '400', code: 'required', detail: 'is required', source: { pointer: '/owner/first name' } },
    ],
  ])('%s', (_, items, first) => {
    const body = bodyOf(list(items)) as { message: string; errors: unknown[] };
    expect(body.message).toBe('both');
    expect(body.errors[0]).toEqual(first);
    expect(body.errors).toHaveLength(3);
  });

  test('no more items than the contract allows, and none where the error has no problems', () => {
    const items = `{ type: object, properties: { pointer: ${text}, message: ${text} } }`;
    expect(bodyOf(list(items, ', maxItems: 1'))).toEqual({
      message: 'both',
      errors: [{ pointer: '/owner/first name', message: 'is required' }],
    });
    expect(bodyOf(list(items), { problems: undefined as never })).toEqual({ message: 'both' });
    expect(
      bodyOf(list(items, ', minItems: 0').replace('{ type: object,', '{ type: object, required: [errors],'), {
        problems: undefined as never,
      }),
    ).toEqual({
      message: 'both',
      errors: [],
    });
  });
});

test('pointers of application/problem+json are fragments (RFC 9457)', () => {
  const schema = `{ type: object, properties: { title: ${text}, status: { type: integer }, detail: ${text}, errors: { type: array, items: { type: object, properties: { detail: ${text}, pointer: ${text} } } } } }`;
  expect(bodyOf(schema, { type: 'application/problem+json' })).toEqual({
    title: 'invalid_request',
    status: 400,
    detail: 'both',
    errors: [
      { detail: 'is required', pointer: '#/owner/first%20name' },
      { detail: 'must be <= 100', pointer: '#/limit' },
      { detail: 'must be a multiple of 10', pointer: '#/limit' },
    ],
  });
});

test('a list whose items are described twice has what both say, and one of the alternatives', () => {
  const base = `{ type: object, required: [issue], properties: { field: ${text}, issue: ${text}, description: ${text} } }`;
  const either = `{ anyOf: [{ properties: { issue: { type: string, enum: [SYNTAX] }, description: ${text} } }] }`;
  const of = (items: string) => `{ type: object, properties: { details: { type: array, items: ${items} } } }`;
  expect(bodyOf(`{ allOf: [${of(base)}, ${of(either)}] }`)).toMatchObject({
    details: [{ field: 'owner.first name', issue: 'SYNTAX', description: 'is required' }, {}, {}],
  });
});

test('schemas that contain themselves, and that allOf describes twice, end', () => {
  const type = (more: string) =>
    `{ type: object, properties: { message: ${text}, inner: { $ref: '#/components/schemas/${more}' }, list: { type: array, items: { $ref: '#/components/schemas/${more}' } } } }`;
  const document = documentOf(
    `paths:\n  /a:\n    get: { operationId: op, responses: { 400: { description: bad, content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } } } } }\n` +
      `components:\n  schemas:\n    A: ${type('A')}\n    B: ${type('B')}\n`,
  );
  const [op] = listOperations(document);
  expect(createErrorBodies(document, ALL_MODULES)(op?.operation, 400).make(ERROR)).toMatchObject({ message: 'both' });
});

test('without a place for the message, a property that allows other texts does not get it', () => {
  expect(bodyOf(`{ type: object, properties: { message: { type: string, enum: [Refused.] }, code: { type: integer } } }`)).toEqual({
    code: 400,
    status: 400,
  });
});

test('the list that FastAPI documents has a problem in each item', () => {
  const item = `{ type: object, required: [loc, msg, type], properties: { loc: { type: array, items: { anyOf: [${text}, { type: integer }] } }, msg: ${text}, type: ${text} } }`;
  expect(bodyOf(`{ type: object, properties: { detail: { type: array, items: ${item} } } }`)).toEqual({
    detail: [
      { loc: ['body', 'owner', 'first name'], msg: 'is required', type: 'required' },
      { loc: ['query', 'limit'], msg: 'must be <= 100', type: 'maximum' },
      { loc: ['query', 'limit'], msg: 'must be a multiple of 10', type: 'multipleOf' },
    ],
  });
});

test('a map has the messages of each field', () => {
  const map = (value: string) =>
    `{ type: object, properties: { title: ${text}, detail: ${text}, errors: { type: object, additionalProperties: ${value} } } }`;
  expect(bodyOf(map(`{ type: array, items: ${text} }`))).toMatchObject({
    errors: { 'owner.first name': ['is required'], limit: ['must be <= 100', 'must be a multiple of 10'] },
  });
  expect(bodyOf(map(text))).toMatchObject({
    errors: { 'owner.first name': 'is required', limit: 'must be <= 100; must be a multiple of 10' },
  });
});

const CONTRACT = `paths:
  /orders:
    post:
      operationId: createOrder
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } } }
      responses:
        '204': { description: made }
        '400': { description: refused, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  schemas:
    NewOrder: { type: object, additionalProperties: false, required: [lines], properties: { lines: { type: array, items: { type: object, required: [pet], properties: { pet: { type: integer } } } } } }
    Error:
      type: object
      required: [code, message]
      properties:
        code: { type: string }
        message: { type: string }
        errors:
          type: array
          items: { type: object, required: [location, pointer, code, message], properties: { location: { type: string }, pointer: { type: string }, code: { type: string }, message: { type: string } } }
`;
const handlers = {
  createOrder: () => {
    const first = { location: 'body', pointer: '/lines/0/pet', code: 'sold', message: 'is sold' };
    throw new AppError('invalid_request', first, { problems: [{ ...first, pointer: '/lines/1/pet' }] });
  },
};
const app = withApp(() => serve(CONTRACT, { handlers }));

test('a request is refused with each of its problems, and a handler names those that only it knows', async () => {
  const post = async (query: string, body: string) => {
    const response = await fetch(`${app.url}/orders${query}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return { status: response.status, body: await response.json() };
  };
  expect(await post('?limit=x', '{"lines":[{},{"pet":"1"}],"colour":1}')).toEqual({
    status: 400,
    body: {
      code: 'invalid_request',
      message: expect.stringContaining('query/limit must be integer; '),
      errors: expect.arrayContaining([
        { location: 'query', pointer: '/limit', code: 'type', message: 'must be integer' },
        { location: 'body', pointer: '/lines/0/pet', code: 'required', message: 'is required' },
        { location: 'body', pointer: '/lines/1/pet', code: 'type', message: 'must be integer' },
        { location: 'body', pointer: '/colour', code: 'additionalProperties', message: 'is not declared' },
      ]),
    },
  });
  expect(await post('', '{"lines":[{"pet":1}]}')).toEqual({
    status: 400,
    body: {
      code: 'invalid_request',
      message: 'body/lines/0/pet is sold',
      errors: [
        { location: 'body', pointer: '/lines/0/pet', code: 'sold', message: 'is sold' },
        { location: 'body', pointer: '/lines/1/pet', code: 'sold', message: 'is sold' },
      ],
    },
  });
  expect(await post('', '{')).toEqual({ status: 400, body: { code: 'invalid_json', message: expect.any(String) } });
});

test('a pointer escapes the names of undeclared properties, and ends above a name that is too long for it', async () => {
  const body = JSON.stringify({ lines: [], 'a/b~c': 1, ['x'.repeat(1000)]: 1 });
  const response = await fetch(`${app.url}/orders`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { errors } = (await response.json()) as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/a~1b~0c', '']);
});

const SECURED = `security: [{ token: [] }]
paths:
  /me:
    get:
      operationId: me
      responses:
        '204': { description: known }
        '401': { description: gone, content: { application/json: { schema: { type: object, required: [errors], properties: { errors: { type: array, items: { type: object, properties: { code: { type: string }, message: { type: string } } } } } } } } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
`;
const secured = withApp(() =>
  serve(SECURED, {
    security: { token: () => ({}) },
    handlers: {
      me: () => {
        throw new AppError('unauthorized', {
          location: 'header',
          pointer: '/Authorization',
          code: 'gone',
          message: 'is of an account that is gone',
        });
      },
    },
  }),
);

test('a 401 of a handler gets the challenge of the operation, and keeps its problems', async () => {
  const response = await fetch(`${secured.url}/me`, { headers: { Authorization: 'Bearer a' } });
  expect([response.status, response.headers.get('WWW-Authenticate'), await response.json()]).toEqual([
    401,
    expect.stringMatching(/^Bearer /),
    { errors: [{ code: 'gone', message: 'header/Authorization is of an account that is gone' }] },
  ]);
});
