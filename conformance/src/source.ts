/** Cites the sentences of standards. */
import type { Source } from './case.ts';

/** @returns a function that cites a section of the standard; `from` is the published suite, example or table of a case */
export const source =
  (standard: string) =>
  (section: string, sentence: string, from?: string): Source => ({
    standard,
    section,
    sentence,
    ...(from === undefined ? {} : { from }),
  });
