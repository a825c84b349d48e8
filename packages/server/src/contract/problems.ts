/** What is wrong with a contract, each problem with its place, and the error that reports all of them together. */
import { relative } from 'node:path';
import { pointerTo } from './openapi.ts';

/** One problem. `line` and `column` count from 1. */
export interface Problem {
  /** The file that it stands in, where that is not the contract itself. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** JSON pointer (RFC 6901) into the document, for problems that have no line. */
  readonly pointer?: string | undefined;
  readonly message: string;
}

/** A place in the document, for a JSON pointer as a list of keys. */
export type Locate = (path: readonly (string | number)[]) => { line: number; column: number };

/** A problem at a place of a document. */
export function problemAt(source: { readonly locate: Locate }, path: readonly (string | number)[], message: string): Problem {
  return { ...source.locate(path), pointer: pointerTo(...path), message };
}

/** Thrown before anything boots: the contract, or what is built on it, is not usable. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];

  constructor(path: string, problems: readonly Problem[]) {
    // As a person in this folder would name it.
    const near = relative(process.cwd(), path);
    const file = near.startsWith('..') ? path : near;
    const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    const count = sorted.length === 1 ? '1 problem' : `${sorted.length} problems`;
    super(`${file}: ${count}\n${sorted.map((problem) => `  ${formatProblem(file, problem)}`).join('\n')}`);
    this.name = 'ContractError';
    this.problems = sorted;
  }
}

/** `file:line:column message`, the form that editors and CI make a link of. */
export function formatProblem(file: string, problem: Problem): string {
  const name = problem.file ?? file;
  const place = problem.line === undefined ? name : `${name}:${problem.line}:${problem.column ?? 1}`;
  return `${place} ${problem.message}`;
}
