/** Reads the patterns of a contract, which are written for many kinds of regular expression. */

export interface CompiledPattern {
  readonly expression: RegExp;
  /** The pattern as it was read: with what other languages write spelt as ECMAScript spells it. */
  readonly source: string;
  /** Whether it is valid with the flag `u`, as JSON Schema wants it. */
  readonly unicode: boolean;
}

/**
 * Reads a pattern as ECMAScript with Unicode; else as other languages mean it (`\A`, `\Z`, a leading `(?i)`); else
 * without the flag `u`, which forbids escapes that mean nothing, as `\_`.
 *
 * @returns `undefined` if it is none even so: then nothing is checked, and `unsupported` tells.
 */
export function compilePattern(pattern: string): CompiledPattern | undefined {
  const insensitive = /^\^?\(\?i\)/.test(pattern);
  const ours = pattern
    .replace(/^(\^?)\(\?i\)/, '$1')
    .replace(/^\\A/, '^')
    .replace(/\\[zZ]$/, '$');
  const flags = insensitive ? 'i' : '';
  for (const [source, mode] of [
    [pattern, 'u'],
    [ours, `u${flags}`],
    [ours, flags],
  ] as const) {
    try {
      return { expression: new RegExp(source, mode), source, unicode: mode.startsWith('u') };
    } catch {
      // Tried the next way.
    }
  }
  return undefined;
}
