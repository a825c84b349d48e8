/** Puts words on lines. */

/**
 * Appends each part to the last line, or begins another one where it does not fit. A part is never divided.
 *
 * @param first how the first line begins. @param indent how each line after it begins. @param width in characters.
 */
export function fillLines(first: string, indent: string, parts: readonly string[], width: number): string[] {
  const lines = [first];
  for (const part of parts) {
    const line = `${lines.at(-1) ?? ''} ${part}`;
    if (line.length <= width) lines.splice(-1, 1, line);
    else lines.push(indent + part);
  }
  return lines;
}
