/** Which schema accepts all values of another one, at the bounds, and of schemas that contain each other. */
import { expect, test } from '@jest/globals';
import { parseSource, type Document, type Schema } from '@specwright/contract/document';
import { ValueSets } from '@specwright/contract/proofs';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** Two schemas of these names that contain each other. */
const circle = ([a, b]: readonly [string, string], text: object): Document =>
  parseSource(
    'circle.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: {},
      components: {
        schemas: {
          [a]: { type: 'object', properties: { b: ref(b), text: { type: 'string', ...text } } },
          [b]: { type: 'object', properties: { a: ref(a) } },
        },
      },
    }),
  ).document;
/** What a schema says of a property. */
const property = (document: Document, name: string, key: 'a' | 'b'): Schema =>
  (document.components?.schemas?.[name] as { properties: Readonly<Record<'a' | 'b', Schema>> }).properties[key];

const list = { type: 'array', items: { type: 'string' } };
const object = (properties: object) => ({ type: 'object', properties });

test.each<[string, object, object, boolean, ('sent' | 'received')?]>([
  ['no value', { not: {} }, { type: 'string' }, true],
  ['no value, by true', { not: true }, { type: 'string' }, true],
  ['some values', { not: { type: 'object' } }, { type: 'string' }, false],
  ['values of at least a length', { enum: ['abc'] }, { type: 'string', minLength: 3 }, true],
  ['a value that is shorter', { enum: ['ab', 'abc'] }, { type: 'string', minLength: 3 }, false],
  ['numbers of at least a bound', { enum: [3, 4] }, { type: 'integer', minimum: 3 }, true],
  ['a number that is less', { enum: [2, 3] }, { type: 'integer', minimum: 3 }, false],
  ['one item, which is unique', { ...list, maxItems: 1 }, { ...list, uniqueItems: true }, true],
  ['two items', { ...list, maxItems: 2 }, { ...list, uniqueItems: true }, false],
  ['no second item', { ...list, maxItems: 1 }, { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }, true],
  ['a second item of another type', { ...list, maxItems: 2 }, { type: 'array', prefixItems: [{}, { type: 'integer' }] }, false],
  ['a property that a closed object refuses', object({ a: {} }), { type: 'object', additionalProperties: false }, false],
  [
    'a new property, which clients ignore',
    { ...object({ a: {} }), additionalProperties: false },
    { type: 'object', additionalProperties: false },
    true,
    'received',
  ],
  [
    'a new property of another type than the others',
    { ...object({ a: { type: 'integer' } }), additionalProperties: false },
    { type: 'object', additionalProperties: { type: 'string' } },
    false,
    'received',
  ],
])('%s', (_, narrow, wide, expected, side = 'sent') => {
  const { document } = parseSource('empty.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }));
  expect(new ValueSets(document, document, side, () => undefined).accepts(narrow as Schema, wide as Schema)).toBe(expected);
});

test.each([
  ['nothing that was proved by a schema which turned out to be narrower', { maxLength: 3 }, false],
  ['schemas of other names that say the same', {}, true],
])('of two schemas that contain each other: %s', (_, text, expected) => {
  const [narrow, wide] = [circle(['A', 'B'], {}), circle(['A2', 'B2'], text)];
  const sets = new ValueSets(narrow, wide, 'sent', () => undefined);
  expect(sets.accepts(property(narrow, 'B', 'a'), property(wide, 'B2', 'a'))).toBe(expected);
  expect(sets.accepts(property(narrow, 'A', 'b'), property(wide, 'A2', 'b'))).toBe(expected);
});
