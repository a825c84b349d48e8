/** What leaves the server of a value: the properties that its schema declares, and no others. */
import { expect, test } from '@jest/globals';
import type { Document, Schema } from '../src/contract/openapi.ts';
import { createStripUndeclared } from '../src/contract/strip-undeclared.ts';

const document = {
  components: {
    schemas: {
      Name: { type: 'object', properties: { name: { type: 'string' } } },
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      },
      Secret: { type: 'string', writeOnly: true },
    },
  },
} as unknown as Document;

test.each<[name: string, schema: Schema, value: unknown, projected: unknown]>([
  ['declared properties only', { properties: { a: {} } }, { a: 1, secret: 2 }, { a: 1 }],
  ['within lists', { type: 'array', items: { properties: { a: {} } } }, [{ a: 1, secret: 2 }], [{ a: 1 }]],
  ['within properties', { properties: { a: { properties: { b: {} } } } }, { a: { b: 1, secret: 2 } }, { a: { b: 1 } }],
  [
    'all parts of allOf',
    { allOf: [{ $ref: '#/components/schemas/Name' }, { properties: { id: {} } }] },
    { id: 1, name: 'x', secret: 2 },
    { id: 1, name: 'x' },
  ],
  ['all branches of oneOf', { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, { a: 1, b: 2, secret: 3 }, { a: 1, b: 2 }],
  ['a map stays whole', { type: 'object' }, { any: 1 }, { any: 1 }],
  ['a map of objects is projected', { additionalProperties: { properties: { a: {} } } }, { x: { a: 1, secret: 2 } }, { x: { a: 1 } }],
  [
    'properties and a map',
    { properties: { a: { properties: { b: {} } } }, additionalProperties: true },
    { a: { b: 1, c: 2 }, d: 3 },
    { a: { b: 1 }, d: 3 },
  ],
  ['an object without properties', { type: 'object', additionalProperties: false }, { a: 1 }, {}],
  ['writeOnly never leaves', { properties: { a: {}, p: { $ref: '#/components/schemas/Secret' } } }, { a: 1, p: 2 }, { a: 1 }],
  [
    'recursion',
    { $ref: '#/components/schemas/Tree' },
    { name: 'a', x: 1, children: [{ name: 'b', x: 1, children: [] }] },
    { name: 'a', children: [{ name: 'b', children: [] }] },
  ],
  ['null and scalars', { properties: { a: {} } }, null, null],
])('%s', (_name, schema, value, projected) => {
  expect(createStripUndeclared(document)(schema)(value)).toEqual(projected);
});
