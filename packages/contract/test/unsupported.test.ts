/** What is not served as written is listed by construct: one line each, with its places, and what no request reaches first. */
import { expect, test } from '@jest/globals';
import { groupUnsupported, listUnsupported, parseSource } from '@specwright/contract/document';

const linesOf = (version: string, yaml: string) =>
  groupUnsupported(listUnsupported(parseSource('api.yaml', `openapi: ${version}\ninfo: { title: T, version: '1' }\n${yaml}`)));

const OK = 'responses: { 200: { description: ok } }';

test('a construct that is used often is one line, with the number of its places and the first three', () => {
  const body = 'requestBody: { content: { application/xml: {} } }';
  const paths = ['a', 'b', 'c', 'd'].map((name) => `  /${name}: { post: { ${body}, ${OK} } }\n`).join('');
  expect(linesOf('3.0.3', `paths:\n${paths}`)).toEqual([
    'a request body of application/xml: the handler gets a Buffer, without validation (4 places: postA line 4, postB line 5, postC line 6, ...)',
  ]);
});

test('an error body whose status can only be another one is listed', () => {
  const schema = '{ type: object, properties: { code: { type: integer, enum: [400] }, message: { type: string } }, required: [code] }';
  const error = `{ description: no, content: { application/json: { schema: ${schema} } } }`;
  expect(linesOf('3.0.3', `paths:\n  /a: { get: { operationId: a, responses: { 400: ${error}, 429: ${error} } } }\n`)).toEqual([
    '400 in the body of 429: the nearest that its schema allows is sent (a line 4)',
  ]);
});

test('a page has every place, the whole text and the fix', () => {
  const body = 'requestBody: { content: { application/xml: {} } }';
  const paths = Array.from({ length: 34 }, (_, i) => `  /a${i}: { post: { ${body}, ${OK} } }\n`).join('');
  const source = parseSource('api.yaml', `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n${paths}`);
  const [line = '', ...others] = groupUnsupported(listUnsupported(source), { whole: true });
  expect(others).toEqual([]);
  for (let i = 0; i < 34; i++) expect(line).toContain(`postA${i} line ${4 + i}`);
  expect(line).not.toContain('...');
  expect(line).toContain('. Fix: declare application/json beside it, or parse and check it in the handler (34 places: ');
});

test('no line is longer than 200 characters', () => {
  const pattern = `(?<!${'a'.repeat(400)}`;
  const lines = linesOf(
    '3.0.3',
    `paths: { /a: { get: { operationId: ${'x'.repeat(300)}, callbacks: { ${'c'.repeat(300)}: { '{$url}': { post: { ${OK} } } } }, ${OK} } } }\ncomponents: { schemas: { A: { type: string, pattern: '${pattern}' } } }\n`,
  );
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.length).toBeLessThan(200);
});

test('operations that no request reaches come first', () => {
  expect(
    linesOf(
      '3.2.0',
      `servers: [{ url: 'https://{a}/', variables: { a: { default: b } } }]\npaths:\n  /a/{x}: { get: { operationId: one, ${OK} }, additionalOperations: { FROB: { operationId: frob, ${OK} } } }\n  /a/{y}: { get: { operationId: two, ${OK} } }\n`,
    ),
  ).toEqual([
    'an additional operation: never reached: Node does not read the method FROB (frob line 5)',
    'has the same method and path as one: never reached: one is called (two line 6)',
    'server variables: the defaults are used (line 3)',
  ]);
});

test('a file within a part of multipart is listed', () => {
  const photo = 'photo: { type: object, properties: { a: { type: string, format: binary } } }, file: { type: string, format: binary }';
  const body = `requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { ${photo} } } } } }`;
  expect(linesOf('3.1.0', `paths:\n  /a: { post: { operationId: a, x-body-limit: 1000, ${body}, ${OK} } }\n`)).toEqual([
    'a file within the part photo: the part is a value, and what is within it a text (a line 4)',
  ]);
});

test('an operation whose every alternative asks for a client certificate is reached by no request', () => {
  const schemes = 'components: { securitySchemes: { cert: { type: mutualTLS }, key: { type: apiKey, in: header, name: k } } }';
  const operation = (id: string, security: string) => `  /${id}: { get: { operationId: ${id}, security: ${security}, ${OK} } }\n`;
  const paths =
    operation('a', '[{ cert: [] }]') + operation('b', '[{ cert: [] }, { key: [] }]') + operation('c', '[{ cert: [], key: [] }]');
  expect(linesOf('3.1.0', `paths:\n${paths}${schemes}\n`)).toEqual([
    'the security scheme cert of type mutualTLS: never reached: client certificates are not read (2 places: a line 4, c line 6)',
  ]);
});

test('an empty operationId is not one that several operations share', () => {
  expect(linesOf('3.0.3', `paths: { /a: { get: { operationId: '', ${OK} } } }\n`)).toEqual([
    'has an empty operationId: it is called getA (getA line 3)',
  ]);
});

