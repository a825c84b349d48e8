/** Values that are made for the shape of a schema, to be expensive: nested along what refers to itself, wide, long, or with many names. */
import type { Document } from '@specwright/contract/document';
import {
  additionalOf,
  branchesOf,
  discriminatorOf,
  itemsOf,
  patternPropertiesOf,
  prefixItemsOf,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
  typeOf,
  valuesOf,
} from '@specwright/contract/document';

/** Makes a JSON text of about a number of bytes. */
export type MakeText = (bytes: number) => string;

/** The deepest nesting that is accepted has 1,000 levels. */
const MAX_LEVELS = 900;
const MAX_SAMPLE_DEPTH = 4;
const FILLS = ['a', '1', ' ', '@.', '-'];

const repeat = (part: string, bytes: number): string => part.repeat(Math.max(1, Math.floor(bytes / part.length)));
const listOf = (part: string, bytes: number): string => `[${repeat(`${part},`, bytes - part.length)}${part}]`;
const namesOf = (prefix: string, value: string, bytes: number): string =>
  Array.from(
    { length: Math.max(1, Math.floor(bytes / (prefix.length + value.length + 8))) },
    (_, i) => `${JSON.stringify(`${prefix}${i}`)}:${value}`,
  ).join();

/** A place of a schema: the JSON text before and after its value. */
interface Place {
  readonly schema: Schema;
  readonly open: string;
  readonly close: string;
}

/** @param visited schemas that have been looked at, of whatever other values: each is looked at once. */
export function valuesFor(document: Document, root: Schema, visited: Set<Schema>): ReadonlyMap<string, MakeText> {
  const values = new Map<string, MakeText>();
  const visit = ({ schema: given, open, close }: Place, above: readonly Place[]): void => {
    const schema = resolve<Schema>(document, given);
    const same = above.find((place) => place.schema === schema);
    if (same !== undefined) {
      const [before, after] = [open.slice(same.open.length), close.slice(0, close.length - same.close.length)];
      addNested(values, same, before, after);
      return;
    }
    if (visited.has(schema)) return;
    visited.add(schema);
    const place = { schema, open, close };
    const path = [...above, place];
    addWide(values, place, sampleOf(document, schema));
    const { allOf, anyOf, oneOf } = branchesOf(schema);
    for (const part of [...allOf, ...anyOf, ...oneOf]) visit({ schema: part, open, close }, path);
    for (const item of [itemsOf(schema), ...prefixItemsOf(schema)])
      if (item !== undefined) visit({ schema: item, open: `${open}[`, close: `]${close}` }, path);
    const additional = additionalOf(schema);
    const named = { ...propertiesOf(schema), ...patternPropertiesOf(schema), ...(typeof additional === 'object' && { any: additional }) };
    for (const [name, part] of Object.entries(named)) {
      const others = membersOf(document, schema, MAX_SAMPLE_DEPTH - 2, name);
      visit({ schema: part, open: `${open}{${[...others, `${JSON.stringify(name)}:`].join()}`, close: `}${close}` }, path);
    }
  };
  visit({ schema: root, open: '', close: '' }, []);
  return values;
}

/** As deep as is accepted; several beside each other, if there are more bytes and the place is in a list. */
function addNested(values: Map<string, MakeText>, { open, close }: Place, before: string, after: string): void {
  // A schema that is a part of itself without a value between has no deeper values.
  if (before === '') return;
  const nest = (leaf: string, bytes: number): string => {
    const levels = Math.max(1, Math.min(MAX_LEVELS / Math.max(1, depthOf(before)), Math.floor(bytes / (before.length + after.length))));
    return before.repeat(levels) + leaf + after.repeat(levels);
  };
  for (const leaf of ['{}', '[]', 'null', '"a"'])
    values.set(`nested ${before} ${leaf}`, (bytes) => {
      const one = nest(leaf, bytes);
      const count = Math.max(1, Math.round(bytes / one.length));
      return open + (count === 1 || !before.endsWith('[') ? one : before + Array.from({ length: count }, () => one).join() + after) + close;
    });
}

const depthOf = (text: string): number => text.replace(/[^[{]/g, '').length;

function addWide(values: Map<string, MakeText>, { schema, open, close }: Place, sample: string): void {
  const add = (name: string, make: MakeText) => values.set(`${name} at ${open}`, (bytes) => open + make(bytes) + close);
  const type = typeOf(schema);
  if (type === 'array' || itemsOf(schema) !== undefined) {
    for (const item of new Set(['{}', 'null', '0', '"a"', '[]', sample.slice(1, -1) || '{}']))
      add(`${item}s`, (bytes) => listOf(item, bytes));
    add('numbers', (bytes) => `[${Array.from({ length: Math.floor(bytes / 6) }, (_, i) => i).join()}]`);
  }
  if (type === 'string') for (const fill of FILLS) add(`a text of ${JSON.stringify(fill)}`, (bytes) => JSON.stringify(repeat(fill, bytes)));
  if (type === 'object' || Object.keys(propertiesOf(schema)).length > 0) {
    const members = sample.slice(1, -1);
    const beside = members === '' ? '' : `${members},`;
    for (const value of ['1', '{}']) add(`names of ${value}`, (bytes) => `{${beside}${namesOf('n', value, bytes)}}`);
    for (const pattern of Object.keys(patternPropertiesOf(schema)))
      add(`names like ${pattern}`, (bytes) => `{${namesOf(pattern.replace(/\W/g, ''), '1', bytes)}}`);
    add('a long name', (bytes) => `{${beside}${JSON.stringify(repeat('a-', bytes))}:1}`);
  }
}

/** The members that an object needs, but one. */
function membersOf(document: Document, schema: Schema, depth: number, without?: string): string[] {
  const properties = propertiesOf(schema);
  const { propertyName, mapping } = discriminatorOf(schema) ?? {};
  const tag = propertyName === undefined || without === propertyName ? [] : [[propertyName, Object.keys(mapping ?? {})[0] ?? 'a'] as const];
  return [
    ...tag.map((member) => member.map((text) => JSON.stringify(text)).join(':')),
    ...requiredOf(schema)
      .filter((name) => name !== without && name !== propertyName)
      .map((name) => `${JSON.stringify(name)}:${sampleOf(document, properties[name] ?? {}, depth - 1)}`),
  ];
}

/** A short value, often a valid one. */
function sampleOf(document: Document, given: Schema, depth = MAX_SAMPLE_DEPTH): string {
  const schema = resolve<Schema>(document, given);
  const values = valuesOf(schema);
  if (values !== undefined) return JSON.stringify(values[0] ?? null);
  if (depth <= 0) return 'null';
  const { allOf, anyOf, oneOf } = branchesOf(schema);
  const type = typeOf(schema);
  if (type === 'array') return `[${sampleOf(document, itemsOf(schema) ?? {}, depth - 1)}]`;
  if (type === 'string') return '"a"';
  if (type === 'integer' || type === 'number') return '1';
  if (type === 'boolean') return 'true';
  const members = membersOf(document, schema, depth);
  for (const part of allOf) members.push(...membersOf(document, resolve<Schema>(document, part), depth));
  const [first] = [...oneOf, ...anyOf];
  if (type === undefined && members.length === 0 && first !== undefined) return sampleOf(document, first, depth - 1);
  return `{${members.join()}}`;
}
