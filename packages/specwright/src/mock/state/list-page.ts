/** A page of a list: the records that the query asks for, as far as the parameters of the contract tell. */
import type { Parameter } from '@specwright/contract/document';
import { textOf } from '../../testing/contract/values/text-of.ts';
import type { Json } from '../../testing/contract/document.ts';
import { isPlainObject } from '../plain-object.ts';
import type { StoredRecord } from './record-store.ts';

const LIMIT = /^(limit|per_?page|page_?size|max_?results|first)$/i;
const CURSOR = /^(cursor|after|starting_?after|(next_?)?(page_?)?token)$/i;
const OFFSET = /^(offset|skip|start)$/i;
const PAGE = /^page(_?number)?$/i;

export interface PageParameters {
  readonly limit: string | undefined;
  readonly cursor: string | undefined;
  readonly offset: string | undefined;
  readonly page: string | undefined;
  /** Those that are compared with properties, by the name of the property. */
  readonly filters: ReadonlyMap<string, string>;
}

/** @param properties of the records. */
export function pageParameters(parameters: readonly Parameter[], properties: readonly string[]): PageParameters {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const find = (pattern: RegExp) => names.find((name) => pattern.test(name) && !properties.includes(name));
  const paging = { limit: find(LIMIT), cursor: find(CURSOR), offset: find(OFFSET), page: find(PAGE) };
  const used = new Set<string | undefined>(Object.values(paging));
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const filters = names.flatMap((name) => {
    const property = used.has(name) ? undefined : properties.find((one) => plain(one) === plain(name));
    return property === undefined ? [] : [[property, name] as const];
  });
  return { ...paging, filters: new Map(filters) };
}

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** How many there are with these filters. */
  readonly total: number;
  /** The query of the next page, and its cursor. */
  readonly next: { readonly query: string; readonly cursor: string } | undefined;
}

/** A cursor that the list has not made. */
export class CursorError extends Error {}

/** @throws CursorError */
export function readPage(all: readonly StoredRecord[], parameters: PageParameters, query: Json): RecordPage {
  const filtered = all.filter(({ record }) =>
    [...parameters.filters].every(([property, name]) => query[name] === undefined || matches(record[property], query[name])),
  );
  const limit = numberAt(query, parameters.limit) ?? Infinity;
  const start = startOf(filtered, parameters, query, limit);
  const records = filtered.slice(start, start + limit);
  const last = records.at(-1);
  const end = start + records.length;
  const hasNext = end < filtered.length && last !== undefined;
  return { records, total: filtered.length, next: hasNext ? nextPage(parameters, query, last.id, start, end) : undefined };
}

function startOf(records: readonly StoredRecord[], { cursor, offset, page }: PageParameters, query: Json, limit: number): number {
  const text = cursor === undefined ? undefined : query[cursor];
  if (typeof text === 'string' || typeof text === 'number') {
    const id = records.some((one) => one.id === String(text)) ? String(text) : Buffer.from(String(text), 'base64url').toString();
    const found = records.findIndex((one) => one.id === id);
    if (found < 0) throw new CursorError(`query/${cursor} is not from this list`);
    return found + 1;
  }
  const skipped = numberAt(query, offset);
  if (skipped !== undefined) return skipped;
  const number = numberAt(query, page);
  return number === undefined || !Number.isFinite(limit) ? 0 : Math.max(0, number - 1) * limit;
}

function nextPage(parameters: PageParameters, query: Json, lastId: string, start: number, end: number): RecordPage['next'] {
  const cursor = Buffer.from(lastId).toString('base64url');
  const { cursor: byCursor, offset, page } = parameters;
  const changed: [string, unknown][] =
    byCursor !== undefined
      ? [[byCursor, cursor]]
      : offset !== undefined
        ? [[offset, end]]
        : page !== undefined
          ? [[page, Number(query[page] ?? 1) + 1]]
          : [];
  if (changed.length === 0) return undefined;
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...Object.fromEntries(changed) }))
    for (const one of [value].flat()) if (one !== undefined) next.append(name, textOf(one));
  return { query: next.toString(), cursor: byCursor === undefined ? String(start) : cursor };
}

const numberAt = (query: Json, name: string | undefined): number | undefined => {
  const value = name === undefined ? undefined : query[name];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
};

/** Equality; of several values with one of them; of a list with one of its items. */
function matches(value: unknown, wanted: unknown): boolean {
  const found = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => (isPlainObject(one) ? Object.values(one) : [one]));
  return (Array.isArray(wanted) ? (wanted as unknown[]) : [wanted]).some((one) => found.some((other) => String(one) === String(other)));
}
