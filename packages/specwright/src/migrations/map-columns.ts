/** Adds columns to the schema map, which keeps its comments and its order. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { format } from '../stubs/typescript-source.ts';
import type { ColumnEntry } from './migration-plan.ts';

/** @param file the schema map, absolute. It is formatted by Prettier if it was before. */
export async function mapColumns(file: string, entries: readonly ColumnEntry[]): Promise<void> {
  const before = readFileSync(file, 'utf8');
  let text = before;
  for (const entry of entries) text = mapColumn(text, entry);
  writeFileSync(file, (await format(file, before)) === before ? await format(file, text) : text);
}

/** @throws Error if the map has no mapping of the table's columns. */
export function mapColumn(text: string, { table, column, property }: ColumnEntry): string {
  const columns: unknown = parseDocument(text).getIn(['tables', table, 'columns'], true);
  if (!isMap(columns) || !columns.range) throw new Error(`the schema map has no columns of table ${table}`);
  // A name that YAML would read as something else is quoted.
  const pair = `${scalar(column)}: ${scalar(property)}`;
  const [start, end] = columns.range;
  if (columns.flow === true) {
    const inside = text.slice(start + 1, end - 1);
    if (inside.trim() === '') return `${text.slice(0, start)}{ ${pair} }${text.slice(end)}`;
    const at = start + 1 + inside.trimEnd().length;
    return `${text.slice(0, at)}${inside.trimEnd().endsWith(',') ? '' : ','} ${pair}${text.slice(at)}`;
  }
  const at = endOfLast(columns);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return `${text.slice(0, at)}\n${' '.repeat(start - lineStart)}${pair}${text.slice(at)}`;
}

/** Where the last value of a block mapping ends, before comments. */
function endOfLast(map: YAMLMap): number {
  const last = map.items.at(-1)?.value;
  return (isScalar(last) ? last.range?.[1] : undefined) ?? map.range?.[1] ?? 0;
}

const scalar = (name: string): string =>
  /^[A-Za-z_][\w-]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name) ? name : JSON.stringify(name);
