/** Answers with a page of records: as a list, or in the envelope that the contract declares. */
import { type Document, type Parameter, parametersOf } from '@specwright/contract/document';
import type { MockRequest, MockResponse } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { seedOf } from '../../testing/contract/values/leaf-values.ts';
import { textOf } from '../../testing/contract/values/compare-values.ts';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { type MockValues, isPlainObject } from '../mock-values.ts';
import { type RecordPlace, bodySchema, concretePath } from './find-resources.ts';

export interface ListParts {
  readonly document: Document;
  readonly values: MockValues;
  readonly answers: ContractAnswers;
  readonly place: RecordPlace;
  readonly records: readonly StoredRecord[];
}

const TOTAL = /^(total|count|total_?(count|items))$/i;
const HAS_MORE = /^has_?(more|next)$/i;
const NEXT = /^(next|next_?cursor|cursor|next_?(page_?)?token)$/i;

/** @throws CursorError */
export function answerList(request: MockRequest, parts: ListParts): MockResponse {
  const { document, values, answers, place, records } = parts;
  const { path, query } = request.input;
  const properties = [...values.view(place.schemas).properties.keys()];
  const page = readPage(records, pageParameters(parametersOf(document, answers.operation), properties), query);
  const [schema] = place.schemas;
  const items = page.records.map(({ id, record }) =>
    schema === undefined ? record : values.valueOf(schema, { seed: seedOf(id), given: record }),
  );
  const url = concretePath(request.operation.path, path);
  const next = page.next && `${url}?${page.next.query}`;
  const headers = new Map([
    ['x-total-count', String(page.total)],
    ['link', next === undefined ? '' : `<${next}>; rel="next"`],
  ]);
  const given = place.within === undefined ? items : { ...envelope(request, parts, page, next), [place.within]: items };
  const response = answers.answer(request, { headers, given });
  // The last page has no `Link`.
  const fields = Object.entries(response.headers ?? {}).filter(([name, value]) => name.toLowerCase() !== 'link' || value !== '');
  return { ...response, headers: Object.fromEntries(fields) };
}

function envelope(request: MockRequest, { values, answers }: ListParts, page: RecordPage, next: string | undefined): object {
  const { body } = answers.answer({ ...request, headers: {} });
  const fields: Record<string, unknown> = isPlainObject(body) ? { ...body } : {};
  const schema = bodySchema(answers);
  const said = new Map<string, unknown>();
  for (const name of schema === undefined ? [] : values.view(schema).properties.keys()) {
    if (TOTAL.test(name)) said.set(name, page.total);
    else if (HAS_MORE.test(name)) said.set(name, page.next !== undefined);
    else if (NEXT.test(name)) said.set(name, /^next$/i.test(name) ? next : page.next?.cursor);
  }
  const all = Object.entries({ ...fields, ...Object.fromEntries(said) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** A page of a list: the records that the query asks for, as far as the parameters of the contract tell. */
const LIMIT = /^(limit|per_?page|page_?size|max_?results|first)$/i;
const CURSOR = /^(cursor|after|starting_?after|(next_?)?(page_?)?token)$/i;
const OFFSET = /^(offset|skip|start)$/i;
const PAGE = /^page(_?number)?$/i;

type PageParameters = ReturnType<typeof pageParameters>;

/** @param properties of the records. */
export function pageParameters(parameters: readonly Parameter[], properties: readonly string[]) {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const find = (pattern: RegExp) => names.find((name) => pattern.test(name) && !properties.includes(name));
  const paging = { limit: find(LIMIT), cursor: find(CURSOR), offset: find(OFFSET), page: find(PAGE) };
  const used = new Set<string | undefined>(Object.values(paging));
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const filters = names.flatMap((name) => {
    const property = used.has(name) ? undefined : properties.find((one) => plain(one) === plain(name));
    return property === undefined ? [] : [[property, name] as const];
  });
  /** Those that are compared with properties, by the name of the property. */
  return { ...paging, filters: new Map(filters) };
}

interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** How many there are with these filters. */
  readonly total: number;
  /** The query of the next page, and its cursor. */
  readonly next: { readonly query: string; readonly cursor: string } | undefined;
}

/** A cursor that the list has not made. */
export class CursorError extends Error {}

/** @throws CursorError */
function readPage(all: readonly StoredRecord[], parameters: PageParameters, query: Json): RecordPage {
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

/** The records of a mock, in memory: by the path of their collection and their id, in the order in which they were created. */
export interface StoredRecord {
  readonly id: string;
  readonly record: Json;
  readonly version: number;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** So that what is created in a loop does not fill the memory of a process that runs for days. */
const MAX_RECORDS = 10_000;

/** @param seed makes the records that a collection has at first; called once for each. */
export function createRecordStore(seed: (path: string) => ReadonlyMap<string, Json>) {
  const collections = new Map<string, Map<string, StoredRecord>>();
  const removed = new Set<string>();
  const given = new Map<string, { count: number; highest: number }>();
  let versions = 0;

  const givenAt = (path: string) => given.get(path) ?? { count: 0, highest: 0 };

  function stored(path: string, id: string, record: Json, isNew: boolean): StoredRecord {
    const { count, highest } = givenAt(path);
    const number = Number(id);
    given.set(path, { count: count + Number(isNew), highest: Number.isSafeInteger(number) ? Math.max(highest, number) : highest });
    return { id, record, version: ++versions };
  }

  function collectionAt(path: string): Map<string, StoredRecord> {
    let found = collections.get(path);
    if (found === undefined) {
      found = new Map([...seed(path)].map(([id, record]) => [id, stored(path, id, record, true)]));
      collections.set(path, found);
    }
    return found;
  }

  return {
    /** @param path of the collection, with its parameters: `/users/5/posts`. */
    list: (path: string): readonly StoredRecord[] => [...collectionAt(path).values()],
    get: (path: string, id: string) => collectionAt(path).get(id),
    put(path: string, id: string, record: Json): StoredRecord {
      const collection = collectionAt(path);
      const one = stored(path, id, record, !collection.has(id));
      collection.set(id, one);
      const [oldest] = collection.size > MAX_RECORDS ? collection.keys() : [];
      if (oldest !== undefined) collection.delete(oldest);
      return one;
    },
    /** How many ids the collection has had, and the highest of those that are integers. */
    given(path: string): Readonly<{ count: number; highest: number }> {
      collectionAt(path);
      return givenAt(path);
    },
    wasRemoved: (path: string, id: string) => removed.has(`${path}/${id}`),
    /** Removes a record, and what is below it. */
    remove(path: string, id: string): void {
      removed.add(`${path}/${id}`);
      for (const other of collections.keys()) if (other.startsWith(`${path}/${id}/`)) collections.delete(other);
      collectionAt(path).delete(id);
    },
  };
}
