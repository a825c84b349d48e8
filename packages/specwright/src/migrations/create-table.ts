/** The CREATE TABLE of a new noun: a column for each property of its schemas, and the columns that the other tables share. */
import type { Document } from '@specwright/contract/document';
import type { Column, Table } from '@specwright/postgres';
import { type Limits, intersectLimits } from '../database/check-constraints.ts';
import type { SchemaMap } from '../schema/database-locations.ts';
import type { Kind } from '../schema/compare-schemas.ts';
import { columnName } from '../schema/column-name.ts';
import { isOwnColumn } from '../schema/derive-tables.ts';
import { type PropertyFacts, propertyFacts, propertyNames } from '../schema/property-facts.ts';
import { type ColumnEntry, assertName, identifier, literal } from './migration-plan.ts';

/** A column that no schema has: whose a record is, its version. */
export interface SharedColumn {
  readonly name: string;
  /** What follows its name: `bigint NOT NULL REFERENCES accounts ON DELETE CASCADE`. */
  readonly definition: string;
  /** Whether each key begins with it. */
  readonly isOwner: boolean;
}

export interface TableQuestion {
  readonly document: Document;
  readonly table: string;
  /** Its schemas, and the columns that have a name already: those of its other properties are derived. */
  readonly mapped: SchemaMap['tables'][string];
  readonly shared: readonly SharedColumn[];
  /** `CONSTRAINT name ...` beside its key. */
  readonly constraints?: readonly string[];
  /** The properties that one of them makes a foreign key: it bounds them as well. */
  readonly references?: readonly string[];
  /** The properties that the map excepts, as `Schema.property`. */
  readonly isException?: (property: string) => boolean;
}

/** Columns that the map excepts of every table, as the first table has them that does not make their values. */
export function sharedColumns(map: SchemaMap, tables: readonly Table[]): SharedColumn[] {
  const mapped = tables.filter(({ name }) => name in map.tables);
  const own = mapped.flatMap(({ name, columns }) => (map.tables[name]?.isDerived === true ? columns.filter(isOwnColumn) : []));
  const names = [...own.map(({ name }) => name), ...Object.keys(map['not in the contract'].columns)];
  return [...new Set(names)].flatMap((name) => {
    if (name.includes('.')) return [];
    const column = mapped.flatMap(({ columns }) => columns.filter((one) => one.name === name && one.insert !== 'never'))[0];
    return column === undefined ? [] : [{ name, definition: definitionOf(column), isOwner: column.references !== null }];
  });
}

/** A property that would fill a column of the stores, such as the account that owns a row, from the body of a request. */
export const takenColumn = (property: string, column: string): string =>
  `${property}: the schema map excepts the column ${column} of the contract, whose values are the server's; rename the property, or give it a column by hand`;

function definitionOf({ type, nullable, default: value, references }: Column): string {
  const reference = references && `REFERENCES ${identifier(references.table)}${references.deletes === true ? ' ON DELETE CASCADE' : ''}`;
  return [type, nullable ? '' : 'NOT NULL', value === null ? '' : `DEFAULT ${value}`, reference].filter(Boolean).join(' ');
}

/**
 * Nothing is guessed of what two schemas say differently, or of what one column does not hold: that is undecided.
 *
 * @returns `statement` is `undefined` if its key has to be decided; `entries` are the properties that have a column now and are not in the map.
 * @throws Error if a name is too long, or two properties would have one column.
 */
export function createTable(question: TableQuestion) {
  const { document, table, mapped, shared, constraints = [], references = [], isException = () => false } = question;
  const schemas = [...new Set([...mapped.read, ...mapped.create, ...mapped.patch])];
  const properties = [
    ...new Set(schemas.flatMap((schema) => propertyNames(document, schema).filter((name) => !isException(`${schema}.${name}`)))),
  ];
  const nameOf = new Map(Object.entries(mapped.columns).map(([column, property]) => [property, column]));
  const entries: ColumnEntry[] = [];
  const undecided: string[] = [];
  const notes: string[] = [];
  const columns: string[] = [];
  const holders = new Map<string, string>();
  assertName(table);
  for (const property of properties) {
    const name = nameOf.get(property) ?? columnName(property);
    const full = `${table}.${name}`;
    assertColumn(holders, table, name, property);
    if (shared.some((column) => column.name === name)) {
      undecided.push(takenColumn(property, full));
      continue;
    }
    const desired = desiredColumn({ document, mapped, property, name });
    if ('reason' in desired) {
      undecided.push(`${full}: ${property} ${desired.reason}: add it to the migration by hand`);
      continue;
    }
    const isGiven = [...mapped.create, ...mapped.patch].some((schema) => isWritable(document, schema, property));
    const isReference = references.includes(property);
    columns.push(
      `${identifier(name)} ${columnDefinition(isReference ? { ...desired, check: undefined } : desired, isGiven, name === 'id')}`,
    );
    if (!nameOf.has(property)) entries.push({ table, column: name, property });
    if (name.endsWith('_id') && !isReference) notes.push(`${full}: if it refers to another table, add a foreign key to the migration`);
  }
  const owners = shared.filter(({ isOwner }) => isOwner).map(({ name }) => name);
  for (const owner of owners) notes.push(`${table}.${owner}: say in the stores what a broken ${table}_${owner}_fkey means to a client`);
  const own = nameOf.get('id') ?? (properties.includes('id') ? 'id' : undefined);
  if (own === undefined) {
    undecided.push(`${table}: no property is called id, so its key is yours to choose: write its CREATE TABLE`);
    return { statement: undefined, entries: [], undecided, notes: [] };
  }
  const isShared = ({ isOwner }: SharedColumn) => !isOwner;
  const definition = ({ name, definition: rest }: SharedColumn) => `${identifier(name)} ${rest}`;
  const parts = [
    ...shared.filter(({ isOwner }) => isOwner).map(definition),
    ...columns,
    ...shared.filter(isShared).map(definition),
    `PRIMARY KEY (${[...owners, own].map(identifier).join(', ')})`,
    ...constraints,
  ];
  return {
    statement: `CREATE TABLE ${identifier(table)} (\n${parts.map((part) => `      ${part}`).join(',\n')}\n    )`,
    entries,
    undecided,
    notes,
  };
}

