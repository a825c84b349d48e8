/** The problems of a contract, each with its location, and the error that reports all of them together. */
import { relative } from 'node:path';
import { pointerTo } from './openapi.ts';
import { printable } from './printable.ts';

/** One problem. `line` and `column` count from 1. */
export interface Problem {
  /** The file, if it is not the contract. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** JSON pointer (RFC 6901) into the document, for problems that have no line. */
  readonly pointer?: string | undefined;
  readonly message: string;
  /** The reference to a URL, as the document has it. */
  readonly url?: string | undefined;
}

/** The location of a part of the document, given as the keys from its root. `file` is given if it is not that of the contract. */
export type Locate = (path: readonly (string | number)[]) => { file?: string; line: number; column: number };

export function problemAt(source: { readonly locate: Locate }, path: readonly (string | number)[], message: string): Problem {
  return { ...source.locate(path), pointer: pointerTo(...path), message };
}

/** Thrown before the server starts: the contract, or what depends on it, cannot be used. The message lists every problem. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];
  readonly file: string;

  constructor(path: string, problems: readonly Problem[]) {
    const file = displayFile(path);
    const sorted = [...problems].sort(
      (a, b) => (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
    const count = sorted.length === 1 ? '1 problem' : `${sorted.length} problems`;
    super(`${printable(file)}: ${count}\n${sorted.map((problem) => `  ${formatProblem(file, problem)}`).join('\n')}`);
    this.name = 'ContractError';
    this.problems = sorted;
    this.file = path;
  }
}

/** `file:line:column message` in one line, which editors and CI turn into a link. */
export function formatProblem(file: string, problem: Problem): string {
  const name = problem.file === undefined ? file : displayFile(problem.file);
  const location = problem.line === undefined ? name : `${name}:${problem.line}:${problem.column ?? 1}`;
  return printable(`${location} ${problem.message}`);
}

/** The path of a file from the current folder; as it is given, if it is outside. */
export function displayFile(path: string): string {
  const relativePath = relative(process.cwd(), path);
  return relativePath.startsWith('..') ? path : relativePath;
}

/** How many errors of a value are looked at: a body of 64 KiB can have thousands, each of which costs more to describe than the rest. */
export const MAX_VALIDATION_ERRORS = 50;
