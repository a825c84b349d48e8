/** Writes the migration that brings the database to the contract, registers it, and writes the types of the tables that it makes. */
import { readFileSync } from 'node:fs';
import { type DatabaseSchema, type Table, dumpSchema, migrate, readTables } from '@specwright/postgres';
import { type YAMLMap, isMap, isScalar, parseDocument } from 'yaml';
import { withMigratedDatabase } from '../database/migrated-database.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { writeFile } from '../files/write-files.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import { type ProjectConfig, configFile, importFromProject, loadSchema } from '../project-config.ts';
import { findSchemaProblems } from '../schema/compare-schemas.ts';
import { readComparison, unregisteredMigrations } from '../schema/read-comparison.ts';
import { format } from '../stubs/typescript-source.ts';
import { writeMigration } from './migration-file.ts';
import type { ColumnEntry } from './migration-plan.ts';
import { planMigration } from './plan-migration.ts';

export interface AddMigrationOptions {
  /** What the name of the migration says after its number; default: what it changes. */
  readonly name?: string | undefined;
  /** `table.column` -> what existing rows get in a column that requires a value. */
  readonly fill: ReadonlyMap<string, string>;
}

/**
 * The migration is tried on a new database, never on one that has data.
 *
 * @throws Error if migrations are not registered: what they change would be written twice.
 */
export async function addMigration(project: ProjectConfig, options: AddMigrationOptions) {
  const schema = await loadSchema(project);
  const [unregistered] = await unregisteredMigrations(project, schema);
  if (unregistered !== undefined)
    throw new Error(`${unregistered} is not registered: list it last in ${project.schema}, or remove it; then run this command again`);
  return withMigratedDatabase(project, schema, async (db) => {
    const before = await readTables(db);
    const comparison = readComparison(project);
    const problems = findSchemaProblems({ ...comparison, tables: before });
    const plan = planMigration({ document: comparison.source.document, map: comparison.map, tables: before, problems, fill: options.fill });
    const { undecided, notes } = plan;
    /** Every file that was written or changed, and the migration; from the project's root. */
    const written: string[] = [];
    let file: string | undefined;
    let tables: readonly Table[] = before;
    const mapEntries = async () => {
      if (plan.entries.length === 0) return;
      await mapColumns(project.root, configFile(project, 'schema-map.yaml'), plan.entries);
      written.push(comparison.mapFile);
    };
    if (plan.actions.length > 0) {
      const migration = await writeMigration(project, plan, options.name);
      ({ file } = migration);
      written.push(file, migration.index);
      await mapEntries();
      await migrate(db, await withMigration(project, schema, migration));
      tables = await readTables(db);
    } else await mapEntries();
    written.push(...writeGenerated(project.root, schemaFiles(project, await dumpSchema(db), tables), '.'));
    const left = findSchemaProblems({ ...readComparison(project, comparison.source), tables });
    // `undecided` is for a person, and `problems` what check-schema reports from now on.
    return { file, written, undecided, notes, problems: left.map(({ message }) => message) };
  });
}

/** The schema with a migration that was written after it had been imported. */
async function withMigration(project: ProjectConfig, schema: DatabaseSchema, { file, name }: { file: string; name: string }) {
  const migration = (await importFromProject(project, file)) as DatabaseSchema['migrations'][number]['migration'];
  return { ...schema, migrations: [...schema.migrations, { name, migration }] };
}

/** @param root of the project. @param file the schema map, absolute. It is formatted by Prettier if it was before. */
async function mapColumns(root: string, file: string, entries: readonly ColumnEntry[]): Promise<void> {
  const before = readFileSync(file, 'utf8');
  let text = before;
  for (const entry of entries) text = mapColumn(text, entry);
  writeFile(root, file, (await format(file, before)) === before ? await format(file, text) : text);
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
