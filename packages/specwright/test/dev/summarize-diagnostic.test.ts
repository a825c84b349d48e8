/** An error of the compiler is one line that names the cause, however long the types are that it repeats. */
import { expect, test } from '@jest/globals';
import { summarizeDiagnostic } from '../../src/dev/compiler/compiler.ts';

const levels = (...texts: string[]) => texts.map((text, depth) => ({ text, depth }));
const LONG = `{ ${'property: string; '.repeat(60)}}`;

test.each<[string, string[], string]>([
  ['an error without causes', ["Type '304' is not assignable to type '200'."], "Type '304' is not assignable to type '200'."],
  [
    'a status that is not declared, with those that are',
    ["Argument of type '202' is not assignable to parameter of type '401 | 400 | ... 3 more ... | 204'."],
    '202 is not one of 204, 400, 401, ... 3 more ...',
  ],
  ['the only status that there is', ["Argument of type '202' is not assignable to parameter of type '204'."], '202 is not one of 204'],
  [
    'the last cause, with the properties that lead to it',
    [
      `Argument of type '${LONG}' is not assignable to parameter of type '${LONG}'.`,
      "The types of 'body.owner' are incompatible between these types.",
      "Types of property 'name' are incompatible.",
      "Type 'number' is not assignable to type 'string'.",
    ],
    "body.owner.name: Type 'number' is not assignable to type 'string'.",
  ],
  [
    'a missing property, without the types in full',
    [`Type '${LONG}' is not assignable.`, `Property 'shelf' is missing in type '${LONG}' but required in type '${LONG}'.`],
    `Property 'shelf' is missing in type '${LONG.slice(0, 49)}…' but required in type '${LONG.slice(0, 49)}…'.`.slice(0, 139),
  ],
])('%s', (_, texts, expected) => {
  const line = summarizeDiagnostic(levels(...texts));
  expect(line.startsWith(expected)).toBe(true);
  expect(line.length).toBeLessThanOrEqual(140);
  expect(line).not.toContain('\n');
});

test('of several overloads the last one counts', () => {
  const causes = [
    { text: 'No overload matches this call.', depth: 0 },
    { text: "Overload 1 of 2, '(a: string): void', gave the following error.", depth: 1 },
    { text: "Types of property 'x' are incompatible.", depth: 2 },
    { text: "Type '1' is not assignable to type '2'.", depth: 3 },
    { text: "Overload 2 of 2, '(a: number): void', gave the following error.", depth: 1 },
    { text: "Type '3' is not assignable to type '4'.", depth: 2 },
  ];
  expect(summarizeDiagnostic(causes)).toBe("Type '3' is not assignable to type '4'.");
});
