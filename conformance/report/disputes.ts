/** Cases where two independent servers of a document agree against the expectation of the suite. */
import type { Case } from '../src/case.ts';
import type { Verdict } from '../src/judge.ts';
import type { Recorded } from './recorded.ts';

/** By an id of a case, or its beginning and `*`. The longest that fits is taken. */
export type Reasons = Readonly<Record<string, string>>;

interface Judged {
  readonly name: string;
  readonly adapter: { readonly kind: 'document' | 'models' };
  readonly results: Recorded;
}

export interface Dispute {
  readonly id: string;
  /** The servers that say the opposite. */
  readonly judges: readonly string[];
}

/** A crash is no opinion. */
const OPINIONS: readonly Verdict[] = ['refused', 'let through', 'altered', 'outside'];

/** @returns the cases that at least two of the others fail in the same way. */
export function findDisputes(servers: readonly Judged[], cases: ReadonlyMap<string, Case>): Dispute[] {
  const judges = servers.filter(({ name, adapter }) => adapter.kind === 'document' && !name.startsWith('specwright'));
  const failed = judges.flatMap(({ name, results }) =>
    results.groups.flatMap(({ failures }) => failures.map(({ id, verdict }) => ({ id, verdict, name }))),
  );
  const alike = groupBy(
    failed.filter(({ id, verdict }) => cases.has(id) && OPINIONS.includes(verdict)),
    ({ id, verdict }) => `${id} ${verdict}`,
  );
  const disputes = [...alike.values()].filter((same) => same.length >= 2);
  return disputes.map((same) => ({ id: same[0]?.id ?? '', judges: same.map(({ name }) => name) }));
}

/** `Map.groupBy`, which Node 20 does not have. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

export function reasonOf(reasons: Reasons, id: string): string | undefined {
  const fitting = Object.keys(reasons).filter((key) => key === id || (key.endsWith('*') && id.startsWith(key.slice(0, -1))));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : reasons[longest];
}
