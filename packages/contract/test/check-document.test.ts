/** The problems of a document, with their lines. */
import { expect, test } from '@jest/globals';
import { checkDocument } from '../src/reading/check-document.ts';
import { parseSource } from '../src/reading/source-document.ts';
import { ContractError } from '../src/document/problems.ts';
import { problemsOf } from './support/contract.ts';

const INFO = "info: { title: Test, version: '1' }\n";
const GOOD = `paths:
  /things/{id}:
    get:
      operationId: getThing
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-deprecated-sunset: '2027-01-01'
      x-deprecated-successor: listThings
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: integer, format: int64, minimum: 1, maximum: 9 }
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
  /things:
    get:
      operationId: listThings
      x-stability: beta
      responses:
        '204': { description: none }
components:
  schemas:
    Thing:
      type: object
      properties:
        name: { type: string, pattern: '^[a-z]+$', minLength: 1, maxLength: 9 }
`;

test('reports nothing for a valid document', async () => {
  expect(await problemsOf(GOOD)).toEqual([]);
});

test('a reference in an extension is data: it may lead nowhere', async () => {
  const extended = GOOD.replace('x-stability: beta', "x-stability: beta\n      x-notes: { a: { $ref: '#/no/where' } }");
  expect(await problemsOf(`${extended}x-topics: [{ $ref: './missing.md' }]\n`)).toEqual([]);
});

test.each([
  ['allOf that is no list', '{ allOf: { type: object } }'],
  ['a reference without a target', "{ allOf: [{ $ref: '#/components/schemas/Think' }] }"],
  ['keywords that are not OpenAPI', '{ type: 5, properties: { a: 1 }, no: such }'],
])('ignores what is beside a $ref: %s', async (_name, beside) => {
  const reference = "$ref: '#/components/schemas/Thing'";
  expect(await problemsOf(GOOD.replace(`{ ${reference} }`, `{ ${reference}, ${beside.slice(2)}`))).toEqual([]);
  expect(await problemsOf(GOOD.replace(`{ ${reference} }`, beside))).not.toEqual([]);
});

test.each<[name: string, from: string, to: string, problem: RegExp]>([
  [
    'a list that is none',
    'type: object\n',
    'type: object\n      required: true\n',
    /^\d+ Expected `required` to be of type `array` but got `boolean`/,
  ],
  [
    'an item of another type',
    'type: object\n',
    'type: object\n      required: [1]\n',
    /^\d+ Expected `required\/0` to be of type `string` but got `integer`/,
  ],
  [
    'a property that is no schema',
    'properties:\n',
    'properties:\n        required: [name]\n',
    /^\d+ Expected `properties\/required` to be of type `Schema` \(object\) but got `array`/,
  ],
  [
    'a misspelt key',
    'operationId: getThing',
    'operationID: getThing',
    /^4 Property `operationID` is not expected here. Did you mean operationId\?/,
  ],
  ['an unknown type', 'type: object', 'type: objekt', /^29 `type` can be one of the following only/],
  [
    'a reference without a target',
    'schemas/Thing',
    'schemas/Think',
    /^19 Can't resolve \$ref #\/components\/schemas\/Think Did you mean #\/components\/schemas\/Thing\?/,
  ],
  [
    'a misspelled section of a reference',
    'components/schemas/Thing',
    'components/schema/Thing',
    /^19 Can't resolve .* Did you mean #\/components\/schemas\/Thing\?/,
  ],
  ['an undeclared path parameter', 'name: id', 'name: ident', /^\d+ .*parameter/],
  [
    'an invalid status',
    "'204'",
    "'2044'",
    /^25 `2044` is not a status: write 100 to 599, all of a class such as `4XX`, or `default` \(struct\)/,
  ],
  [
    'a path without a slash',
    '  /things',
    '  things',
    /^\d+ a path begins with a slash: write `\/things[^`]*`, not `things[^`]*` \(struct\)/,
  ],
  [
    'a body limit that is no number of bytes',
    'x-stability: beta',
    'x-body-limit: 1 MB',
    /^23 x-body-limit must be a number of bytes from 1 to 1073741824, not "1 MB"/,
  ],
  ['a body limit of all operations', 'components:\n', 'x-body-limit: 0\ncomponents:\n', /^26 x-body-limit must be a number of bytes/],
  ['an unknown stability', 'x-stability: beta', 'x-stability: alpha', /^23 x-stability must be experimental or beta, not "alpha"/],
  ['a sunset that is not a date', "'2027-01-01'", "'2027-02-31x'", /^7 x-deprecated-sunset must be a date/],
  ['a sunset before the deprecation', "'2027-01-01'", "'2025-12-31'", /^7 the sunset 2025-12-31 is before the deprecation 2026-01-01/],
  [
    'a successor that does not exist',
    'successor: listThings',
    'successor: listThink',
    /^8 there is no operation "listThink": did you mean "listThings"\?/,
  ],
  ['lifecycle without deprecation', '      deprecated: true\n', '', /^5 x-deprecated-since needs deprecated: true/],
])('reports %s', async (_name, from, to, problem) => {
  expect(GOOD).toContain(from);
  const problems = await problemsOf(GOOD.replace(from, () => to));
  expect(problems).toContainEqual(expect.stringMatching(problem));
});