test('items of requests are served, and listed where they would be events', () => {
  const body = (type: string) => `requestBody: { content: { ${type}: { itemSchema: { type: object } } } }`;
  const post = (type: string) => linesOf('3.2.0', `paths: { /a: { post: { operationId: a, ${body(type)}, ${OK} } } }\n`);
  expect(['application/jsonl', 'application/json-seq'].flatMap(post)).toEqual([]);
  expect(post('text/event-stream').join()).toContain('itemSchema');
});

test('a method that Node reads is served', () => {
  expect(linesOf('3.2.0', `paths: { /a: { query: { ${OK} }, additionalOperations: { COPY: { ${OK} } } } }\n`)).toEqual([]);
});

test('constructs of OpenAPI 3.1 and 3.2 that are read and not served are listed', () => {
  const content = `{ application/json: { itemSchema: { type: object }, examples: { a: { dataValue: 1 } } } }`;
  expect(
    linesOf(
      '3.2.0',
      `webhooks: { done: { post: { requestBody: { content: { text/plain: {} } }, ${OK} } }, read: { get: { ${OK} } }, sent: { post: { ${OK} } } }\npaths: { /a: { get: { operationId: a, responses: { 200: { description: ok, content: ${content} } } } } }\n`,
    ).map((line) => line.replace(/ \((a )?line \d\)$/, '')),
  ).toEqual(
    expect.arrayContaining([
      'the webhook done: it has no function: only JSON is sent',
      'the webhook read: it has no function: only POST, PUT, PATCH, DELETE are sent',
      'itemSchema: the items of a sequence are not validated',
      'an example with dataValue or serializedValue: it is documentation only',
    ]),
  );
});

test.each([
  ['3.1.0', 'x-item-schema'],
  ['3.2.0', 'itemSchema'],
])('OpenAPI %s: a sequence with a schema is advised to say %s', (version, keyword) => {
  const content = '{ text/event-stream: { schema: { type: object } } }';
  const yaml = `paths: { /a: { get: { operationId: a, responses: { 200: { description: ok, content: ${content} } } } } }\n`;
  const source = parseSource('api.yaml', `openapi: ${version}\ninfo: { title: T, version: '1' }\n${yaml}`);
  expect(listUnsupported(source)).toMatchObject([
    { feature: 'a response of text/event-stream', fix: expect.stringContaining(` in ${keyword}, in the place of schema`) },
  ]);
});

const closed = (names: string) =>
  `{ type: object, additionalProperties: false, required: [${names}], properties: { id: { type: string } } }`;
const order = '{ type: object, required: [order], properties: { order: { type: string } } }';

test.each<[schema: string, cause: string | undefined]>([
  [
    `{ allOf: [${closed('id')}, ${order}] }`,
    'body: additionalProperties: false (line 6) refuses "order", which required (line 6) asks for',
  ],
  [
    `{ type: object, required: [a], properties: { a: { type: string, minLength: 3, maxLength: 2 } } }`,
    'body/a: minLength 3 (line 6) is more than maxLength 2 (line 6)',
  ],
  [`{ type: integer, enum: [a] }`, 'body: no value of enum (line 6) is valid: must be integer'],
  [`{ type: object, required: [a], properties: { a: { $ref: '#/components/schemas/Answer' } } }`, 'body/a: is required within itself'],
  // What is only written in requests is not required of a response.
  [`{ type: object, required: [a], properties: { a: { type: string, writeOnly: true, minLength: 3, maxLength: 2 } } }`, undefined],
  [`{ type: object, required: [a], properties: { a: { type: string, readOnly: true, minLength: 3, maxLength: 2 } } }`, 'body/a: minLength'],
  [`{ allOf: [${closed('id')}, { type: object, properties: { order: { type: string } } }] }`, undefined],
  [`{ type: object, properties: { a: { type: string, minLength: 3, maxLength: 2 } } }`, undefined],
  [`{ type: array, items: { type: string, minLength: 3, maxLength: 2 } }`, undefined],
  [`{ anyOf: [{ allOf: [${closed('id')}, ${order}] }, ${order}] }`, undefined],
])('a response of %s is listed where no value satisfies it', (schema, cause) => {
  const paths = ['a', 'b'].map(
    (id) => `  /${id}: { get: { operationId: ${id}, responses: { 200: { $ref: '#/components/responses/R' } } } }`,
  );
  const components = `components: { schemas: { Answer: ${schema} },
  responses: { R: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Answer' } } } } } }`;
  const lines = linesOf('3.1.0', `paths:\n${paths.join('\n')}\n${components}\n`);
  if (cause === undefined) return expect(lines).toEqual([]);
  expect(lines).toEqual([expect.stringContaining(`no value satisfies a response: ${cause}`)]);
  expect(lines[0]).toMatch(/: sent as 500 \(2 places: a line \d, b line \d\)$/);
});
