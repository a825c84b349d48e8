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

export interface Changes {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

export interface Compiler {
  /** Applies changes of files. @returns the files of the project, as absolute paths. */
  update(changes: Changes): Promise<readonly string[]>;
  /** The problems of one file. */
  diagnose(file: string): Promise<readonly TypeProblem[]>;
  close(): Promise<void>;
}
