/** Keeps the lines of a message so short that a terminal and a log viewer show them. */

const MAX_LENGTH = 200;
/** A longer message of one line is cut: it cannot be read, and may be megabytes. */
const MAX_TOTAL = 1500;
const MAX_WORD = 150;

/** The same text, in which no line has more than 200 characters. The lines that one becomes are indented. */
export const fitLines = (text: string): string => text.split('\n').flatMap(fitLine).join('\n');

function fitLine(line: string): string[] {
  if (line.length <= MAX_LENGTH) return [line];
  const indent = /^ */.exec(line)?.[0].slice(0, 40) ?? '';
  const words = cut(line.trim(), MAX_TOTAL).split(' ');
  const lines: string[] = [];
  let current = indent;
  for (const word of words.map((long) => cut(long, MAX_WORD))) {
    if (current.trim() !== '' && current.length + 1 + word.length > MAX_LENGTH) {
      lines.push(current);
      current = `${indent}    `;
    }
    current += current.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, current];
}

/** Without its middle: the end of a path says as much as its beginning. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Math.floor((max - 3) / 2);
  return `${text.slice(0, kept)}...${text.slice(-kept)}`;
}
