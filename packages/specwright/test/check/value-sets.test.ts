/** Proofs of schemas that contain each other: what was taken for proved and is not proves nothing else. */
import { expect, test } from '@jest/globals';
import { parseSource, type Document, type Schema } from '@specwright/contract/document';
import { ValueSets } from '../../src/compare/value-sets.ts';

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

test.each([
  ['nothing that was proved by a schema which turned out to be narrower', { maxLength: 3 }, false],
  ['schemas of other names that say the same', {}, true],
])('of two schemas that contain each other: %s', (_, text, expected) => {
  const [narrow, wide] = [circle(['A', 'B'], {}), circle(['A2', 'B2'], text)];
  const sets = new ValueSets(narrow, wide, 'sent', () => undefined);
  expect(sets.accepts(property(narrow, 'B', 'a'), property(wide, 'B2', 'a'))).toBe(expected);
  expect(sets.accepts(property(narrow, 'A', 'b'), property(wide, 'A2', 'b'))).toBe(expected);
});
