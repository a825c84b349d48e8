/** The project rules read the words of OpenAPI 3.1, and report what it no longer knows. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';
import { GOOD, lintProblems } from './support/lint.ts';

const NAME = '        name: { type: string }\n';
const GOOD_31 = GOOD.replace('3.0.3', '3.1.0').replace('type: string, nullable: true, enum', "type: [string, 'null'], enum");

/** The problems of a document with this property of `Thing`: their rules and messages, each at the line of the property. */
function problemsOf(property: string): string[] {
  expect(GOOD_31).toContain(NAME);
  const text = GOOD_31.replace(NAME, () => `${NAME}        more: ${property}\n`);
  const line = text.slice(0, text.indexOf('        more: ')).split('\n').length;
  return lintProblems(text).map((problem) => {
    expect(problem).toMatch(new RegExp(`^${line} `));
    return problem.replace(/^\d+ /, '');
  });
}

test('reports nothing in a document without mistakes', () => {
  expect(lintProblems(GOOD_31)).toEqual([]);
});

test.each([
  ["{ type: [string, 'null'] }"],
  ['{ type: string, const: a }'],
  ["{ anyOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }] }"],
  ["{ oneOf: [{ type: string }, { type: 'null' }] }"],
  ["{ oneOf: [{ allOf: [{ type: string }] }, { type: 'null' }] }"],
  ['{ type: integer, exclusiveMinimum: 0, exclusiveMaximum: 2 }'],
  ['{ type: string, maxLength: 1, examples: [a, b] }'],
  ["{ type: object, patternProperties: { '^[a-z]$': { type: string } } }"],
  [
    "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }, { type: 'null' }], discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } } }",
  ],
])('accepts %s', (property) => {
  expect(problemsOf(property)).toEqual([]);
});

test.each([
  ["{ type: [string, 'null'], enum: [a, b] }", /^nullable-enum: nullable, but null is not in the enum/],
  ['{ type: string, const: 5 }', /^valid-enum: 5 must be string/],
  ['{ type: integer, exclusiveMinimum: 5, exclusiveMaximum: 4 }', /^bounds: exclusiveMinimum 5 is greater than exclusiveMaximum 4/],
  ['{ type: number, minimum: 5, exclusiveMaximum: 5 }', /^bounds: minimum and maximum are 5, and one of them is exclusive/],
  ['{ type: string, maxLength: 1, examples: [a, bc] }', /^valid-example: .*more than 1 char/],
  ["{ type: [object, 'null'] }", /^empty-object: /],
  ["{ patternProperties: { '^[a-z]$': { type: string } } }", /^untyped-object: patternProperties without type/],
  ["{ type: object, patternProperties: { '^([a-z]+)+$': { type: string } } }", /^exponential-pattern: /],
  ["{ type: [integer, 'null'], format: int64 }", /^int64-maximum: /],
  ['{ oneOf: [{ const: a }, { enum: [a, b] }] }', /^one-of-overlap: /],
  ['{ type: string, nullable: true }', /^no-nullable: nullable has no meaning/],
])('reports %s', (property, message) => {
  expect(problemsOf(property)).toEqual([expect.stringMatching(message)]);
});

test('the fix of a leftover nullable is the list of types', () => {
  const text = GOOD_31.replace(NAME, () => `${NAME}        more: { type: string, nullable: true }\n`);
  const found = checkProjectRules(parseSource('test.yaml', text), {});
  expect(found.map(({ problem }) => problem.fix)).toEqual(["Write type: [string, 'null'], and remove nullable."]);
});

test('nullable is no problem in OpenAPI 3.0', () => {
  expect(lintProblems(GOOD.replace(NAME, () => `${NAME}        more: { type: string, nullable: true }\n`))).toEqual([]);
});
