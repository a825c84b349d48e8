/** A keyword that refuses examples is one problem with their number, not one for each example. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { rankCauses } from '../../src/lint/lint-spec.ts';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';

const spec = (name: string, pet: string) => `openapi: 3.0.3
info: { title: Test, version: '1' }
paths: {}
components:
  schemas:
    Name:
      type: string
      ${name}
      example: Rex
    Pet:
      type: object
      properties:
        name: { $ref: '#/components/schemas/Name' }
        names: { type: array, items: { allOf: [{ $ref: '#/components/schemas/Name' }] } }
      ${pet}
      example: { name: Bob }
    Pets:
      type: array
      items: { $ref: '#/components/schemas/Pet' }
      example: [{ name: Ada, names: [Eve] }]
`;

function ranked(name: string, pet: string): string[] {
  const source = parseSource('spec.yaml', spec(name, pet));
  const rules = ['valid-example', 'exponential-pattern', 'required-default'];
  const found = checkProjectRules(source, {}, undefined, ({ name: rule }) => rules.includes(rule));
  return rankCauses(found, (path) => source.locate(path).line).map(
    ({ rule, problem }) => `${source.locate(problem.path).line} ${problem.message} (${rule.name})`,
  );
}

test('a problem of the pattern counts the examples that it refuses, wherever they are', () => {
  expect(ranked("pattern: '^([a-z]+)+$'", 'required: [name]')).toEqual([
    expect.stringMatching(/^8 the pattern takes exponential time, .*; it refuses 3 examples \(exponential-pattern\)$/),
  ]);
});

test('several examples that one keyword refuses are one problem there; another keyword is another problem', () => {
  expect(ranked("pattern: '^[a-z]+$'", 'required: [name]')).toEqual([
    '8 pattern refuses 3 examples, the first in line 9: the example must match pattern "^[a-z]+$" (valid-example)',
  ]);
  expect(ranked('maxLength: 3', 'required: [names]')).toEqual(["16 the example must have required property 'names' (valid-example)"]);
});

test('one example is named itself', () => {
  expect(ranked('enum: [Bob, Ada, Eve]', 'required: [name]')).toEqual([
    '9 the example must be equal to one of the allowed values: Bob, Ada, Eve (valid-example)',
  ]);
});
