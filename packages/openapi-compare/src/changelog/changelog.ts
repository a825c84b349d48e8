/** A changelog for clients: what changed between two documents, each once, what breaks them with its impact and reason. */
import {
  type SourceDocument,
  checkDocument,
  codeSpan,
  escapeMarkdown,
  listOperations,
  parseSource,
  printable,
} from '@specwright/contract/document';
import {
  assertNoNewProblems,
  type BaseText,
  type BreakingChange,
  type ComparedChange,
  compareDocuments,
} from '../breaking/compare-specs.ts';
import { type BreakingRecord, readRecords } from '../breaking/records.ts';
import type { ClientChange } from '../compare/list-changes.ts';

export interface PublishedChange extends Omit<ClientChange, 'base' | 'working' | 'brokenRule'> {
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
  const [former, current] = [await checkDocument(before), await checkDocument(working)];
  assertNoNewProblems(working.file, former, current);
  assertNoNewProblems(file, current, former);
  const old = readRecords(`${file} (records)`, records.base ?? '').map((record) => JSON.stringify(record));
  const fresh = readRecords(records.file, records.working ?? '').filter((record) => !old.includes(JSON.stringify(record)));
  return publishChanges(before, working, compareDocuments(before, working, now), fresh);
}

/** The changes as clients are told: each once, with the recorded reasons of what breaks them. @param records those that the base has not. */
export function publishChanges(
  base: SourceDocument,
  working: SourceDocument,
  compared: readonly ComparedChange[],
  records: readonly BreakingRecord[],
): PublishedChange[] {
  const statuses = new Map<string, Set<string>>();
  for (const { document } of [base, working])
    for (const { path, method, operation } of listOperations(document)) {
      const name = `${method.toUpperCase()} ${path}`;
      statuses.set(name, new Set([...(statuses.get(name) ?? []), ...Object.keys(operation.responses)]));
    }
  const changes = compared.map((change) => withReasons(change, records));
  return mergeChanges(changes, (name) => [...(statuses.get(name) ?? [])]).map(publish);
}

/** The same change for a page in Markdown. */
export function inMarkdown({ where, what, schema, operations, breaking, ...change }: PublishedChange): PublishedChange {
  // The report puts these names between backticks.
  const code = (name: string) => codeSpan(name).slice(1, -1);
  return {
    ...change,
    where: escapeMarkdown(where),
    what: escapeMarkdown(what),
    ...(schema !== undefined && { schema: code(schema) }),
    operations: operations.map(code),
    ...(breaking !== undefined && {
      breaking: {
        ...breaking,
        impact: escapeMarkdown(breaking.impact),
        reasons: breaking.reasons.map((reason) => printable(reason).replaceAll('<', '\\<')),
      },
    }),
  };
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

/** @param statusesOf the statuses of an operation, by its name, in both documents. */
export function mergeChanges(changes: readonly ChangelogChange[], statusesOf: (operation: string) => readonly string[]): ChangelogChange[] {
  const byStatus = group(changes, (change) => JSON.stringify([...keyOf(change), change.operations, withoutStatus(change.where)]));
  const told = byStatus.map(([first, ...more]): ChangelogChange => {
    if (more.length === 0 && !/^response /.test(first.where)) return first;
    const statuses = [first, ...more].flatMap(({ where }) => /^response (\S+?)(?=,|$)/.exec(where)?.[1] ?? []);
    const all = statusesOf(first.operations[0] ?? '');
    const isEvery = all.length > 1 && all.every((status) => statuses.includes(status));
    const name = isEvery ? 'every response' : `${statuses.length === 1 ? 'response' : 'responses'} ${statuses.join(', ')}`;
    return { ...joined([first, ...more]), where: first.where.replace(/^response [^\s,]+/, name) };
  });
  return group(told, (change) =>
    JSON.stringify([...keyOf(change), change.schema === undefined ? change.where : [change.where, change.schema]]),
  ).map(joined);
}

const keyOf = ({ kind, what, schema, breaking, operations }: ChangelogChange) => [kind, what, schema, breaking, operations.length === 0];

const withoutStatus = (where: string) => where.replace(/^response [^\s,]+/, 'response');

type Group = readonly [ChangelogChange, ...ChangelogChange[]];

function group(changes: readonly ChangelogChange[], keyOfChange: (change: ChangelogChange) => string): Group[] {
  const groups = new Map<string, [ChangelogChange, ...ChangelogChange[]]>();
  for (const change of changes) {
    const key = keyOfChange(change);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [change]);
    else known.push(change);
  }
  return [...groups.values()];
}

const joined = (changes: Group): ChangelogChange => ({
  ...changes[0],
  operations: [...new Set(changes.flatMap(({ operations }) => operations))],
});

interface Break {
  readonly rule: string;
  readonly impact: string;
  /** Why it was made, as recorded in breaking-changes.yaml. */
  readonly reasons: readonly string[];
}

interface ChangelogChange extends ClientChange {
  readonly breaking?: Break;
}

/** @param records those that the base has not. */
export function withReasons({ change, breaking }: ComparedChange, records: readonly BreakingRecord[]): ChangelogChange {
  if (breaking === undefined || breaking.isWarning === true) return change;
  const { rule, impact } = breaking;
  return { ...change, breaking: { rule, impact, reasons: reasonsOf(breaking, records) } };
}

/** Of the record of this change; or, as other changes have come since it was recorded, of those that name a part of it. */
function reasonsOf({ rule, at, change }: BreakingChange, records: readonly BreakingRecord[]): string[] {
  const there = records.filter((record) => record.rule === rule && record.at === at);
  const exact = there.filter((record) => record.change === change);
  const quoted = (text: string): readonly string[] => text.match(/'[^']*'|`[^`]*`/g)?.map((value) => value.slice(1, -1)) ?? [];
  // One that quotes no value is not told apart by its values.
  const ofPart = there.filter(({ change: recorded }) => {
    const values = quoted(recorded);
    return values.length === 0 || values.some((value) => quoted(change).includes(value));
  });
  return (exact.length > 0 ? exact : ofPart).map(({ reason }) => reason.replace(/\s+/g, ' ').trim());
}
