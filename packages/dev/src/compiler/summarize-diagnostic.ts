/** What the compiler says of an error, in one line of bounded length: the cause that matters, with the property that it is about. */

export interface DiagnosticLevel {
  readonly text: string;
  /** 0 for the error, more for what explains it. */
  readonly depth: number;
}

/** With its location before it, a line of output has no more than 200 characters. */
const MAX_LENGTH = 140;
const MAX_TYPE_LENGTH = 50;
const INCOMPATIBLE = /^(?:Types of property|The types of(?: the)?) '([^']+)'/;

/**
 * The last cause: those before it repeat, with whole types, what contains it. Of several overloads the last one counts, as the compiler's
 * own choice is.
 *
 * @param levels the message and its causes, each before what explains it.
 */
export function summarizeDiagnostic(levels: readonly DiagnosticLevel[]): string {
  const last = levels.at(-1);
  if (last === undefined) return '';
  let depth = last.depth;
  const path: string[] = [];
  for (const level of [...levels].reverse()) {
    if (level.depth >= depth) continue;
    depth = level.depth;
    const [, property] = INCOMPATIBLE.exec(level.text) ?? [];
    if (property !== undefined) path.unshift(property);
  }
  const text = last.text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'([^']*)'/g, (quoted, type: string) => (type.length > MAX_TYPE_LENGTH ? `'${cut(type, MAX_TYPE_LENGTH)}'` : quoted));
  return cut(path.length === 0 ? text : `${path.join('.')}: ${text}`, MAX_LENGTH);
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
