/** A TypeScript compiler, as the development loop uses it. */

/** `line` and `column` from 1. */
export interface TypeProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Whether the file cannot be parsed: what is reported of files that import it may only follow from that. */
  readonly isSyntax: boolean;
}

interface Changes {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

export interface Compiler {
  /** Applies changes of files. @returns the files of the project, as absolute paths. */
  update(changes: Changes): Promise<readonly string[]>;
  diagnose(file: string): Promise<readonly TypeProblem[]>;
  close(): Promise<void>;
}

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

/** A number that is none of several, such as a status that an operation does not declare. */
const UNDECLARED_STATUS =
  /^Argument of type '(\d+)' is not assignable to parameter of type '(\d+(?: \| (?:\d+|\.\.\. \d+ more \.\.\.))*)'\.$/;
const sortedNumbers = (union: string) =>
  union
    .split(' | ')
    .sort((a, b) => Number(Number.isNaN(Number(a))) - Number(Number.isNaN(Number(b))) || Number(a) - Number(b))
    .join(', ');

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
  const status = UNDECLARED_STATUS.exec(last.text);
  if (status !== null) return cut(`${status[1]} is not one of ${sortedNumbers(status[2] ?? '')}`, MAX_LENGTH);
  const text = last.text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'([^']*)'/g, (quoted, type: string) => (type.length > MAX_TYPE_LENGTH ? `'${cut(type, MAX_TYPE_LENGTH)}'` : quoted));
  return cut(path.length === 0 ? text : `${path.join('.')}: ${text}`, MAX_LENGTH);
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
