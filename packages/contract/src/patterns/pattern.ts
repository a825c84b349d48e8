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

/** The format that stands for a pattern which the schema compilers are not given themselves. */
export const patternFormat = (pattern: string, maxLength = Infinity): string => `pattern of at most ${maxLength}: ${pattern}`;

/**
 * The longest text, in code points, that a pattern is tested on unless it is proven linear (pattern-test.ts has smaller ones for a few).
 * Longer ones are refused. A smaller `maxLength` beside the pattern takes its place, a greater one does not.
 */
export const MAX_PATTERN_TEXT = 2000;

/** The formats of texts, and of names of properties, that are short enough for a pattern which is not proven linear. */
export const boundedTextFormat = (pattern: string, maxText: number): string => `text of at most ${maxText} for ${pattern}`;
export const boundedNameFormat = (pattern: string, maxText: number): string => `name of at most ${maxText} for ${pattern}`;

/** The message of a schema compiler, where the format that stands for a pattern becomes the pattern. */
export function namePattern(message: string): string {
  const [, kind, most, pattern] = /^must match format "(text|name) of at most (\d+) for ([^]*)"$/.exec(message) ?? [];
  if (kind !== undefined)
    return `${kind === 'name' ? 'names of properties ' : ''}must be at most ${most} characters long, because the pattern "${pattern}" is not proven to take linear time`;
  return message.replace(/must match format "pattern of at most [^:"]+: /, 'must match pattern "');
}

/** A code point has one or two UTF-16 units. */
export function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.length > 2 * maxLength || Array.from(text).length > maxLength;
}
