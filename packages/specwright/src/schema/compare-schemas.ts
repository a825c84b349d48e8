/** Compares the tables of the database with the schemas of the contract, as the schema map relates them. */
import { type Schema, type SourceDocument, formatProblem, typeOf } from '@specwright/contract/document';
import type { Column, Table } from '@specwright/postgres';
import { type Limits, readCheck } from '../database/check-constraints.ts';
import { type ColumnFacts, columnFacts, propertyFacts, propertyNames, type PropertyFacts } from './property-facts.ts';
import { deriveTables, errorSchemas, isOwnColumn } from './derive-tables.ts';
import { type DatabaseFiles, type SchemaMap, formatDatabaseLocation } from './database-locations.ts';

export interface SchemaComparison extends DatabaseFiles {
  readonly source: SourceDocument;
  readonly tables: readonly Table[];
  readonly map: SchemaMap;
  /** The file of the map, for messages. */
  readonly mapFile: string;
}

/** What a migration would have to change, if one is the fix. */
export type SchemaChange =
  /** A property that no column holds; `tables`: those that the map gives its schema. */
  | { readonly kind: 'add'; readonly tables: readonly string[]; readonly schema: string; readonly property: string }
  | {
      readonly kind: 'alter';
      readonly table: Table;
      readonly column: Column;
      readonly facts: ColumnFacts;
      readonly schema: string;
      readonly property: string;
      readonly aspect: string;
    }
  /** A column whose property no schema has any more. */
  | { readonly kind: 'drop'; readonly table: string; readonly column: string }
  /** A table that only the map has. */
  | { readonly kind: 'create'; readonly table: string };

export interface SchemaProblem {
  /** Its locations, and what to do. */
  readonly message: string;
  readonly change?: SchemaChange;
}

interface Context extends SchemaComparison {
  readonly exceptions: Exceptions;
}

const KINDS: readonly Kind[] = ['read', 'create', 'patch'];

/** @returns every problem, each with its locations and what to do; none if contract and database agree. */
export const compareSchemas = (comparison: SchemaComparison): string[] => findSchemaProblems(comparison).map(({ message }) => message);

/** As `compareSchemas`, with what a migration would have to change. */
export function findSchemaProblems(comparison: SchemaComparison): SchemaProblem[] {
  const map = deriveTables(comparison.source.document, comparison.map, comparison.tables);
  const context: Context = { ...comparison, map, exceptions: new Exceptions(map) };
  const problems = [
    ...comparison.tables.flatMap((table) => [...unmappedParts(context, table)].map((message) => ({ message }))),
    ...missingTables(context),
    ...unmappedSchemas(context),
    ...comparison.tables.flatMap((table) => [...columnDifferences(context, table)]),
    ...[...missingSchemas(context)].map((message) => ({ message })),
  ];
  // Last, when it is known which of them applied.
  const unused = context.exceptions
    .unused()
    .map((name) => ({ message: `${context.mapFile}: the exception ${name} is not needed: remove it` }));
  return [...problems, ...unused];
}

/** The names of the schemas that have to be mapped to a table, or excepted. */
export const recordSchemas = (source: SourceDocument): string[] =>
  Object.entries(source.document.components?.schemas ?? {}).flatMap(([name, schema]) => (isRecord(source, name, schema) ? [name] : []));

const isRecord = ({ document }: SourceDocument, name: string, schema: Schema) =>
  typeOf(schema) === 'object' || propertyNames(document, name).length > 0;

const formatAt = ({ source }: Context, path: readonly (string | number)[], message: string) =>
  formatProblem(source.file, { ...source.locate(path), message });