const upload = (media: string, more = '', response = '{ description: ok }') => `paths:
  /files:
    post:
      operationId: upload${more}
      requestBody: { content: { ${media} } }
      responses: { '200': ${response} }
`;
const STREAM = 'application/octet-stream: { x-stream: true, schema: { type: string, format: binary, maxLength: 5 } }';
const KEY = '\n      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }';
const DIGEST = '{ name: content-digest, in: header, required: true, schema: { type: string } }';

test.each([
  ['a stream of bytes with a length', upload(STREAM)],
  ['a stream of text without a schema', upload('text/csv: { x-stream: true }')],
  [
    'a file of one byte',
    upload('multipart/form-data: { schema: { type: object, properties: { photo: { type: string, format: binary, x-max-bytes: 1 } } } }'),
  ],
  ['no stream of JSON', upload('application/json: { x-stream: false, schema: { type: object } }')],
  ['a stream of lines whose items are not declared', upload('application/jsonl: { x-stream: true }')],
  ['a stream of 1 TiB', upload(STREAM, '\n      x-body-limit: 1099511627776')],
  ['a stream with an Idempotency-Key and a Content-Digest', upload(STREAM, `${KEY}, ${DIGEST}]`)],
])('reports nothing for %s', async (_name, yaml) => {
  expect(await problemsOf(yaml)).toEqual([]);
});

test.each([
  [
    'JSON',
    upload('application/json: { x-stream: true, schema: { type: object } }'),
    /^5 x-stream is for bodies .* application\/json is parsed/,
  ],
  ['any type', upload('"*/*": { x-stream: true }'), /^5 x-stream is for bodies/],
  ['a form', upload('application/x-www-form-urlencoded: { x-stream: true }'), /^5 x-stream is for bodies/],
  ['multipart', upload('multipart/form-data: { x-stream: true }'), /^5 x-stream is for bodies/],
  [
    'a schema with a pattern',
    upload('text/csv: { x-stream: true, schema: { type: string, pattern: a } }'),
    /^5 the schema of a streamed body/,
  ],
  ['a schema of objects', upload('text/csv: { x-stream: true, schema: { type: object } }'), /^5 the schema of a streamed body/],
  ['neither true nor false', upload('text/csv: { x-stream: maybe }'), /^5 x-stream must be true or false, not "maybe"/],
  [
    'a response',
    upload(STREAM, '', '{ description: ok, content: { text/csv: { x-stream: true } } }'),
    /^6 x-stream is for the bodies of requests/,
  ],
  ['an Idempotency-Key without a digest', upload(STREAM, `${KEY}]`), /^6 a streamed body with an Idempotency-Key .* Content-Digest/],
  [
    'an Idempotency-Key with a digest that is not required',
    upload(STREAM, `${KEY}, ${DIGEST.replace('true', 'false')}]`),
    /^6 a streamed body with an Idempotency-Key/,
  ],
  [
    'an Idempotency-Key with another header that is required',
    upload(STREAM, `${KEY}, ${DIGEST.replace('content-digest', 'X-Other')}]`),
    /^6 a streamed body with an Idempotency-Key/,
  ],
  [
    'a limit above 1 GiB beside a body that is read whole',
    upload(`${STREAM}, text/plain: {}`, '\n      x-body-limit: 1099511627776'),
    /^5 x-body-limit/,
  ],
])('refuses x-stream with %s', async (_name, yaml, problem) => {
  expect(await problemsOf(yaml)).toEqual([expect.stringMatching(problem)]);
});

test.each(['allOf: [true, false]', 'not: true', 'if: true', 'properties: { a: false }', 'prefixItems: [true]', 'contains: false'])(
  'a boolean is a schema in 3.1, but not in 3.0: %s',
  async (keyword) => {
    const text = (version: string) =>
      GOOD.replace('type: object', `type: object\n      ${keyword}`).replace(/^/, `openapi: ${version}\n${INFO}`);
    expect(await checkDocument(parseSource('test.yaml', text('3.1.0').replace(/\n {6}properties:\n {8}name.*/, '')))).toEqual([]);
    expect(await checkDocument(parseSource('test.yaml', text('3.0.3').replace(/\n {6}properties:\n {8}name.*/, '')))).not.toEqual([]);
  },
);

