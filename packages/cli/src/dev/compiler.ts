/** What a development loop asks of a TypeScript compiler. */

/** `line` and `column` from 1. */
export interface TypeProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Changes {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

export interface Compiler {
  /** Reads what has changed. @returns the files of the project, as absolute paths. */
  update(changes: Changes): Promise<readonly string[]>;
  /** What is wrong in one file. */
  diagnose(file: string): Promise<readonly TypeProblem[]>;
  close(): Promise<void>;
}

/** A message and what explains it, each level further in, as the compiler prints it. */
export function chain(levels: readonly { readonly text: string; readonly depth: number }[]): string {
  return levels.map(({ text, depth }) => `${'  '.repeat(depth)}${text}`).join('\n');
}
