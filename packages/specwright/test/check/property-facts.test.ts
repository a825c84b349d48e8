/** What a property allows is read alike from OpenAPI 3.0 and 3.1, with the line of the keyword. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { propertyFacts, propertyNames } from '../../src/schema/property-facts.ts';

const factsOf = (property: string, version = '3.1.0') => {
  const text = `openapi: ${version}
info: { title: Test, version: '1' }
paths: {}
components:
  schemas:
    Id: { type: integer, format: int64, minimum: 1, maximum: 9007199254740991 }
    Thing: { type: object, required: [more], properties: { more: ${property} } }
`;
  const { document } = parseSource('test.yaml', text);
  expect(propertyNames(document, 'Thing')).toEqual(['more']);
  return propertyFacts(document, 'Thing', 'more');
};
const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: 9007199254740991 };

test.each([
  ["{ type: [integer, 'null'] }", { type: 'integer', nullable: true }],
  ['{ type: [integer] }', { type: 'integer', nullable: false }],
  ["{ anyOf: [{ $ref: '#/components/schemas/Id' }, { type: 'null' }] }", { ...ID, nullable: true }],
  ["{ oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Id' }] }", { ...ID, nullable: true }],
  ["{ $ref: '#/components/schemas/Id' }", { ...ID, nullable: false, required: true }],
  ['{ type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10 }', { minimum: 1, maximum: 9 }],
  ['{ type: string, const: a }', { enum: ['a'] }],
  ["{ type: [string, 'null'], enum: [a, null] }", { enum: ['a'], nullable: true }],
  // Of two alternatives none is the property.
  ['{ anyOf: [{ type: integer }, { type: string }] }', { type: 'any', nullable: false }],
])('of %s in OpenAPI 3.1', (property, facts) => {
  expect(factsOf(property)).toMatchObject(facts);
});

test.each([
  ['{ type: integer, nullable: true }', { type: 'integer', nullable: true }],
  ["{ nullable: true, allOf: [{ $ref: '#/components/schemas/Id' }] }", { ...ID, nullable: true }],
  ['{ type: integer, minimum: 0, exclusiveMinimum: true }', { minimum: 1 }],
  ['{ type: integer, format: int64 }', { minimum: -(2 ** 63), maximum: 2 ** 63 }],
  ['{ type: integer, format: int64, x-int64: bigint }', { minimum: -(2 ** 63), maximum: 2 ** 63 }],
])('of %s in OpenAPI 3.0', (property, facts) => {
  expect(factsOf(property, '3.0.3')).toMatchObject(facts);
});

test('name the path of the keyword, in a reference too', () => {
  const facts = factsOf("{ anyOf: [{ $ref: '#/components/schemas/Id' }, { type: 'null' }] }");
  expect(facts?.pathOf('maximum')).toEqual(['components', 'schemas', 'Id', 'maximum']);
  expect(factsOf('{ const: a }')?.pathOf('enum').at(-1)).toBe('const');
  expect(facts?.pathOf('required')).toEqual(facts?.path);
});
