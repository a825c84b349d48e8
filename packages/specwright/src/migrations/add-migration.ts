/** Composes the migration that brings the database to the contract, tries it, and then writes it with the types of the tables that it makes. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { dumpSchema, migrate, readTables } from '@specwright/postgres';
import { type YAMLMap, isMap, isScalar, parseDocument } from 'yaml';
import { withMigratedDatabase } from '../database/migrated-database.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { writeAll } from '../files/write-all.ts';
import { type ProjectConfig, configFile, loadSchema } from '../project-config.ts';
import { findSchemaProblems } from '../schema/compare-schemas.ts';
import { parseSchemaMap } from '../schema/database-locations.ts';
import { deriveTables } from '../schema/derive-tables.ts';
import { readComparison, unregisteredMigrations } from '../schema/read-comparison.ts';
import { format } from '../stubs/typescript-source.ts';
import { composeMigration, statements } from './migration-file.ts';
import type { ColumnEntry } from './migration-plan.ts';
import { planMigration } from './plan-migration.ts';

export interface AddMigrationOptions {
  /** What the name of the migration says after its number; default: what it changes. */
  readonly name?: string | undefined;
  /** `table.column` -> what existing rows get in a column that requires a value. */
  readonly fill: ReadonlyMap<string, string>;
}

/**
 * The migration is tried on a new database, never on one that has data, before anything is written.
 *
 * @throws Error if migrations are not registered, because what they change would be written twice; or if it cannot be written or run.
 */
export async function addMigration(project: ProjectConfig, options: AddMigrationOptions) {
  const schema = await loadSchema(project);
  const [unregistered] = await unregisteredMigrations(project, schema);
  if (unregistered !== undefined)
    throw new Error(`${unregistered} is not registered: list it last in ${project.schema}, or remove it; then run this command again`);
  return withMigratedDatabase(project, schema, async (db) => {
    const before = await readTables(db);
    const comparison = readComparison(project);
    const map = deriveTables(comparison.source.document, comparison.map, before);
    const problems = findSchemaProblems({ ...comparison, tables: before });
    const plan = planMigration({ document: comparison.source.document, map, tables: before, problems, fill: options.fill });
    const { actions, entries, undecided, notes } = plan;
    const files = new Map<string, string>();
    const migration = actions.length === 0 ? undefined : await composeMigration(project, plan, options.name);
    if (migration !== undefined) {
      const { name, file, text, index, registered } = migration;
      files.set(file, text).set(index, registered);
      const up = (knex: typeof db) => knex.raw(statements(actions).join(';\n'));
      await migrate(db, { ...schema, migrations: [...schema.migrations, { name, migration: { up } }] });
    }
    const mapPath = configFile(project, 'schema-map.yaml');
    const mapText = await mapColumns(mapPath, entries);
    files.set(relative(project.root, mapPath), mapText);
    const tables = await readTables(db);
    for (const [name, text] of schemaFiles(project, await dumpSchema(db), tables)) files.set(name, text);
    const left = findSchemaProblems({ ...comparison, map: parseSchemaMap(comparison.mapFile, mapText), tables });
    const written = writeAll(project.root, files, migration === undefined ? [] : [migration.file]);
    // `undecided` is for a person, and `problems` what check-schema reports from now on.
    return { file: migration?.file, written, undecided, notes, problems: left.map(({ message }) => message) };
  });
}

/** The text of the schema map with the entries. @param file absolute. It is formatted by Prettier if it was before. */
async function mapColumns(file: string, entries: readonly ColumnEntry[]): Promise<string> {
  const before = readFileSync(file, 'utf8');
  if (entries.length === 0) return before;
  const text = entries.reduce(mapColumn, before);
  return (await format(file, before)) === before ? format(file, text) : text;
}

/** @throws Error if the map has no mapping of the table's columns. */
export function mapColumn(text: string, { table, column, property }: ColumnEntry): string {
  const columns: unknown = parseDocument(text).getIn(['tables', table, 'columns'], true);
  if (!isMap(columns) || !columns.range) throw new Error(`the schema map has no columns of table ${table}`);
  // A name that YAML would read as something else is quoted.
  const pair = `${scalar(column)}: ${scalar(property)}`;
  const [start, end] = columns.range;
  if (columns.flow === true) {
    const inside = text.slice(start + 1, end - 1);
    if (inside.trim() === '') return `${text.slice(0, start)}{ ${pair} }${text.slice(end)}`;
    const at = start + 1 + inside.trimEnd().length;
    return `${text.slice(0, at)}${inside.trimEnd().endsWith(',') ? '' : ','} ${pair}${text.slice(at)}`;
  }
  const at = endOfLast(columns);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return `${text.slice(0, at)}\n${' '.repeat(start - lineStart)}${pair}${text.slice(at)}`;
}

/** Where the last value of a block mapping ends, before comments. */
function endOfLast(map: YAMLMap): number {
  const last = map.items.at(-1)?.value;
  return (isScalar(last) ? last.range?.[1] : undefined) ?? map.range?.[1] ?? 0;
}

const scalar = (name: string): string =>
  /^[A-Za-z_][\w-]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name) ? name : JSON.stringify(name);
