/** Our types are those of openapi-typescript, of each document of the repository and of each row of schemas, but for what it gets wrong. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Document, type SourceDocument, parseSource, resolve } from '@specwright/contract/document';
import { type GlobalContext, type OpenAPI3, astToString, transformSchema } from 'openapi-typescript';
import { openapiTypes } from '../../src/generate/openapi-types.ts';
import { typesDocument } from '../../src/generate/types-document.ts';
import { SCHEMA_ROWS } from './support/schema-rows/index.ts';
import { SHARED_SCHEMAS } from './support/schema-rows/shared-schemas.ts';

const contextOf = (document: Document): GlobalContext =>
  ({
    readWriteMarkers: true,
    emptyObjectsUnknown: true,
    discriminators: { objects: {}, refsHandled: [] },
    resolve: ($ref: string) => resolve(document, { $ref }),
    injectFooter: [],
    silent: true,
  }) as unknown as GlobalContext;

const EMPTY = { openapi: '3.1.0', info: { title: 'Row', version: '1' }, paths: {} };

const theirs = ({ document, published }: SourceDocument): string => {
  const copy = typesDocument(document, published);
  return astToString(transformSchema(copy as OpenAPI3, contextOf(copy)));
};
const ours = (given: SourceDocument): string => openapiTypes(given).split('\n/** Where the bodies of requests have defaults. */')[0] ?? '';

const DOCUMENTS = [
  'spec/petstore.yaml',
  'packages/specwright/template/spec/openapi.yaml',
  'test/browser/streams.yaml',
  'test/gates/foreign/bookings.yaml',
  'test/gates/foreign/library.yaml',
  ...['express-beside', 'uploads', 'webhooks'].map((name) => `examples/${name}/openapi.yaml`),
  ...['library', 'scopes', 'weather'].map((name) => `packages/server/test/types/${name}/openapi.yaml`),
];

test.each(DOCUMENTS)('%s', (file) => {
  const given = parseSource(file, readFileSync(file, 'utf8'));
  expect(ours(given)).toBe(theirs(given));
});

/** Rows whose types of openapi-typescript accept what the validator refuses, refuse what it accepts, or do not compile. */
const WRONG = {
  'enum of lists': 'a list that is one of the values, not a list of them',
  'the schema false': 'any object',
  'an object that has no properties': 'any object',
  'properties, and other ones': 'no value: the properties are not numbers',
  'properties of a recursive schema, and other ones': 'no value',
  'a list that is empty': 'a list of any objects',
  'a list of lists by composition': 'a list of strings',
  prefixItems: 'exactly two items',
  'prefixItems with items false': 'exactly two items',
  'prefixItems with items': 'exactly one item',
  'prefixItems of objects in a list': 'exactly two items',
  'prefixItems beside a composition': 'exactly one item',
  'allOf with properties beside additionalProperties': 'no value',
  'a branch false': 'any object',
  'a $ref with siblings': 'requires the property of values that are no objects',
};

test('rows of schemas, each in a separate document', () => {
  expect(SCHEMA_ROWS.length).toBeGreaterThan(60);
  const differing = SCHEMA_ROWS.filter(({ schema }) => {
    const schemas = { ...SHARED_SCHEMAS, Row: schema };
    const given = parseSource('row.json', JSON.stringify({ ...EMPTY, components: { schemas } }));
    return ours(given) !== theirs(given);
  });
  expect(differing.map(({ name }) => name)).toEqual(Object.keys(WRONG));
});
