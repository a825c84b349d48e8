/** Patterns that take exponential time are reported with a text; those that are not proven linear need a maxLength; patterns without anchors are reported where they are meant for the whole. */
import { expect, test } from '@jest/globals';
import { GOOD, lintProblems } from './support/lint.ts';

/** The problems of the document with this pattern. */
const problemsOf = (pattern: string) => lintProblems(GOOD.replace("'^[a-z]+$'", () => `'${pattern}'`));

test('a pattern that takes exponential time is reported', () => {
  expect(problemsOf('^([A-Za-z]+)+$')).toContainEqual(
    expect.stringContaining('exponential-pattern: the pattern takes exponential time, as on "A" 50 times, then "!"'),
  );
});

/** The linear-pattern problems of a document with this schema. */
const linearProblemsOf = (schema: string) =>
  lintProblems(GOOD.replace(/^ {4}Name: .*$/m, () => `    Name: ${schema}`)).filter((problem) => problem.includes('linear-pattern'));

test.each([
  String.raw`{ type: string, pattern: '^\S+@\S+\.\S+$' }`,
  String.raw`{ type: string, maxLength: 2001, pattern: '^\S+@\S+\.\S+$' }`,
  String.raw`{ type: object, patternProperties: { '^\S+@\S+\.\S+$': { type: string } } }`,
  String.raw`{ type: object, propertyNames: { pattern: '^\S+@\S+\.\S+$' } }`,
])('%s is not proven linear', (schema) => {
  const pattern = String.raw`^\S+@\S+\.\S+$`;
  expect(linearProblemsOf(schema)).toEqual([
    expect.stringMatching(/^\d+ linear-pattern: the pattern .* is not proven to take linear time$/),
  ]);
  expect(linearProblemsOf(schema)[0]).toContain(pattern);
});

test.each([
  String.raw`{ type: string, maxLength: 2000, pattern: '^\S+@\S+\.\S+$' }`,
  String.raw`{ type: object, propertyNames: { maxLength: 100 }, patternProperties: { '^\S+@\S+\.\S+$': { type: string } } }`,
  String.raw`{ type: string, pattern: '^[^\s@]+@[^\s@]+$' }`,
  // That is a problem of its own.
  "{ type: string, pattern: '^(a+)+$' }",
])('%s is no problem of linear-pattern', (schema) => {
  expect(linearProblemsOf(schema)).toEqual([]);
});

test.each([
  ['[A-Za-z0-9_-]+', 'without ^ any text may precede [A-Za-z0-9_-]+'],
  ['^[a-z]+', 'without $ any text may follow [a-z]+'],
  ['[A-Z]{3}', 'without ^ any text may precede [A-Z]{3}'],
  ['^(?:v[0-9]+)', 'without $ any text may follow [0-9]+'],
  ['^red|green$', '^ is part of one alternative only'],
  ['^(?:red)|^green$', '$ is part of one alternative only'],
])('%s is reported: %s', (pattern, message) => {
  expect(problemsOf(pattern)).toEqual([expect.stringMatching(/^\d+ anchored-pattern: /)]);
  expect(problemsOf(pattern)[0]).toContain(message);
});

test.each(['^[a-z]+$', '^https?://', '[A-Z]', '@', '^(?:red|green)$', '^red$|^green$', '^a.*', 'red|green', '(?i)^[a-z]+$'])(
  '%s is not reported',
  (pattern) => {
    expect(problemsOf(pattern).filter((problem) => problem.includes('anchored-pattern'))).toEqual([]);
  },
);
