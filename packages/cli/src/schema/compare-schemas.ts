/** Compares the tables of the database with the schemas of the contract, as the schema map relates them. */
import { formatProblem, type Schema, type SourceDocument } from '@specwright/server';
import type { Column, Table } from '@specwright/postgres';
import { readCheck, type Limits } from './check-constraints.ts';
import { columnFacts, type ColumnFacts } from './column-facts.ts';
import { formatDatabaseLocation, type DatabaseFiles } from './database-locations.ts';
import { differences, type Kind } from './differences.ts';
import { Exceptions } from './exceptions.ts';
import { propertiesOf, propertyFacts } from './property-facts.ts';
import type { SchemaMap } from './schema-map.ts';

export interface SchemaComparison extends DatabaseFiles {
  readonly source: SourceDocument;
  /** The tables of a migrated database. */
  readonly tables: readonly Table[];
  readonly map: SchemaMap;
  /** The file of the map, for messages. */
  readonly mapFile: string;
}

interface Context extends SchemaComparison {
  readonly exceptions: Exceptions;
}

const KINDS: readonly Kind[] = ['read', 'create', 'patch'];

/** @returns every problem, each with its locations and what to do; none if contract and database agree. */
export function compareSchemas(comparison: SchemaComparison): string[] {
  const context: Context = { ...comparison, exceptions: new Exceptions(comparison.map) };
  const problems = [
    ...comparison.tables.flatMap((table) => [...unmappedParts(context, table)]),
    ...missingTables(context),
    ...unmappedSchemas(context),
    ...comparison.tables.flatMap((table) => [...columnDifferences(context, table)]),
    ...missingSchemas(context),
  ];
  // Last, when it is known which of them applied.
  return [...problems, ...context.exceptions.unused().map((name) => `${context.mapFile}: the exception ${name} is not needed: remove it`)];
}

/** The names of the schemas that have to be mapped to a table, or excepted. */
export const recordSchemas = (source: SourceDocument): string[] =>
  Object.entries(source.document.components?.schemas ?? {}).flatMap(([name, schema]) => (isRecord(source, name, schema) ? [name] : []));

const isRecord = ({ document }: SourceDocument, name: string, schema: Schema) =>
  schema.type === 'object' || propertiesOf(document, name).length > 0;

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

function* missingTables({ map, mapFile, tables }: Context): Generator<string> {
  for (const name of Object.keys(map.tables)) {
    if (!tables.some((table) => table.name === name)) yield `${mapFile}: there is no table ${name}: remove it`;
  }
}

function* missingSchemas({ map, mapFile, source }: Context): Generator<string> {
  for (const schema of Object.values(map.tables).flatMap((table) => KINDS.flatMap((kind) => table[kind]))) {
    if (source.document.components?.schemas?.[schema] === undefined) yield `${mapFile}: there is no schema ${schema}: remove it`;
  }
}

/** Schemas and properties that the map does not mention. */
function* unmappedSchemas(context: Context): Generator<string> {
  const { source, map, mapFile, exceptions } = context;
  for (const [name, schema] of Object.entries(source.document.components?.schemas ?? {})) {
    const path = ['components', 'schemas', name];
    const tables = Object.values(map.tables).filter((table) => KINDS.some((kind) => table[kind].includes(name)));
    if (tables.length === 0) {
      if (isRecord(source, name, schema) && !exceptions.apply('schemas', name))
        yield formatAt(context, path, `schema ${name} is not in ${mapFile}: list it with its table, or give a reason there`);
      continue;
    }
    for (const property of propertiesOf(source.document, name)) {
      const isMapped = tables.some(({ columns }) => Object.values(columns).includes(property));
      if (isMapped || exceptions.apply('properties', `${name}.${property}`)) continue;
      const message = `property ${name}.${property} is not in ${mapFile}: map a column to it, or give a reason there`;
      yield formatAt(context, [...path, 'properties', property], message);
    }
  }
}

/** Columns that differ from the properties that they are mapped to. */
function* columnDifferences(context: Context, table: Table): Generator<string> {
  const { tables, map, mapFile } = context;
  for (const column of table.columns) {
    const property = map.tables[table.name]?.columns[column.name];
    if (property === undefined) continue;
    const facts = columnFacts(tables, table, column);
    if (facts === undefined) {
      const location = formatDatabaseLocation(context, table.name, column.name);
      yield `${location} type ${column.type} of ${table.name}.${column.name} is not supported by check-schema`;
      continue;
    }
    const schemas = KINDS.flatMap((kind) => (map.tables[table.name]?.[kind] ?? []).map((schema) => ({ kind, schema })));
    const owners = schemas.filter(({ schema }) => propertiesOf(context.source.document, schema).includes(property));
    for (const { kind, schema } of owners) yield* propertyDifferences(context, { table, column, facts, kind, schema, property });
    if (owners.length === 0)
      yield `${mapFile}: no schema of table ${table.name} has a property ${property}: remove the column ${column.name}, or correct it`;
  }
}

interface MappedColumn {
  readonly table: Table;
  readonly column: Column;
  readonly facts: ColumnFacts;
  readonly kind: Kind;
  readonly schema: string;
  readonly property: string;
}

function* propertyDifferences(context: Context, { table, column, facts, kind, schema, property }: MappedColumn): Generator<string> {
  const spec = propertyFacts(context.source.document, schema, property);
  if (spec === undefined) return;
  for (const difference of differences(kind, spec, facts)) {
    const { aspect, limit = aspect as keyof Limits } = difference;
    const full = `${table.name}.${column.name}`;
    const isException = [`${schema}.${property} ${aspect}`, `${full} ${aspect}`].some((name) =>
      context.exceptions.apply('differences', name),
    );
    if (isException) continue;
    const location = formatDatabaseLocation(context, table.name, facts.constraints[limit] ?? column.name, column.name);
    const message = `${aspect} of ${schema}.${property} is ${difference.spec}, and ${full} at ${location} has ${difference.column}: change the spec, or the column by a new migration`;
    yield formatAt(context, spec.pathOf(aspect), message);
  }
}
