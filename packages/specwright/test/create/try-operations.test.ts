/** Which operations of a new project no request can reach, with a proof; whatever else cannot be called is a defect. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { operationTable, parseSource, readDocument, type SourceDocument } from '@specwright/contract/document';
import { removeFolder } from 'specwright/testing';
import { formatDefects, outgoingExemptions, tryOperations, type TriedOperations } from '../../src/new/try-operations.ts';
import { unsentOutgoing } from '../../src/new/compose-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'exemptions-'));
afterAll(() => removeFolder(folder));

const responses = { '204': { description: 'Done.' } };
const operation = (operationId: string, schema: object, example?: unknown) => ({
  post: { operationId, requestBody: { required: true, content: { 'application/json': { schema, example } } }, responses },
});

async function tried(paths: object, components: object = {}): Promise<TriedOperations & { readonly source: SourceDocument }> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths, components }, null, 1));
  const source = readDocument(file);
  const generated = { digest: source.digest, operations: operationTable(source.document), rateLimitPlans: null };
  return { ...(await tryOperations(pathToFileURL(file), generated, source)), source };
}

// Not by toMatchObject, for which any object has all that `{}` has.
const NONE = { unreachable: {}, defects: {} };
const SOURCE: unknown = expect.anything();

test('an example that its schema refuses keeps no operation from being called', async () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  expect(await tried({ '/a': operation('addA', schema, { nam: 'Rex' }), '/b': operation('addB', schema, 'Rex') })).toEqual({
    ...NONE,
    source: SOURCE,
  });
});

test('a list of allowed values that was left empty keeps no operation from being called, as no request is refused for it', async () => {
  const status = { type: 'string', oneOf: [{ const: 'A' }, { const: 'B' }] };
  const a = { type: 'string', enum: [], allOf: [{ $ref: '#/components/schemas/Status' }] };
  const schema = { type: 'object', properties: { a, b: { type: 'string' } } };
  expect(await tried({ '/a': operation('addA', schema) }, { schemas: { Status: status } })).toEqual({ ...NONE, source: SOURCE });
});

const closed = (...names: string[]) => ({
  type: 'object',
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const object = (property: object) => ({ type: 'object', required: ['a'], properties: { a: property } });
const branch = (name: string) => ({ required: [name] });

test.each<[name: string, schema: object, proof: RegExp]>([
  [
    'bounds',
    { type: 'string', minLength: 3, maxLength: 2 },
    /^body: minLength 3 \(line \d+\) is more than maxLength 2 \(line \d+\); tried ""$/,
  ],
  [
    'an enum of texts on a list',
    object({ type: 'array', enum: ['x', 'y'] }),
    /^body\/a: no value of enum \(line \d+\) is valid: must be array; tried "x"$/,
  ],
  [
    'closed parts of an allOf',
    { allOf: [closed('a'), closed('b')] },
    /^body: additionalProperties: false \(line \d+\) refuses "a", which required \(line \d+\) asks for; tried \{"a":null\}$/,
  ],
  [
    'what branches require of a closed object',
    { ...closed(), anyOf: [branch('a'), branch('b')] },
    /^body: no branch of anyOf is valid, the first: additionalProperties: false .* refuses "a"/,
  ],
  [
    'the same branch twice',
    object({
      oneOf: [
        { type: 'string', title: 'A' },
        { type: 'string', title: 'B' },
      ],
    }),
    /^body\/a: oneOf \(line \d+\) has the same schema several times/,
  ],
  ['types', { allOf: [{ type: 'string' }, { type: 'integer' }] }, /^body: type integer \(line \d+\) refuses type string \(line \d+\)/],
  ['false', { type: 'object', required: ['a'], properties: { a: false } }, /^body\/a: false \(line \d+\) accepts nothing/],
  ['an object that requires itself', { $ref: '#/components/schemas/Node' }, /^body\/a: is required within itself without end/],
])('an operation that no request can reach is a contradiction of the contract: %s', async (_name, schema, proof) => {
  // prettier-ignore
  const { unreachable, defects } = await tried({ '/a': operation('addA', schema) }, { schemas: { Node: object({ $ref: '#/components/schemas/Node' }) } });
  expect({ unreachable, defects }).toEqual({ unreachable: { addA: expect.stringMatching(proof) }, defects: {} });
});

test('what is refused without a contradiction is a defect, which is said with its line and the value that was tried', async () => {
  const pattern = '^(?=.*[A-Z])(?=.*\\d)(?!.*A1)[^a-z]{9,}(?<=Z#7)$';
  const { unreachable, defects, source } = await tried({ '/a': operation('addA', object({ type: 'string', pattern })) });
  expect(unreachable).toEqual({});
  const text = formatDefects(defects, source);
  expect(text).toMatch(
    /  addA \(line \d+\): no value can be made of body\n {4}no value can be made for body\/a \(tried ".*"\): add an example/,
  );
  expect(text).toContain('This is a defect of specwright: please report it with the document');
});

test('an operation that asks for a client certificate alone is reached by no request', async () => {
  const get = { operationId: 'getA', security: [{ certificate: [] }], responses };
  const { unreachable, defects } = await tried({ '/a': { get } }, { securitySchemes: { certificate: { type: 'mutualTLS' } } });
  expect({ unreachable, defects }).toEqual({
    unreachable: { getA: expect.stringContaining('client certificates are not read') },
    defects: {},
  });
});

test('the keywords of a contradiction are named with the lines of the parts that have them', async () => {
  const [A, B] = [closed('a'), closed('b')];
  const parts = { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] };
  const { unreachable, source } = await tried({ '/a': operation('addA', parts) }, { schemas: { A, B } });
  const lineOf = (...keys: string[]) => source.locate(['components', 'schemas', ...keys]).line;
  const [refusing, asking] = [lineOf('B', 'additionalProperties'), lineOf('A', 'required')];
  expect(unreachable['addA']).toContain(`additionalProperties: false (line ${refusing}) refuses "a", which required (line ${asking})`);
});

test('what optional properties alone tell apart is sent with them', async () => {
  const kind = (type: string) => ({
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, values: { type: type === 'map' ? 'object' : 'array' } },
  });
  expect(await tried({ '/a': operation('addA', { oneOf: [kind('map'), kind('list'), kind('query')] }) })).toEqual({
    ...NONE,
    source: SOURCE,
  });
});

test('a header that each client sends is sent as the contract has it', async () => {
  const parameters = [{ name: 'Accept-Encoding', in: 'header', schema: { type: 'string', enum: ['identity'] } }];
  expect(await tried({ '/a': { get: { operationId: 'getA', parameters, responses } } })).toEqual({ ...NONE, source: SOURCE });
});

test('unions are tried once each: what has many takes no longer', async () => {
  const branches = ['a', 'b', 'c', 'd'].map((name) => ({ required: [name] }));
  const pattern = '^(?=.*[A-Z])(?=.*\\d)(?!.*A1)[^a-z]{9,}(?<=Z#7)$';
  const { defects } = await tried({
    '/a': operation('addA', { ...object({ type: 'string', pattern }), oneOf: branches, anyOf: branches }),
  });
  expect(Object.keys(defects)).toEqual(['addA']);
});

const nested = (next: object, name = 'a') => ({ type: 'object', required: [name], properties: { [name]: next } });

/** Whether a request can be made, of the schema that the branches lead to, if that is a text; and whether it is proved that none can, if not. */
test.each<[name: string, twice: (next: object) => readonly object[], isMade: boolean, isRefused: boolean]>([
  ['the same schema', (next) => [next, next], false, true],
  ['properties of one name', (next) => [nested(next), nested(next)], false, true],
  ['properties of two names', (next) => [nested(next), nested(next, 'b')], true, true],
  ['optional properties', (next) => ['a', 'b'].map((name) => ({ properties: { [name]: next } })), false, false],
  ['lists', (next) => ['a', 'b'].map((title) => ({ title, type: 'array', minItems: 1, items: next })), false, true],
  ['kinds', (next) => ['a', 'b'].map((kind) => ({ required: ['kind', 'a'], properties: { a: next, kind: { const: kind } } })), true, true],
])('branches that lead to one schema, 24 levels deep, are tried within a second: %s', async (_name, twice, isMade, isRefused) => {
  for (const [last, isText] of [
    [{ type: 'string' }, true],
    [{ type: 'string', minLength: 3, maxLength: 2 }, false],
  ] as const) {
    const schemas = Object.fromEntries(
      Array.from({ length: 24 }, (_, i) => [`X${i}`, i === 23 ? last : { oneOf: twice({ $ref: `#/components/schemas/X${i + 1}` }) }]),
    );
    const start = process.cpuUsage();
    const { unreachable, defects } = await tried({ '/a': operation('addA', { $ref: '#/components/schemas/X0' }) }, { schemas });
    expect(process.cpuUsage(start).user).toBeLessThan(1e6);
    const why = { isProved: Object.keys(unreachable).length > 0, isDefect: Object.keys(defects).length > 0 };
    expect(why).toEqual({ isProved: isRefused && !(isMade && isText), isDefect: !isRefused });
  }
});