const isWritable = (document: Document, schema: string, property: string): boolean => {
  const facts = propertyFacts(document, schema, property);
  return facts !== undefined && !facts.readOnly;
};

/** @param isGiven whether a client gives it; what the server makes has a value that the database can make, where there is one. */
function columnDefinition({ type, nullable, default: value, check, limits }: DesiredColumn, isGiven: boolean, isId: boolean): string {
  if (!isGiven && isId && (type === 'bigint' || type === 'integer')) {
    const most = limits.maximum;
    const range = most !== undefined && Number.isSafeInteger(most) ? ` (MAXVALUE ${most})` : '';
    // Its sequence begins at 1, which limits the column only if no INSERT can give another value.
    return `${type} GENERATED ${limits.minimum === 1 ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${range}`;
  }
  const made = isGiven ? undefined : type === 'uuid' ? 'gen_random_uuid()' : type === 'timestamptz' && !nullable ? 'now()' : undefined;
  const standard = value ?? made;
  return [type, nullable ? '' : 'NOT NULL', standard === undefined ? '' : `DEFAULT ${standard}`, check && `CHECK (${check})`]
    .filter(Boolean)
    .join(' ');
}

/** The column that holds a property: what its schemas ask for together, as SQL. */
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
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'timestamptz', date: 'date', uuid: 'uuid', decimal: 'numeric' };

/**
 * Notes the column of a property.
 *
 * @param holders the properties so far, by `table.column`.
 * @throws Error if the column has no name that PostgreSQL takes, or another property has it: then nothing can be written.
 */
export function assertColumn(holders: Map<string, string>, table: string, column: string, property: string): void {
  assertName(column, property);
  const other = holders.get(`${table}.${column}`);
  holders.set(`${table}.${column}`, property);
  if (other !== undefined)
    throw new Error(
      `${table}: ${other} and ${property} would both be the column ${column}; rename one of them, or map it to another column`,
    );
}

export interface ColumnQuestion {
  readonly document: Document;
  readonly mapped: SchemaMap['tables'][string];
  readonly property: string;
  readonly name: string;
}

/** Its limits are those that all schemas of requests allow; of what no request has, those of what is read. */
export function desiredColumn({ document, mapped, property, name }: ColumnQuestion): DesiredColumn | Undecided {
  const facts = KINDS.flatMap((kind) =>
    mapped[kind].flatMap((schema) => {
      const found = propertyFacts(document, schema, property);
      return found === undefined ? [] : [{ kind, schema, found }];
    }),
  );
  const [first] = facts;
  if (first === undefined) return { reason: 'is in no schema of the table' };
  const written = facts.filter(({ kind, found }) => kind !== 'read' && !found.readOnly);
  const limits = intersectLimits((written.length > 0 ? written : facts).map(({ found }) => found));
  const typeOf = (found: PropertyFacts) => columnType({ ...found, ...limits });
  const type = typeOf(first.found);
  if (type === undefined) return { reason: `is of type ${first.found.type}, which no single column holds as the contract has it` };
  if (facts.some(({ found }) => typeOf(found) !== type)) return { reason: 'has another type in another schema of the table' };
  const value = facts.find(({ found }) => found.default !== undefined)?.found.default;
  const nullable = isNullable(facts);
  return {
    name,
    type,
    nullable,
    default: nullable || value === undefined ? undefined : literal(value),
    check: checkOf(identifier(name), type, limits),
    limits,
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

/** The condition that limits a column of a type, as SQL; `undefined` if the type says it all. */
export function checkOf(name: string, type: string, { enum: values, minLength, maxLength, minimum, maximum }: Limits): string | undefined {
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
