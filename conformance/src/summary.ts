/** Counts results by verdict. */
import type { GroupResult } from './adapter.ts';
import type { Verdict } from './judge.ts';

export const VERDICTS = ['kept', 'refused', 'let through', 'altered', 'outside', 'crashed'] as const satisfies readonly Verdict[];

export type Counts = Record<Verdict, number>;

export function count(results: GroupResult['results']): Counts {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Counts;
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}
