/** Counts results by verdict. */
import type { Verdict } from './judge.ts';
import type { Result } from './run-cases.ts';

export const VERDICTS = ['kept', 'refused', 'let through', 'altered', 'outside', 'crashed'] as const satisfies readonly Verdict[];

export type Counts = Record<Verdict, number>;

export function count(results: readonly Result[]): Counts {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Counts;
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}
