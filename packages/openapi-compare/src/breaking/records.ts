/** The record of intended breaking changes: a file of a project that gives the reason of each. */
import { ContractError, parseYaml } from '@specwright/contract/document';
import { isNode, stringify } from 'yaml';
import { z } from '../libraries/zod.ts';
import type { BreakingChange } from './compare-specs.ts';

/** One intended change. The report prints all but the reason, to be copied. `rule`, `at` and `change` have to match exactly. */
export interface BreakingRecord {
  rule: string;
  at: string;
  change: string;
  /** The operations that it is part of. Those of a change have to be among them; a change of the whole API has none. */
  operations?: readonly string[] | undefined;
  reason: string;
}

const schema: z.ZodType<BreakingRecord> = z.strictObject({
  rule: z.string(),
  at: z.string(),
  change: z.string(),
  operations: z.array(z.string()).optional(),
  reason: z.string().trim().min(1, 'an intended change needs a reason: why it is made, and what clients are told'),
});

/**
 * Reads a record file. An empty one, or one of comments alone, has no records.
 *
 * @throws ContractError with every entry that is not a record.
 */
export function readRecords(file: string, text: string): BreakingRecord[] {
  const { document, locationAt, toJS } = parseYaml(file, text);
  const result = z.array(schema).safeParse(toJS() ?? []);
  if (result.success) return result.data;
  /** The location of a part, or of the nearest one around it. */
  const locationOf = (path: readonly PropertyKey[]): { line: number; column: number } => {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return locationAt(node.range[0]);
    return path.length === 0 ? { line: 1, column: 1 } : locationOf(path.slice(0, -1));
  };
  throw new ContractError(
    file,
    result.error.issues.map(({ path, message }) => ({ ...locationOf(path), message: `${path.join('/') || 'the list'}: ${message}` })),
  );
}

export interface MatchedRecords {
  readonly changes: readonly (BreakingChange & { readonly reason: string | undefined })[];
  /** Records that match no change. */
  readonly stale: readonly BreakingRecord[];
  /** Records that the base has too: they belong to a change that it contains, and match no other. */
  readonly merged: readonly BreakingRecord[];
}

/** @param baseRecords the records of the base. */
export function matchRecords(
  changes: readonly BreakingChange[],
  records: readonly BreakingRecord[],
  baseRecords: readonly BreakingRecord[],
): MatchedRecords {
  const isMerged = (record: BreakingRecord) => baseRecords.some((other) => isSame(record, other));
  const fresh = records.filter((record) => !isMerged(record));
  return {
    changes: changes.map((change) => ({ ...change, reason: fresh.find((record) => matches(record, change))?.reason })),
    stale: fresh.filter((record) => !changes.some((change) => matches(record, change))),
    merged: records.filter(isMerged),
  };
}

type Named = Pick<BreakingRecord, 'rule' | 'at' | 'change' | 'operations'>;
const isSame = (a: BreakingRecord, b: BreakingRecord | undefined) =>
  b !== undefined && matches(a, b) && matches(b, a) && a.reason === b.reason;
/** A later change of the same component at another operation is another change. */
const matches = (record: Named, { rule, at, change, operations = [] }: Named) =>
  record.rule === rule && record.at === at && record.change === change && operations.every((one) => record.operations?.includes(one));

/** The lines that record a change, without the reason. */
export const formatRecord = ({ rule, at, change, operations = [] }: Named) =>
  stringify([{ rule, at, change, ...(operations.length > 0 && { operations }), reason: '' }], { lineWidth: 0, singleQuote: true });

/**
 * The text of a record file without some of its records; all else stays unchanged.
 *
 * @throws Error if the records are not written as a list of lines, so that no part of the text belongs to one alone.
 */
export function prune(file: string, text: string, remove: readonly BreakingRecord[]): string {
  const records = readRecords(file, text);
  const [head = '', ...blocks] = text.split(/^(?=- )/m);
  if (text.startsWith('- ')) blocks.unshift(head);
  if (blocks.length !== records.length) throw new Error(`${file}: records can be removed only from a list of lines that begin with \`- \``);
  const kept = blocks.filter((_block, i) => !remove.some((record) => isSame(record, records[i])));
  return (text.startsWith('- ') ? '' : head) + kept.join('');
}
