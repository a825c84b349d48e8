/** Says once what is the same in several responses of an operation, and then what is the same in several operations. */
import type { ChangelogChange } from './add-breaking.ts';

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
