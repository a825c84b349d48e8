/** Compiles the patterns of a contract, which are written for many dialects of regular expressions. */

export interface CompiledPattern {
  readonly expression: RegExp;
  readonly source: string;
  /** Whether it is valid with the flag `u`, as JSON Schema requires. */
  readonly unicode: boolean;
}

/**
 * Compiles a pattern as ECMAScript with the flag `u`; else with the syntax of other dialects (`\A`, `\Z`, a leading `(?i)`);
 * else without the flag `u`, which forbids unnecessary escapes such as `\_`.
 *
 * @returns `undefined` if none of them compiles: values are not validated then, and `listUnsupported` reports it.
 */
export function compilePattern(pattern: string): CompiledPattern | undefined {
  const isCaseInsensitive = /^\^?\(\?i\)/.test(pattern);
  const translated = pattern
    .replace(/^(\^?)\(\?i\)/, '$1')
    .replace(/^\\A/, '^')
    .replace(/\\[zZ]$/, '$');
  const flags = isCaseInsensitive ? 'i' : '';
  for (const [source, mode] of [
    [pattern, 'u'],
    [translated, `u${flags}`],
    [translated, flags],
  ] as const) {
    try {
      return { expression: new RegExp(source, mode), source, unicode: mode.startsWith('u') };
    } catch {
      // The next one may compile.
    }
  }
  return undefined;
}

/**
 * The longest text, in code points, that a pattern is tested on unless it is proven linear (pattern-test.ts has smaller ones for a few).
 * Longer ones are refused. A smaller `maxLength` beside the pattern takes its place, a greater one does not.
 */
export const MAX_PATTERN_TEXT = 2000;
