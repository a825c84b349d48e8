/** Patterns that take exponential time are proven so, each with a text that stops the engine; nothing is claimed of others. */
import { expect, test } from '@jest/globals';
import { type Attack, findAttack } from '@specwright/contract/proofs';
import { compilePattern, type CompiledPattern } from '../src/patterns/pattern.ts';

const compile = (pattern: string): CompiledPattern => {
  const compiled = compilePattern(pattern);
  if (compiled === undefined) throw new Error(`${pattern} does not compile`);
  return compiled;
};

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
function measure({ expression }: CompiledPattern, { before, repeated, after }: Attack, times: number): number {
  const start = performance.now();
  expression.test(before + repeated.repeat(times) + after);
  return performance.now() - start;
}

test.each(EXPONENTIAL)('the text that is named for %s stops the engine', (pattern) => {
  const compiled = compile(pattern);
  const attack = findAttack(compiled);
  if (attack === undefined) throw new Error('no text is named');
  // Linear time would be microseconds for all of them.
  let times = 4;
  while (times < 60 && measure(compiled, attack, times) < 20) times++;
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
  expect(findAttack(compile(pattern))).toBeUndefined();
});

test.each(['^(?=.{1,20}$)([a-z]+)+$', '^[a-z](?=b)([a-z]+)+$', String.raw`^([a-z]+\b)+$`, String.raw`^(a+)\1+$`])(
  'nothing is claimed of %s, which is beyond the proof',
  (pattern) => {
    expect(findAttack(compile(pattern))).toBeUndefined();
  },
);
