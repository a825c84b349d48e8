/** The column that holds a property: what its schemas ask for together, as SQL. */
import type { Document } from '@specwright/contract/document';
import { propertyFacts, type PropertyFacts } from '../schema/property-facts.ts';
import type { Kind } from '../schema/differences.ts';
import type { SchemaMap } from '../schema/schema-map.ts';
import type { Limits } from '../database/check-constraints.ts';
import { identifier, literal } from './sql-identifier.ts';

export interface DesiredColumn {
  readonly name: string;
  /** `bigint` */
  readonly type: string;
  readonly nullable: boolean;
  /** A literal, if the contract has a default that rows are to have. */
  readonly default: string | undefined;
  /** A condition for CHECK, if there is one. */
  readonly check: string | undefined;
  readonly limits: Limits;
}

/** What a person has to decide instead, as the end of a sentence about the property. */
export type Undecided = { readonly reason: string };

const KINDS: readonly Kind[] = ['create', 'patch', 'read'];
const INT = { minimum: -2147483648, maximum: 2147483647 };
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'timestamptz', date: 'date', uuid: 'uuid' };

/** `categoryId` -> `category_id` */
export const columnName = (property: string): string =>
  property
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

export interface ColumnQuestion {
  readonly document: Document;
  /** What the map says of the table. */
  readonly mapped: SchemaMap['tables'][string];
  readonly property: string;
  /** The name of the column. */
  readonly name: string;
  /** The schema whose limits count where schemas differ; else that of new records. */
  readonly schema?: string;
}

export function desiredColumn({ document, mapped, property, name, schema: preferred }: ColumnQuestion): DesiredColumn | Undecided {
  const facts = KINDS.flatMap((kind) =>
    mapped[kind].flatMap((schema) => {
      const found = propertyFacts(document, schema, property);
      return found === undefined ? [] : [{ kind, schema, found }];
    }),
  );
  const first = facts.find(({ schema }) => schema === preferred) ?? facts[0];
  if (first === undefined) return { reason: 'is in no schema of the table' };
  const { found: given } = first;
  const type = columnType(given);
  if (type === undefined) return { reason: `is of type ${given.type}, which no single column holds as the contract has it` };
  if (facts.some(({ found }) => columnType(found) !== type)) return { reason: 'has another type in another schema of the table' };
  const value = facts.find(({ found }) => found.default !== undefined)?.found.default;
  const nullable = isNullable(facts);
  return {
    name,
    type,
    nullable,
    default: nullable || value === undefined ? undefined : literal(value),
    check: checkOf(identifier(name), type, given),
    limits: given,
  };
}

/** The type of the column; `undefined` where a separate table or `jsonb` is a decision. */
function columnType({ type, format, minimum, maximum, enum: values }: PropertyFacts): string | undefined {
  if (type === 'boolean') return 'boolean';
  if (type === 'number') return 'double precision';
  if (type === 'string') return format === 'binary' || format === 'byte' ? undefined : (FORMATS[format ?? ''] ?? 'text');
  if (type !== 'integer' || values !== undefined) return undefined;
  return (minimum ?? -Infinity) >= INT.minimum && (maximum ?? Infinity) <= INT.maximum ? 'integer' : 'bigint';
}

/** As check-schema compares it: a NULL is an absent property of what is read. */
function isNullable(facts: readonly { kind: Kind; found: PropertyFacts }[]): boolean {
  const by = (kind: Kind) => facts.find((fact) => fact.kind === kind)?.found;
  const [read, create, patch] = [by('read'), by('create'), by('patch')];
  if (read !== undefined) return read.nullable || !read.required;
  if (create !== undefined) return create.nullable || (!create.required && create.default === undefined);
  return patch?.nullable ?? true;
}

function checkOf(name: string, type: string, { enum: values, minLength, maxLength, minimum, maximum }: PropertyFacts): string | undefined {
  if (type === 'text') {
    if (values !== undefined) return `${name} IN (${values.map(literal).join(', ')})`;
    return range(`char_length(${name})`, minLength === 0 ? undefined : minLength, maxLength);
  }
  // The bounds of the type are no condition, nor are those of a 64 bit number.
  const bound = (value: number | undefined, ofType: number) =>
    value === undefined || !Number.isSafeInteger(value) || (type === 'integer' && value === ofType) ? undefined : value;
  if (type === 'integer' || type === 'bigint' || type === 'double precision')
    return range(name, bound(minimum, INT.minimum), bound(maximum, INT.maximum));
  return undefined;
}

function range(term: string, low: number | undefined, high: number | undefined): string | undefined {
  if (low !== undefined && high !== undefined) return `${term} BETWEEN ${low} AND ${high}`;
  if (low !== undefined) return `${term} >= ${low}`;
  return high === undefined ? undefined : `${term} <= ${high}`;
}