/** Tables, columns and constraints that the map does not mention, and columns of the map that do not exist. */
function* unmappedParts(context: Context, table: Table): Generator<string> {
  const { map, mapFile, exceptions } = context;
  if (exceptions.apply('tables', table.name)) return;
  const mapped = map.tables[table.name];
  if (mapped === undefined) {
    yield `${formatDatabaseLocation(context, table.name)} table ${table.name} is not in ${mapFile}: map it to its schemas, or give a reason there`;
    return;
  }
  for (const column of table.columns) {
    const full = `${table.name}.${column.name}`;
    if (mapped.isDerived === true && isOwnColumn(column)) continue;
    if (column.name in mapped.columns || exceptions.apply('columns', full) || exceptions.apply('columns', column.name)) continue;
    const location = formatDatabaseLocation(context, table.name, column.name);
    yield `${location} column ${full} is not in ${mapFile}: map it to a property, or give a reason there`;
  }
  for (const { name, definition } of table.checks) {
    if (readCheck(definition) !== undefined || exceptions.apply('constraints', name)) continue;
    const location = formatDatabaseLocation(context, table.name, name, columnOfConstraint(table.name, name));
    yield `${location} constraint ${name} cannot be compared with a schema: ${shorten(definition)}. Give in ${mapFile} what enforces it`;
  }
  for (const name of Object.keys(mapped.columns)) {
    if (!table.columns.some((column) => column.name === name)) yield `${mapFile}: table ${table.name} has no column ${name}: remove it`;
  }
}

/** A definition may be of any length; a line of output may not. */
const shorten = (definition: string) => (definition.length > 80 ? `${definition.slice(0, 80)}...` : definition);

/** The column of a constraint that PostgreSQL named. */
const columnOfConstraint = (table: string, constraint: string) => constraint.replace(`${table}_`, '').replace(/_check$/, '');

function* missingTables({ map, mapFile, tables }: Context): Generator<SchemaProblem> {
  for (const table of Object.keys(map.tables)) {
    if (tables.some(({ name }) => name === table)) continue;
    const message = `${mapFile}: there is no table ${table}: remove it, or run \`npx specwright add-migration\``;
    yield { message, change: { kind: 'create', table } };
  }
}

function* missingSchemas({ map, mapFile, source }: Context): Generator<string> {
  for (const schema of Object.values(map.tables).flatMap((table) => KINDS.flatMap((kind) => table[kind]))) {
    if (source.document.components?.schemas?.[schema] === undefined) yield `${mapFile}: there is no schema ${schema}: remove it`;
  }
}

/** Schemas and properties that the map does not mention. */
function* unmappedSchemas(context: Context): Generator<SchemaProblem> {
  const { source, map, mapFile, exceptions } = context;
  const errors = errorSchemas(source.document);
  for (const [name, schema] of Object.entries(source.document.components?.schemas ?? {})) {
    const path = ['components', 'schemas', name];
    const tables = Object.entries(map.tables).filter(([, table]) => KINDS.some((kind) => table[kind].includes(name)));
    if (tables.length === 0) {
      const message = `schema ${name} is not in ${mapFile}: list it with its table, or give a reason there`;
      if (isRecord(source, name, schema) && !exceptions.apply('schemas', name) && !errors.has(name))
        yield { message: formatAt(context, path, message) };
      continue;
    }
    // A schema that had no table may have got one.
    if (tables.some(([, { isDerived }]) => isDerived)) exceptions.apply('schemas', name);
    for (const property of propertyNames(source.document, name)) {
      const isMapped = tables.some(([, { columns }]) => Object.values(columns).includes(property));
      if (isMapped || exceptions.apply('properties', `${name}.${property}`)) continue;
      const message = `property ${name}.${property} is not in ${mapFile}, no column holds it: run \`npx specwright add-migration\`, or give a reason there`;
      const change = { kind: 'add', tables: tables.map(([table]) => table), schema: name, property } as const;
      yield { message: formatAt(context, [...path, 'properties', property], message), change };
    }
  }
}

