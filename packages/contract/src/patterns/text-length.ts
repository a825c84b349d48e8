/** The length of texts as JSON Schema counts it: in code points. */

/** A code point has one or two UTF-16 units. */
export function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.length > 2 * maxLength || Array.from(text).length > maxLength;
}
