/** Patterns that take exponential time are proven so, each with a text; those that are not proven linear need a maxLength; patterns without anchors are reported where they are meant for the whole. */
import { expect, test } from '@jest/globals';
import { findAttack } from '../../src/lint/rules/exponential-pattern.ts';
import { GOOD, lintProblems } from './support/lint.ts';

/** The problems of the document with this pattern. */
const problemsOf = (pattern: string) => lintProblems(GOOD.replace("'^[a-z]+$'", () => `'${pattern}'`));

const EXPONENTIAL = [
  '^([A-Za-z]+)+$',
  '^([a-z]+)*$',
  '^(a|a)*$',
  String.raw`^(\w|\d)+$`,
  '^(ab|a|b)*c$',
  '^(a{1,5})+$',
  '^(a?b?a)+$',
  String.raw`^(\w+\s?)*$`,
  String.raw`^(\p{L}+)+$`,
  '(x+x+)+y',
  '^(a|aa)+$',
  '^(?:ab|abab)+$',
  '^(?:foo|foofoo)*bar$',
  String.raw`^(?:\d{1,3}\.?)+$`,
  '^(?:[ab]|[bc])*d$',
  String.raw`^(?:\w+,)+([^,]+,?)+;$`,
  // Only a text with two commas is refused.
  '^(("[^"]*"|[^,]+),?)*$',
  '^(?!.*--)([a-z]+)+$',
  '^(?=.*[A-Z])(?=.*[0-9])([A-Za-z0-9]+)+$',
  // Of a public document.
  String.raw`^[A-Za-z0-9][-+._A-Za-z0-9]*@([-_.A-Za-z0-9]+\.)+[A-Za-z]{2,}$`,
];

/** Runs the expression on the attack, in ms. */
function measure(expression: RegExp, times: number): number {
  const { before, repeated, after } = findAttack(expression) ?? { before: '', repeated: '', after: '' };
  const start = performance.now();
  expression.test(before + repeated.repeat(times) + after);
  return performance.now() - start;
}

test.each(EXPONENTIAL)('%s takes exponential time', (pattern) => {
  expect(problemsOf(pattern)).toContainEqual(expect.stringContaining('exponential-pattern: the pattern takes exponential time, as on '));
});

test.each(EXPONENTIAL)('the text that is named for %s stops the engine', (pattern) => {
  const expression = new RegExp(pattern, 'u');
  // Linear time would be microseconds for all of them.
  let times = 4;
  while (times < 60 && measure(expression, times) < 20) times++;
  expect(times).toBeLessThan(40);
});

const FAST = [
  '^[A-Za-z0-9_-]+$',
  // Nothing can fail after the loop, so nothing is tried again.
  '^([a-z]+)*',
  String.raw`^\d+(\.\d+)*$`,
  String.raw`^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$`,
  '^[a-z]*[A-Za-z]*[a-z]*!*$',
  '^(a?){30}$',
  String.raw`^(\S+\s*)*$`,
  String.raw`^[^\x00-\x1F\x7F]*$`,
  String.raw`^(?:[a-z]{2,8}(?:-[a-z0-9]{1,8})*|\*)(?:, (?:[a-z]{2,8}|\*))*$`,
];

test.each(FAST)('%s does not', (pattern) => {
  expect(findAttack(new RegExp(pattern, 'u'))).toBeUndefined();
});

test.each(['^(?=.{1,20}$)([a-z]+)+$', '^[a-z](?=b)([a-z]+)+$', String.raw`^([a-z]+\b)+$`, String.raw`^(a+)\1+$`])(
  'nothing is claimed of %s, which is beyond the proof',
  (pattern) => {
    expect(findAttack(new RegExp(pattern, 'u'))).toBeUndefined();
  },
);

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
