/** Compiles the patterns of a contract, many of which are written for another dialect of regular expressions. */

/**
 * JSON Schema requires the flag `u`, which forbids escapes such as `\:` that much of what is published has.
 *
 * @returns `undefined` if it is no regular expression of ECMAScript: what it accepts is unknown here.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next one may compile.
    }
  }
  return undefined;
}
