/** What a property of a schema allows, with references and `allOf` resolved, and where the spec defines it. */
import {
  type Document,
  type Schema,
  boundsOf,
  declaredDefault,
  formatOf,
  isNullable,
  isReadOnly,
  limitsOf,
  locateValues,
  patternOf,
  pointerKeys,
  pointerTo,
  propertiesOf,
  requiredOf,
  typeOf,
  typesOf,
} from '@specwright/contract/document';
import type { Column, Table } from '@specwright/postgres';
import { type Limits, readCheck } from '../database/check-constraints.ts';
import { partsOf } from './schema-view.ts';

type Keys = readonly (string | number)[];

export interface PropertyFacts extends Facts {
  /** Of the property. */
  readonly path: Keys;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** The path of a keyword; without it, of the property. */
  readonly pathOf: (keyword: string) => Keys;
}

const FORMAT_INTEGERS: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  int32: { minimum: -2147483648, maximum: 2147483647 },
  int64: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

interface Located<T> {
  readonly value: T;
  readonly path: Keys;
}

/** What a schema says, with the path of the keyword that says it; `undefined` if it says nothing. */
type Read<T> = (schema: Schema, path: Keys) => Located<T> | undefined;

/** What a keyword says; @param read its value. */
const at =
  <T>(keyword: string, read: (schema: Schema) => T | undefined): Read<T> =>
  (schema, path) => {
    const value = read(schema);
    return value === undefined ? undefined : { value, path: [...path, keyword] };
  };

/** The first that says it: the schema itself, its reference, a part of its `allOf`, or what it is if it is not null. */
function find<T>(document: Document, reference: Schema, path: Keys, read: Read<T>): Located<T> | undefined {
  for (const { value, pointer } of partsOf(document, { value: reference, pointer: pointerTo(...path) })) {
    const found = read(value, pointerKeys(pointer));
    if (found !== undefined) return found;
  }
  return undefined;
}

const nonEmpty = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value);
const PROPERTIES = at('properties', (schema) => nonEmpty(propertiesOf(schema)));
const REQUIRED = at('required', (schema) => nonEmpty(requiredOf(schema)));

/** What is read of a property, by the name of the keyword. */
const READS = {
  type: at('type', typeOf),
  format: at('format', formatOf),
  minimum: locateBound('lower'),
  maximum: locateBound('upper'),
  minLength: at('minLength', (schema) => limitsOf(schema).minLength),
  maxLength: at('maxLength', (schema) => limitsOf(schema).maxLength),
  enum: ((schema, path) => {
    const values = locateValues(schema);
    const [first] = values;
    return first === undefined ? undefined : { value: values.map(([, value]) => value), path: [...path, ...first[0].slice(0, 1)] };
  }) satisfies Read<readonly unknown[]>,
  pattern: at('pattern', patternOf),
  default: at('default', declaredDefault),
  readOnly: at('readOnly', (schema) => isReadOnly(schema) || undefined),
  nullable: at('nullable', (schema) => typesOf(schema).includes('null') || undefined),
};

/** The least or the greatest number, as an integer has it. */
function locateBound(side: 'lower' | 'upper'): Read<number> {
  return (schema, path) => {
    const bound = boundsOf(schema)[side];
    if (bound === undefined) return undefined;
    const next = side === 'lower' ? Math.floor(bound.value) + 1 : Math.ceil(bound.value) - 1;
    return { value: bound.exclusive ? next : bound.value, path: [...path, bound.keyword] };
  };
}

/** The names of the properties of a schema of components. */
export const propertyNames = (document: Document, schema: string): string[] =>
  Object.keys(find(document, document.components?.schemas?.[schema] ?? {}, ['components', 'schemas', schema], PROPERTIES)?.value ?? {});

