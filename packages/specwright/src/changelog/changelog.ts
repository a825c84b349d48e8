/** What changed for clients from one document to another: found, joined with what breaks, said once. */
import { checkDocument, ContractError, listOperations, parseSource, type SourceDocument } from '@specwright/contract/document';
import { detectBreaks, type BaseText } from '../breaking/compare-specs.ts';
import { readRecords } from '../breaking/records.ts';
import { addBreaking, type Break, type ChangelogChange } from './add-breaking.ts';
import { listChanges, type ClientChange } from './list-changes.ts';
import { mergeChanges } from './merge-changes.ts';

/** A change as it is published. */
export interface PublishedChange extends Omit<ClientChange, 'base' | 'working'> {
  readonly breaking?: Break;
}

/** The texts of record files; `undefined` where there is none. */
export interface RecordTexts {
  readonly file: string;
  readonly base: string | undefined;
  readonly working: string | undefined;
}

/**
 * Lists what clients can notice, those that break them with their impact and recorded reasons.
 *
 * @param now decides which operations are past their sunset.
 * @throws ContractError with everything that is wrong with the base, Error if the two cannot be compared.
 */
export async function createChangelog(
  base: BaseText,
  working: SourceDocument,
  records: RecordTexts,
  now: Date,
): Promise<PublishedChange[]> {
  const { file, spec, ...options } = base;
  const before = parseSource(file, spec, options);
  const problems = await checkDocument(before);
  if (problems.length > 0) throw new ContractError(file, problems);
  const old = readRecords(`${file} (records)`, records.base ?? '').map((record) => JSON.stringify(record));
  const fresh = readRecords(records.file, records.working ?? '').filter((record) => !old.includes(JSON.stringify(record)));
  const changes = addBreaking(listChanges(before, working, now), await detectBreaks(before, working, now), fresh);
  const statuses = new Map<string, Set<string>>();
  for (const { document } of [before, working])
    for (const { path, method, operation } of listOperations(document)) {
      const name = `${method.toUpperCase()} ${path}`;
      statuses.set(name, new Set([...(statuses.get(name) ?? []), ...Object.keys(operation.responses)]));
    }
  return mergeChanges(changes, (name) => [...(statuses.get(name) ?? [])]).map(publish);
}

const publish = ({ kind, where, what, schema, sides, operations, breaking }: ChangelogChange): PublishedChange => ({
  kind,
  where,
  what,
  ...(schema !== undefined && { schema }),
  ...(sides !== undefined && { sides }),
  operations,
  ...(breaking !== undefined && { breaking }),
});

/** The changelog of a contract that the base does not have. */
export function firstChangelog({ document }: SourceDocument): PublishedChange[] {
  const operations = listOperations(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  return [{ kind: 'added', where: '', what: 'first version', operations }];
}
