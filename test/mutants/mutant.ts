/** A mutant: one change of a source file that a test has to notice. */

/** `text` occurs once in the file. `breaks` says what the program does wrong when `becomes` replaces it. */
export type Mutant = readonly [breaks: string, text: string, becomes: string];

export interface MutatedFile {
  /** From the root of the repository, as `tests`. */
  readonly file: string;
  /** The test files that have to notice; the quickest first, because the first failure ends the run. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}

/** @returns the source with the mutant. @throws Error if its text does not occur exactly once, or if it changes nothing. */
export function mutate(source: string, [breaks, text, becomes]: Mutant): string {
  const parts = source.split(text);
  if (text === '' || parts.length !== 2) throw new Error(`"${breaks}": this text occurs ${parts.length - 1} times, not once: ${text}`);
  if (text === becomes) throw new Error(`"${breaks}" changes nothing`);
  return parts.join(becomes);
}
