/** Holds the tables of the database against the schemas of the contract, by the map. */
import { formatProblem, type Schema, type SourceDocument } from '@specwright/server';
import type { Table } from '@specwright/postgres';
import { readCheck, type Limits } from './checks.ts';
import { factsOf } from './column.ts';
import { differences, type Kind } from './difference.ts';
import { Excuses } from './excuses.ts';
import type { SchemaMap } from './map.ts';
import { databasePlace, type DatabaseFiles } from './places.ts';
import { propertiesOf, propertyFacts } from './property.ts';

export interface Sides extends DatabaseFiles {
  readonly source: SourceDocument;
  readonly tables: readonly Table[];
  /** .config/schema-map.yaml */
  readonly map: SchemaMap;
  readonly mapFile: string;
}

const KINDS: readonly Kind[] = ['read', 'create', 'patch'];

/** @returns every problem, each with its places and what to do; none if contract and database are together. */
export function compareSchemas(sides: Sides): string[] {
  const { source, tables, map, mapFile } = sides;
  const excuses = new Excuses(map);
  const at = (path: readonly (string | number)[], message: string) => formatProblem(source.file, { ...source.locate(path), message });
  const problems: string[] = [];

  for (const table of tables) {
    if (excuses.has('tables', table.name)) continue;
    const mapped = map.tables[table.name];
    if (mapped === undefined) {
      problems.push(
        `${databasePlace(sides, table.name)} table ${table.name} is not in ${mapFile}: map it to its schemas, or say why it has none`,
      );
      continue;
    }
    for (const column of table.columns) {
      const full = `${table.name}.${column.name}`;
      if (column.name in mapped.columns || excuses.has('columns', full) || excuses.has('columns', column.name)) continue;
      problems.push(
        `${databasePlace(sides, table.name, column.name)} column ${full} is not in ${mapFile}: map it to a property, or say why it has none`,
      );
    }
    for (const { name, definition } of table.checks) {
      const conditions = readCheck(definition);
      if (conditions !== undefined || excuses.has('constraints', name)) continue;
      problems.push(
        `${databasePlace(sides, table.name, name, columnIn(table.name, name))} constraint ${name} cannot be held against a schema: ${definition}. Say in ${mapFile} what keeps the contract to it`,
      );
    }
    for (const name of Object.keys(mapped.columns)) {
      if (!table.columns.some((column) => column.name === name))
        problems.push(`${mapFile}: table ${table.name} has no column ${name}: remove it`);
    }
  }
  for (const name of Object.keys(map.tables)) {
    if (!tables.some((table) => table.name === name)) problems.push(`${mapFile}: there is no table ${name}: remove it`);
  }

  for (const [name, schema] of Object.entries(source.document.components?.schemas ?? {})) {
    const path = ['components', 'schemas', name];
    const used = Object.values(map.tables).filter((table) => KINDS.some((kind) => table[kind].includes(name)));
    if (used.length === 0) {
      if (isRecord(source, name, schema) && !excuses.has('schemas', name))
        problems.push(at(path, `schema ${name} is not in ${mapFile}: name it with its table, or say why it is in none`));
      continue;
    }
    for (const property of propertiesOf(source.document, name)) {
      const mapped = used.some(({ columns }) => Object.values(columns).includes(property));
      if (!mapped && !excuses.has('properties', `${name}.${property}`))
        problems.push(
          at(
            [...path, 'properties', property],
            `property ${name}.${property} is not in ${mapFile}: map a column to it, or say why there is none`,
          ),
        );
    }
  }

  for (const table of tables) {
    const mapped = map.tables[table.name];
    for (const column of table.columns) {
      const name = mapped?.columns[column.name];
      if (mapped === undefined || name === undefined) continue;
      const facts = factsOf(tables, table, column);
      if (facts === undefined) {
        problems.push(
          `${databasePlace(sides, table.name, column.name)} type ${column.type} of ${table.name}.${column.name} is none that check-schema knows`,
        );
        continue;
      }
      let found = false;
      for (const [kind, schema] of KINDS.flatMap((k) => mapped[k].map((s) => [k, s] as const))) {
        const property = propertyFacts(source.document, schema, name);
        if (property === undefined) continue;
        found = true;
        for (const { aspect, spec, column: holds, limit = aspect as keyof Limits } of differences(kind, property, facts)) {
          const sameInAll = `${table.name}.${column.name} ${aspect}`;
          if (excuses.has('differences', `${schema}.${name} ${aspect}`) || excuses.has('differences', sameInAll)) continue;
          const where = databasePlace(sides, table.name, facts.saidBy[limit] ?? column.name, column.name);
          problems.push(
            at(
              property.place(aspect),
              `${aspect} of ${schema}.${name} is ${spec}, and ${table.name}.${column.name} at ${where} has ${holds}: ${adviceOf(kind)}`,
            ),
          );
        }
      }
      if (!found)
        problems.push(
          `${mapFile}: no schema of table ${table.name} has a property ${name}: remove the column ${column.name}, or correct it`,
        );
    }
  }
  for (const table of Object.values(map.tables)) {
    for (const schema of KINDS.flatMap((kind) => table[kind]))
      if (source.document.components?.schemas?.[schema] === undefined) problems.push(`${mapFile}: there is no schema ${schema}: remove it`);
  }
  return [...problems, ...excuses.unused().map((name) => `${mapFile}: ${name} excuses nothing any more: remove it`)];
}

/** The column of a constraint that PostgreSQL named. */
const columnIn = (table: string, constraint: string) => constraint.replace(`${table}_`, '').replace(/_check$/, '');

/** The schemas of components that have to be mapped to tables, or excused. */
export const recordSchemas = (source: SourceDocument): string[] =>
  Object.entries(source.document.components?.schemas ?? {}).flatMap(([name, schema]) => (isRecord(source, name, schema) ? [name] : []));

const isRecord = ({ document }: SourceDocument, name: string, schema: Schema) =>
  schema.type === 'object' || propertiesOf(document, name).length > 0;

function adviceOf(kind: Kind): string {
  return kind === 'read'
    ? 'what the column holds and what a response may say must be the same; change the spec, or the column by a new migration'
    : 'what a client may send and what the column takes must be the same; change the spec, or the column by a new migration';
}
