/** The reason of a refusal reaches the client, whatever schema the contract has for it, in a body that is valid where one can be. */
import { describe, expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { listUnsupported, parseSource, listOperations } from '@specwright/contract/document';
import { ALL_MODULES, otherStatuses, createErrorBodies } from '../../../contract/test/support/internals.ts';
import { documentOf, responseValidator } from '../../../contract/test/support/contract.ts';
import { serve } from '../support/serve.ts';

const MESSAGE = 'query/limit must be <= 100';
const ERROR = { code: 'invalid_request', message: MESSAGE, status: 400 };

const yaml = (responses: string, components = '') =>
  `paths:\n  /a:\n    get: { operationId: op, responses: ${responses} }\n${components === '' ? '' : `components: { schemas: ${components} }\n`}`;
const json = (schema: string, status = '400') =>
  `{ ${status}: { description: bad, content: { application/json: { schema: ${schema} } } } }`;

/** What is sent, and whether it fits the contract. */
function sent(text: string, status = 400) {
  const document = documentOf(text);
  const [op] = listOperations(document);
  const { type, make, hasMessage } = createErrorBodies(document, ALL_MODULES)(op?.operation, status);
  const { body, problems } = responseValidator(document)({ status, headers: {}, type, body: make({ ...ERROR, status }) });
  return { type, hasMessage, body, problems };
}

const text = '{ type: string }';
test('a status that the contract has no number for is the nearest that it has', () => {
  const schema =
    '{ type: object, required: [code], properties: { code: { type: integer, enum: [400, 404, 500] }, message: { type: string } } }';
  const { body, problems } = sent(yaml(json(schema, "'429'")), 429);
  expect({ body, problems }).toEqual({ body: { code: 404, message: MESSAGE }, problems: [] });
  expect(otherStatuses(body, 429)).toEqual([404]);
  expect(otherStatuses({ code: 429, error: { retries: 3 } }, 429)).toEqual([]);
});

describe('the place for the message', () => {
  test.each<[name: string, schema: string, body: unknown, components?: string]>([
    ['a property', `{ type: object, properties: { message: ${text}, code: { type: integer } } }`, { message: MESSAGE, code: 400 }],
    [
      'objects in a list',
      `{ type: object, properties: { errors: { type: array, items: { type: object, properties: { message: ${text} } } } } }`,
      { errors: [{ message: MESSAGE }] },
    ],
    [
      'texts in a list',
      `{ properties: { errors: { type: array, items: ${text} }, status: ${text} } }`,
      { errors: [MESSAGE], status: 'invalid_request' },
    ],
    ['a list', `{ type: array, items: { type: object, properties: { reason: ${text}, field: ${text} } } }`, [{ reason: MESSAGE }]],
    ['a list of texts', `{ type: array, items: ${text} }`, [MESSAGE]],
    [
      'an alternative that a discriminator names',
      "{ type: object, required: [error], properties: { message: { type: string }, error: { $ref: '#/components/schemas/Info' } } }",
      { message: MESSAGE, error: { status: 'Bad', violations: [{ description: MESSAGE }] } },
      `{
        Info: { oneOf: [{ $ref: '#/components/schemas/Bad' }, { $ref: '#/components/schemas/Other' }], discriminator: { propertyName: status, mapping: { Bad: '#/components/schemas/Bad', Other: '#/components/schemas/Other' } } },
        Bad: { type: object, properties: { status: { type: string, enum: [Bad] }, violations: { type: array, items: { type: object, properties: { field: ${text}, description: ${text} } } } } },
        Other: { type: object, properties: { status: { type: string, enum: [Other] } } } }`,
    ],
    ['a text', text, MESSAGE],
    [
      'three levels down',
      `{ properties: { meta: { properties: { failure: { type: array, items: { properties: { detail: ${text} } } } } } } }`,
      { meta: { failure: [{ detail: MESSAGE }] } },
    ],
    [
      'an inherited property',
      "{ allOf: [{ $ref: '#/E' }, { properties: { hint: { type: string } } }] }".replace('#/E', '#/components/schemas/E'),
      { error_description: MESSAGE, error: 'invalid_request' },
      `{ E: { type: object, required: [error], properties: { error: ${text}, error_description: ${text} } } }`,
    ],
    [
      'one of several alternatives',
      `{ oneOf: [{ type: object, required: [id], properties: { id: { type: integer } } }, { type: object, required: [msg], properties: { msg: ${text} } }] }`,
      { msg: MESSAGE },
    ],
    [
      'a problem of RFC 9457',
      `{ properties: { type: { type: string, format: uri }, title: ${text}, status: { type: integer }, detail: ${text} } }`,
      { title: 'invalid_request', status: 400, detail: MESSAGE },
    ],
    ['a title where there is no detail', `{ properties: { title: ${text}, status: { type: integer } } }`, { title: MESSAGE, status: 400 }],
    ['any object', '{ type: object }', ERROR],
    ['any value', '{}', ERROR],
    ['an object of any properties', `{ type: object, properties: { error: { type: object } } }`, { error: ERROR }],
    [
      'a map',
      `{ type: object, properties: { errors: { type: object, additionalProperties: { type: array, items: ${text} } } } }`,
      { errors: { message: [MESSAGE] } },
    ],
    [
      'what it needs besides',
      `{ type: object, required: [success, kind, at, code, errors, by], properties: { success: { type: boolean }, kind: { type: string, enum: [ok, failed] }, at: { type: string, format: date-time }, code: { type: string, enum: [bad] }, errors: { type: array, items: ${text} }, by: { type: object, required: [n], properties: { n: { type: integer } } }, info: ${text}, description: ${text} } }`,
      { success: false, kind: 'failed', at: expect.any(String), code: 'bad', errors: [], by: { n: 400 }, description: MESSAGE },
    ],
    [
      'a schema that contains itself',
      "{ $ref: '#/components/schemas/E' }",
      { cause: undefined, message: MESSAGE },
      `{ E: { type: object, properties: { cause: { $ref: '#/components/schemas/E' }, message: ${text} } } }`,
    ],
  ])('%s', (_name, schema, body, ...[components]) => {
    expect(sent(yaml(json(schema), components))).toEqual({ type: 'application/json', hasMessage: true, body, problems: [] });
  });

  test.each([
    ['a range of statuses', json(`{ properties: { msg: ${text} } }`, '4XX')],
    ['the default response', json(`{ properties: { msg: ${text} } }`, 'default')],
  ])('in %s', (_name, responses) => {
    expect(sent(yaml(responses))).toMatchObject({ body: { msg: MESSAGE }, hasMessage: true });
  });
});

test.each([
  ['a number', '{ properties: { code: { type: integer } } }', { ...ERROR, code: 400 }],
  ['a property that is no message', `{ properties: { petName: ${text} } }`, { ...ERROR }],
  ['nothing', '{ type: object, additionalProperties: false }', ERROR],
])('a schema with a place for %s alone: the reason is sent all the same', (_name, schema, made) => {
  const document = documentOf(yaml(json(schema)));
  const body = createErrorBodies(document, ALL_MODULES)(listOperations(document)[0]?.operation, 400);
  expect([body.hasMessage, body.make(ERROR)]).toEqual([false, made]);
});

test('the media type is the declared one; plain text is the message', () => {
  const problem = `{ 400: { description: bad, content: { text/html: {}, application/problem+json: { schema: { properties: { detail: ${text} } } } } } }`;
  expect(sent(yaml(problem))).toMatchObject({ type: 'application/problem+json', body: { detail: MESSAGE }, problems: [] });
  expect(sent(yaml('{ 400: { description: bad, content: { text/plain: {} } } }'))).toMatchObject({
    type: 'text/plain',
    body: MESSAGE,
    problems: [],
  });
});

test('what is not declared has the most usual body of the document', () => {
  const usual = json(`{ properties: { fault: { properties: { faultstring: ${text}, message: ${text} } } } }`);
  const document = documentOf(
    `paths:\n  /a: { get: { responses: ${usual} }, put: { responses: ${usual} } }\n  /b: { get: { responses: ${json(`{ properties: { msg: ${text} } }`)} }, put: { responses: { 400: { description: bad } } } }\n`,
  );
  const of = createErrorBodies(document, ALL_MODULES);
  for (const operation of [undefined, listOperations(document).at(-1)?.operation])
    expect(of(operation, 400).make(ERROR)).toEqual({ fault: { message: MESSAGE } });
  expect(createErrorBodies(documentOf('paths: {}\n'), ALL_MODULES)(undefined, 400)).toMatchObject({
    type: 'application/json',
    hasMessage: true,
  });
});

const LOST = `paths:
  /a:
    get:
      operationId: lost
      parameters: [{ name: n, in: query, schema: { type: integer } }]
      responses: { 400: { description: bad, content: { application/json: { schema: { type: object, properties: { petName: { type: string } } } } } } }
  /b:
    get:
      operationId: found
      parameters: [{ name: n, in: query, schema: { type: integer } }]
      responses: { 4XX: { description: bad, content: { application/json: { schema: { properties: { errors: { type: array, items: { properties: { message: { type: string } } } } } } } } } }
`;
const app = withApp(() => serve(LOST));

test('a refusal says why in the place that the contract has, and is logged where it has none', async () => {
  const ask = async (path: string) => await (await fetch(app.url + path)).json();
  expect(await ask('/b?n=x')).toEqual({ errors: [{ message: 'query/n must be integer' }] });
  expect(app.log.filter(({ level }) => level === 'warn')).toEqual([]);
  expect(await ask('/a?n=x')).toEqual({ code: 'invalid_request', message: 'query/n must be integer', status: 400 });
  expect(app.log.filter(({ level }) => level === 'warn')).toMatchObject([
    { operation: 'lost', status: 400, message: expect.stringContaining('no place for the reason') },
  ]);
  expect(await ask('/nowhere')).toEqual({ errors: [{ message: 'there is no /nowhere' }] });
});

test('error responses without a place for the message are listed once for all operations that have the same', () => {
  const more = LOST.replace(
    /paths:/,
    `paths:\n  /c: { get: { operationId: other, responses: ${json('{ type: object, properties: { petName: { type: string } } }', '400')} } }`,
  );
  const source = parseSource('test.yaml', `openapi: 3.0.3\ninfo: { title: Test, version: '1' }\n${more}`);
  expect(listUnsupported(source)).toMatchObject([
    {
      operationId: 'other',
      feature: 'no place for the reason in the body of 400 (and in 1 other operation)',
      behavior: 'the reason is sent in code, message and status',
    },
  ]);
});
