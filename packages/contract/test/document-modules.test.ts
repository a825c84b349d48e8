/** A contract is loaded with the modules that its document needs: with these it is what it is with all of them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ALL_MODULES } from '../src/all-modules.ts';
import { toContract } from '../src/create-contract.ts';
import { type DocumentModules, loadModules, moduleOf } from '../src/document-modules.ts';
import { type Document, isObject, operationTable } from '../src/document.ts';
import { buildModel } from '../src/schema/build-model.ts';
import { createCompiler } from '../src/schema/schema-compiler.ts';
import { documentOf } from './support/contract.ts';

const documentWith = (X: unknown, openapi = '3.1.0'): Document =>
  ({ openapi, info: { title: 'Test', version: '1' }, paths: {}, components: { schemas: { X } } }) as unknown as Document;

const { files } = JSON.parse(readFileSync('packages/server/test/fixtures/json-schema-2020-12.json', 'utf8')) as {
  files: Readonly<Record<string, readonly { readonly schema: unknown; readonly tests: readonly { readonly data: unknown }[] }[]>>;
};

/** The verdicts and problems of values, or why there are none. */
function resultsOf(given: Document, modules: DocumentModules, values: readonly unknown[]): unknown {
  try {
    const model = buildModel(structuredClone(given), modules);
    const validate = createCompiler(model, modules, 'request')('#/components/schemas/X');
    return [model, values.map((value) => [validate(structuredClone(value)), validate.errors])];
  } catch (error) {
    return String(error);
  }
}

test.each(Object.entries(files))('with the modules of its document, a schema of %s does the same', async (_, groups) => {
  for (const { schema, tests } of groups) {
    const values = tests.map(({ data }) => data);
    for (const X of [schema, isObject(schema) ? { $id: 'https://suite.example/schema', ...schema } : schema]) {
      const document = documentWith(X);
      expect(resultsOf(document, await loadModules(document), values)).toEqual(resultsOf(document, ALL_MODULES, values));
    }
  }
});

test.each<[string, object]>([
  ['a property', { properties: { additionalProperties: false }, additionalProperties: false }],
  [
    'a definition',
    { $defs: { additionalProperties: false }, properties: { a: { $ref: '#/components/schemas/X/$defs/additionalProperties' } } },
  ],
])('%s that is named as a keyword and refuses all values has what refuses them', async (_, X) => {
  const document = documentWith(X);
  const values = [{ additionalProperties: 1 }, { a: 1 }, {}];
  expect(resultsOf(document, await loadModules(document), values)).toEqual(resultsOf(document, ALL_MODULES, values));
});

test('that objects have no other properties takes no module', async () => {
  expect(await loadModules(documentWith({ properties: { a: { additionalProperties: false } }, additionalProperties: false }))).toEqual({});
});

const CHILD = { allOf: [{ $ref: '#/components/schemas/X' }, { properties: { tag: { enum: ['b'] } } }] };

test.each<[string, object]>([
  ['nullable', { properties: { a: { nullable: true, enum: ['a'] } } }],
  ['readOnly and default', { properties: { a: { readOnly: true }, b: { type: 'integer', default: 1, 'x-int64': 'bigint' } } }],
  ['a parent', { type: 'object', required: ['tag'], properties: { tag: { type: 'string' } }, discriminator: { propertyName: 'tag' } }],
  ['__proto__', { type: 'object', properties: JSON.parse('{ "__proto__": { "type": "integer" } }') as object }],
])('the model of 3.0 has what its document means: %s', async (_, X) => {
  const document = documentWith(X, '3.0.3');
  Object.assign((document.components as { schemas: object }).schemas, { Child: CHILD });
  const values = [{ a: 'a', b: 1, tag: 'Child' }, { a: null, tag: 'c' }, JSON.parse('{ "__proto__": "a" }'), 1];
  expect(resultsOf(document, await loadModules(document), values)).toEqual(resultsOf(document, ALL_MODULES, values));
});

const OPERATIONS: readonly [name: string, yaml: string, modules: readonly string[]][] = [
  ['a contract with none of them', '{ get: { operationId: op, responses: { 200: { description: ok } } } }', []],
  [
    'a form with files',
    '{ post: { operationId: op, responses: {}, requestBody: { content: { Multipart/form-data; a=b: { schema: { properties: { a: {} } } } } } } }',
    ['multipart'],
  ],
  [
    'a query as a whole',
    '{ get: { operationId: op, responses: {}, parameters: [{ name: q, in: querystring, content: { application/json: { schema: { type: object } } } }] } }',
    ['wholeQuery'],
  ],
  [
    'items',
    '{ post: { operationId: op, responses: {}, requestBody: { content: { application/jsonl: { x-item-schema: { type: string } } } } } }',
    ['itemBodies', 'sentItems'],
  ],
  [
    'items as OpenAPI 3.2 declares them',
    '{ post: { operationId: op, responses: {}, requestBody: { content: { application/jsonl: { itemSchema: { type: string } } } } } }',
    ['itemBodies', 'sentItems'],
  ],
  [
    'events whose data has a schema',
    '{ get: { operationId: op, responses: { 200: { description: ok, content: { text/event-stream: { itemSchema: { properties: { data: { type: string, contentSchema: { type: integer } } } } } } } } } }',
    ['eventData', 'itemBodies', 'sentItems'],
  ],
];

test.each(OPERATIONS)('%s', async (_, yaml, expected) => {
  const document = documentOf(`paths: { /things: ${yaml} }`);
  const loaded = await loadModules(document);
  expect(Object.keys(loaded).sort()).toEqual(expected);
  const describe = (modules: DocumentModules) => {
    const table = operationTable(document);
    const given = { file: 'test.yaml', published: structuredClone(document), toYaml: undefined, dates: undefined };
    const [operation] = toContract(given, table, modules).operations;
    const { multipart, hasItems, itemTypes, schemas } = operation as NonNullable<typeof operation>;
    return { multipart, hasItems, itemTypes, purposes: schemas.map(({ purpose }) => purpose) };
  };
  expect(describe(loaded)).toEqual(describe(ALL_MODULES));
});

/** What applies a schema to a value beside another one, or to one of its parts beside another one. */
const BESIDE = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'contains', 'propertyNames', 'patternProperties'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', 'discriminator'],
];

test.each([
  ...BESIDE.map((name) => [name, { [name]: {} }] as const),
  ['$ref', { $ref: '#/components/schemas/Y', minProperties: 1 }] as const,
])('a document with %s has what bounds the work of its validators', async (_, X) => {
  expect(Object.keys(await loadModules(documentWith(X)))).toEqual(expect.arrayContaining(['repeated', 'verdicts']));
});

test('a module that a document was loaded without is an error, not a check that is left out', () => {
  const modules = {};
  expect(() => moduleOf(modules, 'patterns')).toThrow('the document was loaded without the module patterns');
  expect(() => createCompiler(documentWith({ type: 'string', pattern: '^a' }), modules)('#/components/schemas/X')).toThrow(
    'without the module patterns',
  );
});
