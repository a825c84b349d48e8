/** The schema of the items of a sequence: `itemSchema` of OpenAPI 3.2, `x-item-schema` before. */
import { resolve, type Document, type MediaType, type Schema } from '../document/openapi.ts';
import { alternativesOf, branchesOf, propertiesOf } from './model.ts';

const ITEM_SCHEMA_EXTENSION = 'x-item-schema';
const KEYWORDS = ['itemSchema', ITEM_SCHEMA_EXTENSION] as const;

export type SequenceKind = 'events' | 'lines' | 'records';

/** Server-sent events (WHATWG HTML, section 9.2), JSON Lines, and JSON text sequences (RFC 7464). */
const KINDS: Readonly<Record<string, SequenceKind>> = {
  'text/event-stream': 'events',
  'application/jsonl': 'lines',
  'application/x-ndjson': 'lines',
  'application/x-jsonlines': 'lines',
  'application/json-seq': 'records',
};

/** @returns `undefined` for a media type that is no sequence. */
export const sequenceKind = (type: string): SequenceKind | undefined => KINDS[(type.split(';')[0] ?? '').trim().toLowerCase()];

/** @returns the schema of the items, and the keyword that it is at; `undefined` for a media type without one, or that is no sequence. */
export function itemSchemaOf(type: string, media: MediaType): { readonly schema: Schema; readonly keyword: string } | undefined {
  if (sequenceKind(type) === undefined) return undefined;
  for (const keyword of KEYWORDS) {
    const schema = media[keyword];
    if (schema !== undefined) return { schema, keyword };
  }
  return undefined;
}

/** Whether items are events with `data`, `event`, `id` and `retry`; else each is the data of an event. */
export function describesEvents(document: Document, schema: Schema): boolean {
  const seen = new Set<Schema>();
  const describes = (given: Schema): boolean => {
    const resolved = resolve<Schema>(document, given);
    if (seen.has(resolved)) return false;
    seen.add(resolved);
    return Object.hasOwn(propertiesOf(resolved), 'data') || [...alternativesOf(resolved), ...branchesOf(resolved).allOf].some(describes);
  };
  return describes(schema);
}
