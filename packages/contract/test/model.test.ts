/** The model of a document: JSON Schema 2020-12, whatever version of OpenAPI it was written in. */
import { describe, expect, test } from '@jest/globals';
import type { Document } from '../src/document/openapi.ts';
import { modelOf } from '../src/schema/model-of.ts';

const documentOf = (openapi: string, schemas: Record<string, unknown>): Document => ({
  openapi,
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas: schemas as never },
});
const rewritten = (openapi: string, schema: unknown, others: Record<string, unknown> = {}) =>
  modelOf(documentOf(openapi, { A: schema, ...others })).components?.schemas?.['A'];

describe('OpenAPI 3.0', () => {
  test.each<[what: string, given: unknown, model: unknown]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }],
    ['nullable with an enum without null', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a'] }],
    [
      'nullable of a composition',
      { nullable: true, allOf: [{ $ref: '#/components/schemas/B' }], description: 'd' },
      { description: 'd', anyOf: [{ type: 'null' }, { allOf: [{ $ref: '#/components/schemas/B' }] }] },
    ],
    ['nullable alone', { nullable: true, description: 'd' }, { description: 'd' }],
    ['nullable properties without a type', { nullable: true, properties: {} }, { type: ['object', 'null'], properties: {} }],
    ['exclusive bounds', { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }, { exclusiveMinimum: 1, maximum: 9 }],
    ['an exclusive bound without a bound', { exclusiveMinimum: true }, {}],
    ['an example', { type: 'string', example: 'x' }, { type: 'string', examples: ['x'] }],
    ['what is beside a $ref', { $ref: '#/components/schemas/B', allOf: {}, nullable: true }, { $ref: '#/components/schemas/B' }],
    ['properties without a type', { properties: { a: { type: 'string' } } }, { type: 'object', properties: { a: { type: 'string' } } }],
    ['properties in not', { not: { properties: { a: {} } } }, { not: { properties: { a: {} } } }],
    [
      'properties in a branch of a typed schema',
      { type: 'object', anyOf: [{ properties: { a: {} } }] },
      { type: 'object', anyOf: [{ properties: { a: {} } }] },
    ],
  ])('%s', (_, given, model) => {
    expect(rewritten('3.0.3', given)).toEqual(model);
  });

  test('what does not change is shared', () => {
    const document = documentOf('3.0.3', { A: { type: 'string' }, B: { type: 'array', items: { type: 'string', nullable: true } } });
    const model = modelOf(document);
    expect(model.components?.schemas?.['A']).toBe(document.components?.schemas?.['A']);
    expect(model.paths).toBe(document.paths);
    expect(document.components?.schemas?.['B']).toEqual({ type: 'array', items: { type: 'string', nullable: true } });
    expect(modelOf(document)).toBe(model);
  });
});

describe('OpenAPI 3.1', () => {
  const reference = { $ref: '#/components/schemas/B' };
  test.each<[what: string, given: unknown, model: unknown]>([
    ['a description beside a $ref', { ...reference, description: 'd' }, reference],
    ['a keyword beside a $ref', { ...reference, minLength: 1 }, { minLength: 1, allOf: [reference] }],
    ['a $ref keeps the places in allOf', { ...reference, allOf: [{ minLength: 1 }] }, { allOf: [{ minLength: 1 }, reference] }],
    [
      'a type or null',
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], title: 't' },
      { title: 't', type: ['string', 'null'], minLength: 1 },
    ],
    ['an enum or null', { oneOf: [{ type: 'null' }, { type: 'string', enum: ['a'] }] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['a reference or null', { anyOf: [reference, { type: 'null' }] }, { anyOf: [reference, { type: 'null' }] }],
    [
      'booleans',
      { properties: { a: true, b: false }, items: false, additionalProperties: false },
      { type: 'object', properties: { a: {}, b: { not: {} } }, items: { not: {} }, additionalProperties: false },
    ],
    ['nullable means nothing', { type: 'string', nullable: true }, { type: 'string', nullable: true }],
  ])('%s', (_, given, model) => {
    expect(rewritten('3.1.0', given)).toEqual(model);
  });

  test('references by identifier become JSON pointers', () => {
    const { components } = modelOf(
      documentOf('3.1.0', {
        A: {
          $id: 'https://example.com/tree',
          $anchor: 'top',
          properties: { child: { $ref: '#top' }, name: { $ref: '#/$defs/Name' } },
          $defs: { Name: {} },
        },
        B: {
          properties: {
            a: { $ref: 'https://example.com/tree' },
            b: { $ref: 'https://example.com/tree#/$defs/Name' },
            c: { $ref: 'https://example.com/tree#top' },
          },
        },
        C: { properties: { unknown: { $ref: 'https://example.com/other' } } },
      }),
    );
    expect(components?.schemas).toMatchObject({
      A: { properties: { child: { $ref: '#/components/schemas/A' }, name: { $ref: '#/components/schemas/A/%24defs/Name' } } },
      B: {
        properties: {
          a: { $ref: '#/components/schemas/A' },
          b: { $ref: '#/components/schemas/A/%24defs/Name' },
          c: { $ref: '#/components/schemas/A' },
        },
      },
      C: { properties: { unknown: { $ref: 'https://example.com/other' } } },
    });
  });

  test('a pointer within a schema with an $id starts there, not in the schema before it', () => {
    const schema = (name: string) => ({
      $id: `https://example.com/${name}`,
      properties: { n: { $ref: '#/$defs/N' } },
      $defs: { N: {} },
    });
    const { components } = modelOf(documentOf('3.1.0', { A: schema('a'), B: schema('b') }));
    for (const name of ['A', 'B'])
      expect(components?.schemas?.[name]).toMatchObject({ properties: { n: { $ref: `#/components/schemas/${name}/%24defs/N` } } });
  });

  test('a pointer to $defs or definitions of an enclosing schema is found without any identifier', () => {
    for (const keyword of ['$defs', 'definitions']) {
      const { components } = modelOf(
        documentOf('3.1.0', { A: { type: 'array', items: { $ref: `#/${keyword}/B` }, [keyword]: { B: {} } } }),
      );
      expect(components?.schemas).toMatchObject({ A: { items: { $ref: `#/components/schemas/A/${encodeURIComponent(keyword)}/B` } } });
    }
  });

  test('a pointer to $defs of an enclosing schema, and one from the root within an $id, lead where they were meant to', () => {
    const { components } = modelOf(
      documentOf('3.1.0', {
        A: {
          type: 'array',
          items: { oneOf: [{ $ref: '#/$defs/B' }], discriminator: { propertyName: 'k', mapping: { b: '#/$defs/B' } } },
          $defs: { B: {} },
        },
        C: { $id: 'C', properties: { a: { $ref: '#/components/schemas/A' } } },
      }),
    );
    expect(components?.schemas).toMatchObject({
      A: {
        items: {
          oneOf: [{ $ref: '#/components/schemas/A/%24defs/B' }],
          discriminator: { mapping: { b: '#/components/schemas/A/%24defs/B' } },
        },
      },
      C: { properties: { a: { $ref: '#/components/schemas/A' } } },
    });
  });
});
