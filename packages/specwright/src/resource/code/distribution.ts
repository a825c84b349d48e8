/** The statements of docs/scaling.md that distribute the tables by account, with Citus: a new table of accounts needs its own. */
import type { Change } from '../../stubs/typescript-source.ts';
import { identifier } from '../../migrations/sql-identifier.ts';
import type { ResourceConstraint } from '../resource-table.ts';
import type { Resource } from '../resource.ts';

export const DISTRIBUTION_FILE = 'docs/scaling.md';

/** @returns nothing if the page has no such statements. */
export function distributionChanges(page: string, { names, owner }: Resource, constraints: readonly ResourceConstraint[]): Change[] {
  if (owner === undefined) return [];
  const table = identifier(names.table);
  const keys = [
    { name: `${names.table}_${owner}_fkey`, definition: `FOREIGN KEY (${owner}) REFERENCES accounts (${owner}) ON DELETE CASCADE` },
    ...constraints.filter(({ kind }) => kind === 'reference'),
  ];
  const distributed = lastLine(page, /^SELECT create_distributed_table\('\w+', 'account_id'(, colocate_with => '\w+')?\);$/gm);
  const dropped = lastLine(page, /^ALTER TABLE \w+ DROP CONSTRAINT .*;$/gm);
  const restored = lastLine(page, /^ALTER TABLE \w+ ADD CONSTRAINT \w+ FOREIGN KEY .*;$/gm);
  if (distributed === undefined || dropped === undefined || restored === undefined) return [];
  const line = (at: number, text: string): Change => ({ at, text: `\n${text}` });
  return [
    line(dropped.end, `ALTER TABLE ${table} ${keys.map(({ name }) => `DROP CONSTRAINT ${name}`).join(', ')};`),
    line(distributed.end, distributed.text.replace(/'\w+'/, `'${names.table}'`)),
    line(restored.end, keys.map(({ name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};`).join('\n')),
  ];
}

function lastLine(page: string, pattern: RegExp): { readonly text: string; readonly end: number } | undefined {
  const match = [...page.matchAll(pattern)].at(-1);
  return match && { text: match[0], end: match.index + match[0].length };
}
