/** The results of a run, as they are committed: counts, and each case that was not kept. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupResult } from './adapter.ts';
import type { Result } from '../src/run-cases.ts';
import { type Counts, count, VERDICTS } from '../src/summary.ts';

export interface RecordedGroup {
  readonly group: string;
  /** Cases that were sent. */
  readonly cases: number;
  readonly notApplicable: number;
  readonly notServed?: string;
  readonly failures: readonly Result[];
}

export interface Recorded {
  readonly title: string;
  /** The day of the run, as in RFC 3339. */
  readonly date: string;
  readonly seconds: number;
  readonly groups: readonly RecordedGroup[];
}

const MAX_REASON = 200;

/** Folders of the machine are no part of the results. */
const withoutFolders = (text: string): string =>
  text.replace(/(?:file:\/)?\/[^\s"':]*\/(?=conformance\/|site-packages\/|pkg\/mod\/)/gu, '');

export const recordOf = ({ results, notServed, ...rest }: GroupResult): RecordedGroup => ({
  ...rest,
  ...(notServed === undefined ? {} : { notServed: withoutFolders(notServed) }),
  cases: results.length,
  failures: results
    .filter(({ verdict }) => verdict !== 'kept')
    .map((result) => ({ ...result, reason: result.reason.slice(0, MAX_REASON) })),
});

/** Of a group, or of all. */
export function countsOf(groups: readonly RecordedGroup[]): Counts {
  const counts = count(groups.flatMap(({ failures }) => failures));
  const cases = groups.reduce((sum, group) => sum + group.cases, 0);
  const failed = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  return { ...counts, kept: cases - failed };
}

/** By the name of the adapter. */
export const readRecorded = (folder: string): ReadonlyMap<string, Recorded> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded]),
  );
