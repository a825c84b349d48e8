/** Breaks text into lines that a terminal of 80 columns shows. */

/** The width of a terminal that nobody has made wider. */
export const TERMINAL_WIDTH = 80;

/**
 * Fills lines with the words of each paragraph. Blank lines and indented lines stay as they are.
 *
 * @param indent how many spaces the lines after the first one begin with. @param first how many columns of the first line are taken.
 */
export function wrapText(text: string, { indent = 0, first = indent }: { indent?: number; first?: number } = {}): string {
  const lines: string[] = [];
  let column = first;
  let isParagraph = false;
  for (const source of text.split('\n')) {
    const isFixed = source === '' || source.startsWith(' ');
    if (isFixed || !isParagraph) {
      lines.push(isFixed ? source : '');
      if (lines.length > 1) column = 0;
    }
    isParagraph = !isFixed;
    for (const word of isFixed ? [] : source.split(' ')) {
      const current = lines.at(-1) ?? '';
      const isEmpty = current.trim() === '';
      if (!isEmpty && column + 1 + word.length > TERMINAL_WIDTH) {
        lines.push(' '.repeat(indent) + word);
        column = indent + word.length;
      } else {
        lines.splice(-1, 1, isEmpty ? current + word : `${current} ${word}`);
        column += word.length + (isEmpty ? 0 : 1);
      }
    }
  }
  return lines.join('\n');
}
