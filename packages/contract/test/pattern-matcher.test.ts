/** The matcher of patterns gives the verdicts of ECMAScript, in time that is linear in the length of a text. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMatcher } from '../src/patterns/pattern-matcher.ts';
import { compilePattern, type CompiledPattern } from '../src/patterns/pattern.ts';

const compiled = (pattern: string): CompiledPattern => {
  const read = compilePattern(pattern);
  if (read === undefined) throw new Error(`${pattern} cannot be compiled`);
  return read;
};

/** Expressions of what the automaton reads. */
const { expression } = fc.letrec<{ expression: string; term: string; atom: string }>((tie) => ({
  expression: fc.oneof(
    { weight: 4, arbitrary: fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('|')) },
  ),
  term: fc.oneof(
    { depthSize: 'small' },
    { weight: 2, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('=', '!', '<=', '<!'), tie('expression')).map(([sign, text]) => `(?${sign}${text})`) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '{2}', '{0}', '{0,2}', '{1,3}', '{2,}', '{0,}?'))
        .map((parts) => parts.join('')),
    },
  ),
  atom: fc.oneof(
    { depthSize: 'small' },
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\s', '\\W', '😀', '[^😀]', '\\ud83d\\ude00', 'ſ', '-'),
    },
    { weight: 3, arbitrary: tie('expression').map((text) => `(${text})`) },
    { weight: 2, arbitrary: tie('expression').map((text) => `(?:${text})`) },
  ),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '-', '😀', '\ud83d', 'ſ', 'K'), maxLength: 8 });

test.each(['{', 'a{', '^a{,2}$', '^a{1-2}b$', '^a{2}{$'])('a brace that begins no quantifier is a character: %s', (pattern) => {
  const { expression, ...rest } = compiled(pattern);
  const matches = createMatcher({ expression, ...rest });
  for (const one of ['', '{', 'a{', 'a', 'aa', 'aa{', 'a{,2}', '{1-2}', 'a{1-2}b'])
    expect([one, matches?.(one)]).toEqual([one, expression.test(one)]);
});

test.each(['u', '', 'i', 'iu'])(
  'with the flags "%s" its verdicts are those of ECMAScript',
  (flags) => {
    let compared = 0;
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 4, maxLength: 12 }), (source, texts) => {
        const native = new RegExp(source, flags);
        const matches = createMatcher({ source, expression: native, unicode: flags.includes('u') });
        if (matches === undefined) return;
        compared++;
        // V8 searches within surrogate pairs too, where ECMA-262 has no place for a condition: /\B/u.test('a😀a') is true.
        const hasConditions = flags.includes('u') && /\\B|\(\?[=!<]/.test(source);
        for (const one of [...texts, '', 'ab', 'aab'])
          if (!hasConditions || !one.includes('😀')) expect([source, one, matches(one)]).toEqual([source, one, native.test(one)]);
      }),
      { numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(300);
  },
  60_000,
);

test.each(['^(?:a{2}|b{3,}){1,2}$', '^.{1,1000}$', '^(?:ab?){5,7}c{0,400}$', '^\\p{Lu}\\u{1f600}$', '^[\\]\\\\-]+$', '^x\\0y$'])(
  'reads %s exactly',
  (pattern) => {
    const { expression: native } = compiled(pattern);
    const matches = createMatcher(compiled(pattern));
    const parts = ['a', 'b', 'aa', 'abab', 'c', 'Ä', '😀', ']', '\\', '-', 'x\0y', 'c'.repeat(400), 'z'.repeat(999)];
    for (const one of ['', ...parts, ...parts.flatMap((before) => parts.map((after) => before + after.repeat(3)))])
      expect([one, matches?.(one)]).toEqual([one, native.test(one)]);
  },
);

test.each(['^(a)\\1$', '^(?<a>b)\\k<a>$', '^a{4000}$', '^(?:a{100}){100}$', '^(?=a)*b$'])('does not read %s', (pattern) => {
  expect(createMatcher(compiled(pattern))).toBeUndefined();
});

describe('texts of 2,000 characters take under 50 ms', () => {
  const random = (n: number) => Array.from({ length: n }, (_, i) => ((i * i * 7919 + i * 31) % 101 < 50 ? 'a' : 'b')).join('');
  test.each<readonly [pattern: string, text: (n: number) => string]>([
    [String.raw`^(\d+)(\d+)(\d+)x$`, (n) => '1'.repeat(n)],
    [String.raw`^\s*(.*?)\s*,\s*(.*?)\s*$`, (n) => `${' '.repeat(n - 1)}\n`],
    [String.raw`^\S+@\S+\.\S+$`, (n) => `${'@.'.repeat(n / 2 - 1)}\n`],
    ['^(a?){30}$', (n) => 'a'.repeat(n)],
    ['^(a|a?)+$', (n) => `${'a'.repeat(n - 1)}!`],
    ['^(?:a|ab|b)*$', (n) => `${'ab'.repeat(n / 2 - 1)}!`],
    ['^(?:x(?=.*y))+$', (n) => 'x'.repeat(n)],
    ['(?<=a.*)b(?!.*c)', (n) => `${'b'.repeat(n - 1)}c`],
    ['^(?:a|b)*a(?:a|b){300}c$', random],
    [`^(?:${'a?'.repeat(100)})+$`, (n) => `${'a'.repeat(n - 1)}!`],
  ])('%s', (pattern, make) => {
    const matches = createMatcher(compiled(pattern));
    const long = make(2000);
    const spent = [1, 2, 3].map(() => {
      const start = performance.now();
      matches?.(long);
      return performance.now() - start;
    });
    expect(matches).toBeDefined();
    expect(Math.min(...spent)).toBeLessThan(50);
  });
});
