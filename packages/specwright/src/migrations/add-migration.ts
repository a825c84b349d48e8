/** Writes the migration that brings the database to the contract, registers it, and writes the types of the tables that it makes. */
import { dumpSchema, migrate, readTables, type DatabaseSchema, type Table } from '@specwright/postgres';
import { configFile, importFromProject, loadSchema, type ProjectConfig } from '../project-config.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { withMigratedDatabase } from '../database/migrated-database.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import { findSchemaProblems } from '../schema/compare-schemas.ts';
import { readComparison } from '../schema/read-comparison.ts';
import { unregisteredMigrations } from '../schema/unregistered.ts';
import { mapColumns } from './map-columns.ts';
import { writeMigration } from './migration-file.ts';
import { planMigration } from './plan-migration.ts';

export interface AddMigrationOptions {
  /** What the name of the migration says after its number; default: what it changes. */
  readonly name?: string | undefined;
  /** `table.column` -> what existing rows get in a column that requires a value. */
  readonly fill: ReadonlyMap<string, string>;
}

export interface AddMigrationReport {
  /** The migration, from the project's root; `undefined` if there is nothing to write. */
  readonly file: string | undefined;
  /** Every file that was written or changed, from the project's root. */
  readonly written: readonly string[];
  /** What a person has to decide, and what is to be known of what was written. */
  readonly undecided: readonly string[];
  readonly notes: readonly string[];
  /** What check-schema reports from now on. */
  readonly problems: readonly string[];
}

/**
 * The migration is tried on a new database, never on one that has data.
 *
 * @throws Error if migrations are not registered: what they change would be written twice.
 */
export async function addMigration(project: ProjectConfig, options: AddMigrationOptions): Promise<AddMigrationReport> {
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
    const written: string[] = [];
    let file: string | undefined;
    let tables: readonly Table[] = before;
    const mapEntries = async () => {
      if (plan.entries.length === 0) return;
      await mapColumns(configFile(project, 'schema-map.yaml'), plan.entries);
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
    written.push(...writeGenerated('.', schemaFiles(project, await dumpSchema(db), tables)));
    const left = findSchemaProblems({ ...readComparison(project, comparison.source), tables });
    return { file, written, undecided, notes, problems: left.map(({ message }) => message) };
  });
}

/** The schema with a migration that was written after it had been imported. */
async function withMigration(project: ProjectConfig, schema: DatabaseSchema, { file, name }: { file: string; name: string }) {
  const migration = (await importFromProject(project, file)) as DatabaseSchema['migrations'][number]['migration'];
  return { ...schema, migrations: [...schema.migrations, { name, migration }] };
}
