/** Compares what was written with what is read: equal is what means the same, however a server writes it. */
import { contentEncodingOf, formatOf, hasUniqueItems, isWriteOnly } from '@specwright/contract/document';
import type { Json } from '../document.ts';
import { declaredProperty, first, some, viewSchema, type Schemas, type SchemaView } from '../../../schema/schema-view.ts';

export interface Difference {
  /** Where, in the request: `body/owner/name`. */
  readonly place: string;
  readonly written: unknown;
  /** `undefined`: nothing. */
  readonly read: unknown;
}

/** A value with its schemas. Without schemas nothing is known of it. */
export interface Typed {
  readonly value: unknown;
  readonly schemas: Schemas;
}

/**
 * Everything that was written and does not come back, though the response declares it. What is added is no difference, what
 * is only written (`writeOnly`) is not expected, and `null` says that there is nothing.
 */
export function compareValues(document: Json, place: string, written: Typed, read: Typed): Difference[] {
  const view = viewSchema(document, written.schemas);
  if (some(view, isWriteOnly)) return [];
  const difference = { place, written: written.value, read: read.value };
  if (written.value === null) return read.value === null || read.value === undefined ? [] : [difference];
  if (read.value === null || read.value === undefined) return [difference];
  if (Array.isArray(written.value)) return compareArrays(document, place, written, read);
  if (typeof written.value === 'object') {
    if (typeof read.value !== 'object') return [difference];
    const readView = viewSchema(document, read.schemas);
    // Of a value that is free in both nothing may be missing.
    const isFree = readView.properties.size === 0 && readView.unions.length === 0 && readView.additional === undefined;
    return Object.entries(written.value).flatMap(([name, value]) => {
      const declared = declaredProperty(document, readView, name) ?? (isFree ? [] : undefined);
      if (declared === undefined) return [];
      const schemas = declaredProperty(document, view, name) ?? [];
      const found = Object.hasOwn(read.value as object, name) ? (read.value as Json)[name] : undefined;
      return compareValues(document, `${place}/${name}`, { value: value as unknown, schemas }, { value: found, schemas: declared });
    });
  }
  const format = formatIn(view) ?? formatIn(viewSchema(document, read.schemas));
  return isSameValue(written.value, read.value, format) ? [] : [difference];
}

function compareArrays(document: Json, place: string, written: Typed, read: Typed): Difference[] {
  const difference = { place, written: written.value, read: read.value };
  const [given, found] = [written.value as unknown[], read.value];
  if (!Array.isArray(found) || found.length !== given.length) return [difference];
  const view = viewSchema(document, written.schemas);
  const [items, readItems] = [view.items ?? [], viewSchema(document, read.schemas).items ?? []];
  const compare = (value: unknown, other: unknown, at: string) =>
    compareValues(document, at, { value, schemas: items }, { value: other, schemas: readItems });
  // Of a set the order means nothing.
  if (some(view, hasUniqueItems))
    return given.every((value) => found.some((other) => compare(value, other, place).length === 0)) ? [] : [difference];
  return given.flatMap((value, i) => compare(value, found[i], `${place}/${i}`));
}

/** Whether two values mean the same: moments in any zone, numbers and their texts, texts without the space around them. */
export function isSameValue(written: unknown, read: unknown, format?: string): boolean {
  if (written === read) return true;
  if (typeof written === 'number' && typeof read === 'number') return Math.abs(written - read) <= Math.abs(written) * precision(format);
  if (typeof written === 'object' || typeof read === 'object') return JSON.stringify(written) === JSON.stringify(read);
  if (typeof written !== 'string' || typeof read !== 'string') return textOf(written) === textOf(read);
  return normalize(written, format) === normalize(read, format);
}

/** What tells how a value is written: bytes in base64 are of the format `byte`. */
const formatIn = (view: SchemaView): string | undefined =>
  first(view, formatOf) ?? (first(view, contentEncodingOf) === 'base64' ? 'byte' : undefined);

/** Relative: that of the numbers of the format, in which a server may hold it. */
const precision = (format: string | undefined): number => (format === 'float' ? 2 ** -22 : 2 ** -50);

function normalize(text: string, format: string | undefined): string {
  const trimmed = text.trim().normalize('NFC');
  switch (format) {
    case 'date-time':
      // RFC 3339 says the same moment in many ways. Nobody has to keep more than milliseconds.
      return Number.isNaN(Date.parse(trimmed)) ? trimmed : new Date(trimmed).toISOString();
    case 'decimal':
      return plainDecimal(trimmed);
    case 'uri':
      return URL.canParse(trimmed) ? new URL(trimmed).href : trimmed;
    case 'byte':
      return Buffer.from(trimmed, 'base64').toString('base64');
    case 'email':
    case 'hostname':
    case 'uuid':
      return trimmed.toLowerCase();
    default:
      return trimmed;
  }
}

/** Without zeros at its ends, and without a sign of what is not negative: `+007.50` is `7.5`. */
function plainDecimal(text: string): string {
  const unsigned = text.replace(/^[+-]/, '');
  const [whole = '', fraction = ''] = unsigned.split('.');
  const digits = fraction.replace(/(?<!0)0+$/, '');
  const plain = `${whole.replace(/^0+/, '') || '0'}${digits === '' ? '' : `.${digits}`}`;
  return text.startsWith('-') && plain !== '0' ? `-${plain}` : plain;
}

/** Schemas of the object in a response that has most of the written names: the response itself, or a property of it (`{ data: ... }`). */
export function locateRecord(document: Json, schemas: Schemas, names: readonly string[]): { readonly path: readonly string[] } | undefined {
  const count = (parts: Schemas): number => {
    const view = viewSchema(document, parts);
    return names.filter(
      (name) => view.properties.has(name) || (view.unions.length > 0 && declaredProperty(document, view, name) !== undefined),
    ).length;
  };
  const inner = [...viewSchema(document, schemas).properties].map(([name, parts]) => ({ path: [name], count: count(parts) }));
  const [best] = [{ path: [], count: count(schemas) }, ...inner].sort((a, b) => b.count - a.count);
  return best === undefined || best.count === 0 ? undefined : best;
}

/** A value as a text: in a path, a query, a header or a form. */
export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join() : typeof value === 'string' ? value : JSON.stringify(value);
