/** A document's integers that a number cannot hold exactly: the neighbour would be accepted in their place. */
import { expect, test } from '@jest/globals';
import { parseSource } from '../src/reading/source-document.ts';

const HEAD = "openapi: 3.0.3\ninfo: { title: Test, version: '1' }\npaths: {}\n";
const read = (schema: string) => parseSource('test.yaml', `${HEAD}components:\n  schemas:\n    N: ${schema}\n`);

test.each([
  ['{ type: integer, enum: [1, 9007199254740993] }', 'enum 9007199254740993'],
  ['{ type: integer, const: 9007199254740993 }', 'const 9007199254740993'],
  ['{ type: integer, const: 9007199254740993.0 }', 'const 9007199254740993.0'],
  ['{ type: integer, format: int64, x-int64: bigint, enum: [9223372036854775807] }', 'enum 9223372036854775807'],
  ['{ type: integer, multipleOf: 9007199254740993 }', 'multipleOf 9007199254740993'],
])('%s is a problem with its place', (schema, named) => {
  expect(() => read(schema)).toThrow(`test.yaml: 1 problem\n  test.yaml:6:`);
  expect(() => read(schema)).toThrow(`${named} is an integer that a number cannot hold exactly, and would be`);
});

test('also where the document is JSON, or in a file that it refers to', () => {
  const json = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: { N: { const: 'N' } } },
  });
  expect(() => parseSource('test.json', json.replace('"N"}', '9007199254740993}'))).toThrow('const 9007199254740993 is');
  const root = `${HEAD}components: { schemas: { N: { $ref: n.yaml } } }\n`;
  expect(() => parseSource('test.yaml', root, { read: () => '{ enum: [9007199254740993] }' })).toThrow(
    /n\.yaml:1:10 enum 9007199254740993 is/,
  );
});

test.each([
  '{ type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807 }',
  '{ type: integer, enum: [9007199254740992, 9007199254740994] }',
  '{ type: number, enum: [0.1, 0.30000000000000004, 1e21, 3.141592653589793238] }',
  "{ type: string, enum: ['9007199254740993'] }",
  '{ type: object, example: { const: 9007199254740993 } }',
])('%s is read', (schema) => expect(() => read(schema)).not.toThrow());
