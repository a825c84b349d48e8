/** Which properties of a value are sent: those that its schema declares, and no others. */
import { expect, test } from '@jest/globals';
import type { Document } from '../src/document/openapi.ts';
import { createStripUndeclared } from '../src/responses/sent-value.ts';

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

test.each<[name: string, schema: object, value: unknown, sent: unknown]>([
  ['removes undeclared properties', { properties: { a: {} } }, { a: 1, secret: 2 }, { a: 1 }],
  ['removes them in lists', { type: 'array', items: { properties: { a: {} } } }, [{ a: 1, secret: 2 }], [{ a: 1 }]],
  ['removes them in properties', { properties: { a: { properties: { b: {} } } } }, { a: { b: 1, secret: 2 } }, { a: { b: 1 } }],
  [
    'keeps the properties of all parts of allOf',
    { allOf: [{ $ref: '#/components/schemas/Name' }, { properties: { id: {} } }] },
    { id: 1, name: 'x', secret: 2 },
    { id: 1, name: 'x' },
  ],
  [
    'keeps the properties of all branches of oneOf',
    { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    { a: 1, b: 2, secret: 3 },
    { a: 1, b: 2 },
  ],
  ['keeps what is required without a schema', { required: ['b'], properties: { a: {} } }, { a: 1, b: 2, c: 3 }, { a: 1, b: 2 }],
  ['keeps a map', { type: 'object' }, { any: 1 }, { any: 1 }],
  ['removes them in the values of a map', { additionalProperties: { properties: { a: {} } } }, { x: { a: 1, secret: 2 } }, { x: { a: 1 } }],
  [
    'keeps additional properties of an open schema',
    { properties: { a: { properties: { b: {} } } }, additionalProperties: true },
    { a: { b: 1, c: 2 }, d: 3 },
    { a: { b: 1 }, d: 3 },
  ],
  ['removes everything from an object without properties', { type: 'object', additionalProperties: false }, { a: 1 }, {}],
  ['removes writeOnly properties', { properties: { a: {}, p: { $ref: '#/components/schemas/Secret' } } }, { a: 1, p: 2 }, { a: 1 }],
  [
    'removes writeOnly properties of an open schema',
    { properties: { p: { type: 'string', writeOnly: true } }, additionalProperties: true },
    { a: 1, p: 2 },
    { a: 1 },
  ],
  [
    'follows a recursive schema',
    { $ref: '#/components/schemas/Tree' },
    { name: 'a', x: 1, children: [{ name: 'b', x: 1, children: [] }] },
    { name: 'a', children: [{ name: 'b', children: [] }] },
  ],
  ['keeps null', { properties: { a: {} } }, null, null],
])('%s', (_name, schema, value, sent) => {
  expect(createStripUndeclared(document)(schema)(value).value).toEqual(sent);
});