/** Columns that differ from the properties that they are mapped to. */
function* columnDifferences(context: Context, table: Table): Generator<SchemaProblem> {
  const { tables, map, mapFile } = context;
  for (const column of table.columns) {
    const property = map.tables[table.name]?.columns[column.name];
    if (property === undefined) continue;
    const facts = columnFacts(tables, table, column);
    if (facts === undefined) {
      const location = formatDatabaseLocation(context, table.name, column.name);
      yield { message: `${location} type ${column.type} of ${table.name}.${column.name} is not supported by check-schema` };
      continue;
    }
    const schemas = KINDS.flatMap((kind) => (map.tables[table.name]?.[kind] ?? []).map((schema) => ({ kind, schema })));
    const owners = schemas.filter(({ schema }) => propertyNames(context.source.document, schema).includes(property));
    const isWritten = owners.some(
      ({ kind, schema }) => kind !== 'read' && propertyFacts(context.source.document, schema, property)?.readOnly === false,
    );
    for (const { kind, schema } of owners)
      yield* propertyDifferences(context, { table, column, facts, kind, schema, property, mayBeNarrower: kind === 'read' && isWritten });
    if (owners.length > 0) continue;
    const message = `${mapFile}: no schema of table ${table.name} has a property ${property}: remove the column ${column.name}, or correct it`;
    yield { message, change: { kind: 'drop', table: table.name, column: column.name } };
  }
}

interface MappedColumn extends Omit<Extract<SchemaChange, { kind: 'alter' }>, 'kind' | 'aspect'> {
  readonly kind: Kind;
  /** Whether the column may hold less: what is read was written by another schema, which has its limits. */
  readonly mayBeNarrower: boolean;
}

function* propertyDifferences(context: Context, mapped: MappedColumn): Generator<SchemaProblem> {
  const { table, column, facts, kind, schema, property, mayBeNarrower } = mapped;
  const spec = propertyFacts(context.source.document, schema, property);
  if (spec === undefined) return;
  for (const difference of differences(kind, spec, facts, mayBeNarrower)) {
    const { aspect, limit = aspect as keyof Limits } = difference;
    const full = `${table.name}.${column.name}`;
    const isException = [`${schema}.${property} ${aspect}`, `${full} ${aspect}`].some((name) =>
      context.exceptions.apply('differences', name),
    );
    if (isException) continue;
    const location = formatDatabaseLocation(context, table.name, facts.constraints[limit] ?? column.name, column.name);
    const message = `${aspect} of ${schema}.${property} is ${difference.spec}, and ${full} at ${location} has ${difference.column}: change the spec, or the column by a new migration (\`npx specwright add-migration\`)`;
    yield {
      message: formatAt(context, spec.pathOf(aspect), message),
      change: { kind: 'alter', table, column, facts, schema, property, aspect },
    };
  }
}

/** The exceptions of the schema map, and which of them applied. */
type Section = 'tables' | 'columns' | 'constraints' | 'schemas' | 'properties' | 'differences';

class Exceptions {
  readonly #applied: Map<string, boolean>;

  constructor(map: SchemaMap) {
    const sections = { ...map['not in the contract'], ...map['not in the database'], differences: map.differences };
    this.#applied = new Map(
      Object.entries(sections).flatMap(([section, names]) => Object.keys(names).map((name) => [`${section} ${name}`, false] as const)),
    );
  }

  /** Whether the map has an exception, which counts as applied from now on. */
  apply(section: Section, name: string): boolean {
    const key = `${section} ${name}`;
    if (!this.#applied.has(key)) return false;
    this.#applied.set(key, true);
    return true;
  }

  unused(): string[] {
    return [...this.#applied].flatMap(([name, applied]) => (applied ? [] : [name]));
  }
}

// The differences between a property and its column.

/** What a schema describes: a record that is read, one that is created, or a patch (RFC 7396). */
export type Kind = 'read' | 'create' | 'patch';

/** A difference; `limit`: the keyword whose constraint causes it. */
interface Difference {
  readonly aspect: string;
  readonly spec: string;
  readonly column: string;
  readonly limit?: keyof Limits;
}

/** The bounds of a bigint count as none. */
const formatValue = (value: unknown) =>
  value === undefined || Math.abs(Number(value)) >= 2 ** 63 ? 'none' : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);