test('an object that is spread over the query may be empty, though it is required', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const get = { operationId: 'getA', parameters: [{ name: 'options', in: 'query', required: true, schema }], responses };
  expect(await tried({ '/a': { get } })).toEqual({ ...NONE, source: SOURCE });
});

test('a body that is required may be empty where a form is, and comes with any method', async () => {
  const form = { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: { type: 'string' } } } } };
  const requestBody = { required: true, content: form };
  const json = { required: true, content: { 'application/json': { schema: closed('a') } } };
  expect(
    await tried({
      '/a': { post: { operationId: 'addA', requestBody, responses }, get: { operationId: 'getA', requestBody: json, responses } },
    }),
  ).toEqual({ ...NONE, source: SOURCE });
});

test('exempts what the contract says that the service sends, until something sends it', () => {
  const post = { requestBody: { content: { 'application/json': {} } }, responses };
  const callbacks = { done: { '{$request.query.url}': { post } } };
  const paths = { '/a': { post: { operationId: 'addA', callbacks, responses } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, webhooks: { 'a.sold': { post } }, paths });
  const source = parseSource('openapi.json', text);
  expect(outgoingExemptions(source)).toEqual({ 'webhook aSold': 'nothing sends it yet', 'callback done': 'nothing sends it yet' });
  expect(unsentOutgoing(source).map(({ feature }) => feature)).toEqual(['the webhook aSold', 'the callback done']);
});