test('a reference may lead through keys that are the empty text', async () => {
  const text = `openapi: 3.1.0\n${INFO}${GOOD.replace('components/schemas/Thing', 'components/schemas/Thing/$defs//$defs/')}      $defs: { '': { $defs: { '': { type: string } } } }\n`;
  expect(await checkDocument(parseSource('test.yaml', text))).toEqual([]);
});

test('reports all problems together', async () => {
  const problems = await problemsOf(
    GOOD.replace("'2027-01-01'", "'soon'").replace('beta', 'alpha').replace('successor: listThings', 'successor: listThink'),
  );
  expect(problems).toHaveLength(3);
});

test.each([
  [
    'a list that does not end',
    'openapi: 3.0.3\ninfo: { title: [ }\npaths:\n  /a: "x\n',
    /^broken\.yaml:2:\d+ .*; \d more errors? may follow from it$/,
  ],
  [
    'a lost colon',
    GOOD.replace('    get:\n', '    get\n'),
    /^broken\.yaml:\d+:5 there is no colon after `get`; \d+ more errors may follow from it$/,
  ],
  [
    'a key that is indented too far',
    'openapi: 3.0.3\ninfo:\n  title: a\n    version: b\npaths: {}\n',
    /^broken\.yaml:4:5 this is indented further than `title` in line 3, which has a value already: indent both alike/,
  ],
  [
    'a colon in a text',
    'openapi: 3.0.3\ninfo:\n  title: This: is nested\n',
    /^broken\.yaml:3:10 the value of `title` has a colon: write it in quotes$/,
  ],
  ['a lost colon, alone', 'openapi 3.0.3\ninfo: {}\n', /^broken\.yaml:1:1 there is no colon after `openapi`$/],
  [
    'a tab',
    GOOD.replace('      operationId', '\t    operationId'),
    /^broken\.yaml:\d+:1 a tab in the indentation: use spaces; \d+ more errors may follow from it$/,
  ],
])('a syntax error of the YAML is one problem, at its line, with the number of those after it: %s', (_, text, expected) => {
  let error: unknown;
  try {
    parseSource('broken.yaml', text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ContractError);
  const [summary, problem, ...more] = (error as ContractError).message.split('\n');
  expect([summary, more]).toEqual(['broken.yaml: 1 problem', []]);
  expect(problem?.trim()).toMatch(expected);
});

test('a reference to a component of another kind is one problem, at the reference', async () => {
  const parameter = "- { $ref: '#/components/schemas/Thing' }\n        - name: id";
  expect(await problemsOf(GOOD.replace('- name: id', parameter))).toEqual([
    '10 #/components/schemas/Thing is a schema, and a parameter is needed here (struct)',
  ]);
});

test('a component of another kind that fits is not refused', async () => {
  const other = GOOD.replace('#/components/schemas/Thing', '#/components/responses/Empty').replace(
    'components:\n',
    'components:\n  responses:\n    Empty: { description: An object. }\n',
  );
  expect(await problemsOf(other)).toEqual([]);
});

const CONFLICT = `<<<<<<< HEAD
      x-stability: beta
=======
      x-stability: experimental
>>>>>>> other
`;

test('a merge conflict is one problem, at its first line', () => {
  const text = GOOD.replace('      x-stability: beta\n', CONFLICT);
  expect(() => parseSource('api.yaml', text)).toThrow(/^api\.yaml: 1 problem\n {2}api\.yaml:23:1 merge conflict: keep [^\n]*$/);
});

test('what looks like a conflict within a text is none', () => {
  const description = '      description: |\n        <<<<<<< HEAD\n        =======\n      x-stability: beta\n';
  expect(() => parseSource('api.yaml', GOOD.replace('      x-stability: beta\n', description))).not.toThrow();
});

test('a callback may have callbacks, however deep', async () => {
  const within = (callbacks: string) =>
    `{ '{$request.body#/uri}': { post: { responses: { '204': { description: ok } }${callbacks === '' ? '' : `, callbacks: { deeper: ${callbacks} }`} } } }`;
  const deep = within(within(within(within(''))));
  const nested = GOOD.replace('x-stability: beta', () => `x-stability: beta\n      callbacks: { notify: ${deep} }`);
  expect(await problemsOf(nested)).toEqual([]);
});