function* differences(kind: Kind, property: PropertyFacts, column: ColumnFacts, mayBeNarrower: boolean): Generator<Difference> {
  // Clients may have decimal numbers as strings, with every digit, or as numbers.
  const isDecimal = column.type === 'number' && property.type === 'string' && property.format === 'decimal';
  if (property.type !== column.type && !isDecimal) {
    yield { aspect: 'type', spec: property.type, column: column.type };
    return;
  }
  if (column.format !== undefined && property.format !== column.format) {
    yield { aspect: 'format', spec: formatValue(property.format), column: column.format };
  }
  yield* nullability(kind, property, column);
  if (property.default !== undefined && column.default !== undefined && column.default !== null && property.default !== column.default) {
    yield { aspect: 'default', spec: formatValue(property.default), column: formatValue(column.default) };
  }
  yield* valueDifferences(property, column, mayBeNarrower);
}

/** What both say of single values: enum, pattern, lengths, ranges. */
function* valueDifferences(property: PropertyFacts, column: ColumnFacts, mayBeNarrower: boolean): Generator<Difference> {
  const [specEnum, columnEnum] = [property.enum, column.enum].map((values) => values && [...values].sort());
  const isPart = mayBeNarrower && columnEnum?.every((value) => specEnum?.includes(value) ?? true) === true;
  if (formatValue(specEnum) !== formatValue(columnEnum) && !isPart)
    yield { aspect: 'enum', spec: formatValue(property.enum), column: formatValue(column.enum) };
  if (column.pattern !== undefined && property.pattern !== column.pattern) {
    yield { aspect: 'pattern', spec: formatValue(property.pattern), column: formatValue(column.pattern) };
  }
  const hasLength =
    property.type === 'string' &&
    specEnum === undefined &&
    columnEnum === undefined &&
    column.format === undefined &&
    column.type === 'string';
  const [lower, upper] = property.type === 'integer' ? (['minimum', 'maximum'] as const) : (['minLength', 'maxLength'] as const);
  if (property.type === 'integer' || hasLength) yield* limitDifferences([lower, upper], property, column, mayBeNarrower);
}

function* limitDifferences(
  keys: readonly ('minimum' | 'maximum' | 'minLength' | 'maxLength')[],
  property: PropertyFacts,
  column: ColumnFacts,
  mayBeNarrower: boolean,
): Generator<Difference> {
  for (const key of keys) {
    const [wanted, own] = [property[key], column[key]];
    const isNarrower = own !== undefined && (wanted === undefined || (key.startsWith('min') ? own >= wanted : own <= wanted));
    if (mayBeNarrower && isNarrower) continue;
    const least = key === 'minLength' ? 0 : undefined;
    const [spec, actual] = [formatValue(property[key] ?? least), formatValue(column[key] ?? least)];
    if (spec !== actual) yield { aspect: key, spec, column: actual };
  }
}

/** A NULL is an absent property, or `null` where the spec allows it. */
function* nullability(kind: Kind, property: PropertyFacts, column: ColumnFacts): Generator<Difference> {
  const nullness = column.nullable ? 'NULL' : 'NOT NULL';
  const cannotBeRemoved = kind === 'patch' && column.nullable ? ', but not null, so that no patch removes it' : '';
  const spec = `${property.required ? 'required' : 'optional'}${property.nullable ? ', nullable' : cannotBeRemoved}`;
  const canLack = !property.required || property.nullable;
  const hasDefault = property.default !== undefined || column.default !== undefined;
  const differs = {
    read: canLack !== column.nullable,
    create: !column.nullable && (property.nullable || (!property.required && !hasDefault)),
    patch: property.nullable !== column.nullable,
  }[kind];
  if (differs) yield { aspect: property.nullable && !column.nullable ? 'nullable' : 'required', spec, column: nullness };
}