/** @returns `undefined` if the schema has no such property. */
export function propertyFacts(document: Document, schema: string, name: string): PropertyFacts | undefined {
  const root = ['components', 'schemas', schema];
  const owner = document.components?.schemas?.[schema] ?? {};
  const properties = find(document, owner, root, PROPERTIES);
  const property = properties?.value[name];
  if (properties === undefined || property === undefined) return undefined;

  const path = [...properties.path, name];
  const read = <T>(what: Read<T>): T | undefined => find(document, property, path, what)?.value;
  const format = read(READS.format);
  const limits: { -readonly [K in keyof Limits]: Limits[K] | undefined } = {
    minimum: read(READS.minimum) ?? FORMAT_INTEGERS[format ?? '']?.minimum,
    maximum: read(READS.maximum) ?? FORMAT_INTEGERS[format ?? '']?.maximum,
    minLength: read(READS.minLength),
    maxLength: read(READS.maxLength),
    enum: read(READS.enum)?.filter((value) => value !== null) as string[] | undefined,
    pattern: read(READS.pattern),
  };
  const type = read(READS.type);
  return {
    ...limits,
    path,
    type: type ?? 'any',
    format,
    nullable: type !== undefined && isNullable(document, property),
    default: read(READS.default),
    required: find(document, owner, root, REQUIRED)?.value.includes(name) === true,
    readOnly: read(READS.readOnly) === true,
    pathOf: (keyword) =>
      (keyword in READS ? find<unknown>(document, property, path, READS[keyword as keyof typeof READS])?.path : undefined) ?? path,
  };
}

/** What a column or a property allows. A missing bound is `undefined`. */
interface Facts extends Limits {
  readonly type: string;
  readonly format?: string | undefined;
  readonly nullable: boolean;
  readonly default?: unknown;
}

export interface ColumnFacts extends Facts {
  /** The constraint of each limit that a constraint sets. */
  readonly constraints: Readonly<Partial<Record<keyof Limits, string>>>;
}

const COLUMN_INTEGERS: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  smallint: { minimum: -32768, maximum: 32767 },
  integer: { minimum: -2147483648, maximum: 2147483647 },
  bigint: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

const OTHER_TYPES: Readonly<Record<string, { type: string; format?: string }>> = {
  text: { type: 'string' },
  citext: { type: 'string' },
  'character varying': { type: 'string' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  'timestamp with time zone': { type: 'string', format: 'date-time' },
  real: { type: 'number' },
  'double precision': { type: 'number' },
  numeric: { type: 'number' },
};

/** @returns `undefined` if the type corresponds to no type of a schema. */
export function columnFacts(tables: readonly Table[], table: Table, column: Column, depth = 0): ColumnFacts | undefined {
  const { nullable, labels } = column;
  const [, name = '', length] = /^([a-z ]+?)(?:\((\d+)(?:,\d+)?\))?$/.exec(column.type) ?? [];
  const base = name in COLUMN_INTEGERS ? { type: 'integer' } : labels === null ? OTHER_TYPES[name] : { type: 'string', enum: [...labels] };
  if (base === undefined) return undefined;

  const limits: Limits = { ...COLUMN_INTEGERS[name], ...(length === undefined || name === 'numeric' ? {} : { maxLength: Number(length) }) };
  const constraints: Partial<Record<keyof Limits, string>> = {};
  const add = (more: Limits, constraint?: string) => {
    for (const key of narrow(limits, more)) if (constraint !== undefined) constraints[key] = constraint;
  };
  if (column.identity !== null) add(column.identity);
  const target = tables.find((other) => other.name === column.references?.table);
  const referred = target?.columns.find((other) => other.name === column.references?.column);
  if (target !== undefined && referred !== undefined && depth < 5) {
    const { minimum, maximum } = columnFacts(tables, target, referred, depth + 1) ?? {};
    add({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) });
  }
  for (const check of table.checks) {
    for (const condition of readCheck(check.definition) ?? []) if (condition.column === column.name) add(condition.limits, check.name);
  }
  return { ...base, ...limits, nullable, default: parseDefault(column.default), constraints };
}

/** Adds limits; where both have one, the narrower counts. @returns those that were set. */
function narrow(limits: Limits, more: Limits): (keyof Limits)[] {
  return (Object.entries(more) as [keyof Limits, never][]).flatMap(([key, value]) => {
    const [current, added] = [limits[key], value as unknown];
    const looser =
      typeof current === 'number' && typeof added === 'number' && (key.startsWith('min') ? added <= current : added >= current);
    if (looser) return [];
    limits[key] = value;
    return [key];
  });
}

/** The value of a constant default; `undefined` if there is none, `null` if it is computed. */
function parseDefault(expression: string | null): unknown {
  if (expression === null) return undefined;
  const [, text, plain] = /^(?:'((?:[^']|'')*)'|\(?(-?\d+(?:\.\d+)?|true|false)\)?)(?:::[a-z ]+)?$/.exec(expression) ?? [];
  if (plain !== undefined) return JSON.parse(plain) as unknown;
  return text?.replaceAll("''", "'") ?? null;
}
