/** The record of the breaks that are intended, each with its reason: read, held against what was found, cleared of what is over. */
import { LineCounter, isNode, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { ContractError } from '@specwright/server';
import type { Finding } from './change.ts';

/** One intended break. The first three are printed with the finding, to be copied; they have to fit it exactly. */
const schema = z.strictObject({
  rule: z.string(),
  at: z.string(),
  change: z.string(),
  reason: z.string().trim().min(1, 'an intended break needs a reason: why it has to be, and what clients are told'),
});
export type Record = z.infer<typeof schema>;

/**
 * Reads a record file. An empty one, or one of comments alone, has no records.
 *
 * @throws ContractError with every place that is not a record.
 */
export function readRecords(file: string, text: string): Record[] {
  const { document, place } = parse(file, text);
  const result = z.array(schema).safeParse(document.toJS() ?? []);
  if (result.success) return result.data;
  throw new ContractError(
    file,
    result.error.issues.map(({ path, message }) => ({ ...place(path), message: `${path.join('/') || 'the list'}: ${message}` })),
  );
}

function parse(file: string, text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0)
    throw new ContractError(
      file,
      document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message })),
    );
  /** The place of a part, or of what it is missing from. */
  const place = (path: readonly PropertyKey[]): { line: number; column: number } => {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return at(node.range[0]);
    return path.length === 0 ? { line: 1, column: 1 } : place(path.slice(0, -1));
  };
  return { document, place };
}

/** What is intended of what was found, and which records are of no use any more. */
export interface Settlement {
  readonly findings: readonly (Finding & { readonly reason: string | undefined })[];
  /** Records that nothing found fits. */
  readonly stale: readonly Record[];
  /** Records that the base has too: they belong to a change that it contains, and excuse no other. */
  readonly merged: readonly Record[];
}

/** Holds records against findings. @param merged the records of the base. */
export function settle(findings: readonly Finding[], records: readonly Record[], merged: readonly Record[]): Settlement {
  const isMerged = (record: Record) => merged.some((other) => isSame(record, other));
  const fresh = records.filter((record) => !isMerged(record));
  return {
    findings: findings.map((finding) => ({ ...finding, reason: fresh.find((record) => fits(record, finding))?.reason })),
    stale: fresh.filter((record) => !findings.some((finding) => fits(record, finding))),
    merged: records.filter(isMerged),
  };
}

type Named = Pick<Record, 'rule' | 'at' | 'change'>;
const isSame = (a: Record, b: Record | undefined) => b !== undefined && fits(a, b) && a.reason === b.reason;
const fits = (a: Named, b: Named) => a.rule === b.rule && a.at === b.at && a.change === b.change;

/** The lines that record a finding, but for the reason. */
export const recordLines = ({ rule, at, change }: Named) =>
  stringify([{ rule, at, change, reason: '' }], { lineWidth: 0, singleQuote: true });

/**
 * The text of a record file without some of its records; all else stays as it is written.
 *
 * @throws Error if the records are not written as a list of lines, so that no part of the text belongs to one alone.
 */
export function prune(file: string, text: string, remove: readonly Record[]): string {
  const records = readRecords(file, text);
  const [head = '', ...blocks] = text.split(/^(?=- )/m);
  if (text.startsWith('- ')) blocks.unshift(head);
  if (blocks.length !== records.length) throw new Error(`${file}: records can be removed only from a list of lines that begin with \`- \``);
  const kept = blocks.filter((_block, i) => !remove.some((record) => isSame(record, records[i])));
  return (text.startsWith('- ') ? '' : head) + kept.join('');
}
