/** Which patterns are proven to take linear time: common ones are, and none that is not linear. */
import { describe, expect, test } from '@jest/globals';
import { isProvenLinear } from '../src/patterns/linear-pattern.ts';

const LINEAR = [
  ...['', '^', '$', '^a{3}$', 'red|green', '^$|^[a-z]+$', '[A-Z]', '.+', String.raw`\d+`, '^https?://', '^https?://.+$', '^(.*)$'],
  ...['^[a-z0-9-]+$', '^[a-zA-Z0-9_-]{1,255}$', '^.{1,4000}$', '^[^\\x00-\\x1F\\x7F]*$', '(?i)^[a-z]+$', '^#[0-9a-fA-F]{6}$'],
  ...[String.raw`^\d{4}-\d\d$`, String.raw`^-?\d+(\.\d+)?$`, String.raw`^\+[1-9]\d{1,14}$`, String.raw`^([01]\d|2[0-3]):[0-5]\d$`],
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  String.raw`^[\w.+-]+@[\w-]+\.[\w.-]+$`,
  String.raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  String.raw`^[a-z]{1,63}(\.[a-z]{1,63})*$`,
  String.raw`^\p{L}+( \p{L}+)*$`,
  // A condition that is tested once for each text.
  '^(?=.*[A-Z])(?=.*[0-9]).{8,}$',
  String.raw`^(?!\s*$).+`,
  '^(?!-)[a-z-]+(?<!-)$',
  // The blanks beyond ASCII are in one set only.
  String.raw`^\s*\S.*$`,
  // Nothing can fail after the loop.
  '^([a-z]+)*',
  String.raw`[\u0009\u000A\u000D\u0020-\uD7FF\uE000-\uFFFD]+`,
  String.raw`^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$`,
  String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$`,
];

test.each(LINEAR)('%s is', (pattern) => {
  expect(isProvenLinear(pattern)).toBe(true);
});

/** With a text that takes time in proportion to the square of its length, or more. */
const OTHERS: readonly (readonly [pattern: string, attack: (n: number) => string])[] = [
  [String.raw`^\S+@\S+\.\S+$`, (n) => '@'.repeat(n)],
  [String.raw`\S+@\S+\.\S+`, (n) => 'a'.repeat(n)],
  [String.raw`\d+x`, (n) => '1'.repeat(n)],
  ['^.*foo.*$', (n) => `${'foo'.repeat(n / 3)}\n`],
  ['^[^@]+@[^@]+\\.[^@]+$', (n) => `a@${'.'.repeat(n)}@`],
  [String.raw`^\s+|\s+$`, (n) => `a${' '.repeat(n)}a`],
  ['(.+)$', (n) => `${'a'.repeat(n)}\n`],
  ['a*b', (n) => 'a'.repeat(n)],
  ['(?=.*x)y', (n) => 'a'.repeat(n)],
  ['^(?:x(?=.*y))+$', (n) => 'x'.repeat(n)],
  [String.raw`^(a+)\1$`, (n) => `${'a'.repeat(n)}b`],
  ['^(?:a*b?)c*(?:a*)$', (n) => `${'a'.repeat(n)}d`],
];

test.each(OTHERS)('%s is not', (pattern) => {
  expect(isProvenLinear(pattern)).toBe(false);
});

describe('what takes exponential time is not proven', () => {
  test.each(['^(a+)+$', '^([a-z]+)*$', '^(a|a)*$', '(x+x+)+y', '^(a?b?)*$', '^(?:(?:a?)+b)*$', '^((a?)*b?)*c$', '^(a?){30}$'])(
    '%s',
    (pattern) => {
      expect(isProvenLinear(pattern)).toBe(false);
    },
  );

  test.each(['^(?:a|ab|b)*$', '^(?:ab|abab)+$', String.raw`^(\w+\s?)*$`, '^(?=(a+)+$)x', String.raw`^(?:\d{1,3}\.?)+$`])(
    '%s',
    (pattern) => {
      expect(isProvenLinear(pattern)).toBe(false);
    },
  );
});

test('the texts of the table take more than linear time', () => {
  const secondsOf = (pattern: string, text: string): number => {
    const expression = new RegExp(pattern, 'u');
    const start = process.cpuUsage().user;
    expression.test(text);
    return (process.cpuUsage().user - start) / 1e6;
  };
  const grown = OTHERS.filter(
    ([pattern, attack]) => secondsOf(pattern, attack(8000)) > 8 * Math.max(0.0005, secondsOf(pattern, attack(2000))),
  );
  // Some are optimized by the engine.
  expect(grown.length).toBeGreaterThan(OTHERS.length / 2);
});

test('what the proof cannot read is not proven, and neither is what would take long to prove', () => {
  const patterns = [
    '^(?<a>b)\\k<a>$',
    String.raw`^\S{1,64}@\S{1,64}$`,
    `^(?:${'a?'.repeat(40)}){3}$`,
    `^${'(?:a|b'.repeat(300)}${')'.repeat(300)}$`,
    '^.{5000}b{5000}$',
  ];
  const start = performance.now();
  for (const pattern of patterns.slice(0, 3)) expect(isProvenLinear(pattern)).toBe(false);
  for (const pattern of patterns.slice(3)) isProvenLinear(pattern);
  expect(performance.now() - start).toBeLessThan(1000);
});

test('an expression that is no ECMAScript is never run', () => {
  expect(isProvenLinear('(')).toBe(true);
});
