/** The statements of docs/scaling.md that distribute the tables by account, with Citus. */
import { readFileSync } from 'node:fs';

/** @throws Error if the page has none. */
export function readDistribution(): string {
  const [, sql] = /^```sql\n(BEGIN;\n[^`]*create_distributed_table[^`]*)```$/m.exec(readFileSync('docs/scaling.md', 'utf8')) ?? [];
  if (sql === undefined) throw new Error('docs/scaling.md has no statements with create_distributed_table');
  return sql;
}
