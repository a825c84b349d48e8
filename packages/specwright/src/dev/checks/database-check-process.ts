/** What the migrations of a project make, as a process that ends: each has the modules of its own save. */
import { formatFatalError, inBackground } from '@specwright/server';
import { compareMigrations, connect, dumpSchema, readTables, type DatabaseSchema, type Table } from '@specwright/postgres';
import { loadSchema, readProject, type Project } from '../../project-config.ts';
import { schemaFiles } from '../../database/schema-files.ts';
import { withMigratedDatabase } from '../../database/migrated-database.ts';
import { type MigrationProblem, migrationProblems, unregisteredMigrations, unregisteredProblems } from '../../schema/read-comparison.ts';

export interface DatabaseRequest {
  /** Of the database that the loop serves from. */
  readonly url: string;
  readonly embedded: boolean;
}

export interface DatabaseState {
  /** Why the migrations do not run, or the database cannot be used. */
  readonly problems: readonly MigrationProblem[];
  /** Whether a server would refuse the database. */
  readonly blocksServer: boolean;
  /** What the migrations make; `undefined` if they do not run. */
  readonly tables?: readonly Table[];
  /** Path from the project's root -> content of the files that describe it. */
  readonly files?: readonly (readonly [string, string])[];
}

async function inspect(request: DatabaseRequest): Promise<DatabaseState> {
  const project = readProject();
  let schema: DatabaseSchema;
  let unregistered: readonly MigrationProblem[];
  try {
    schema = await loadSchema(project);
    unregistered = unregisteredProblems(await unregisteredMigrations(project, schema), project);
  } catch (error) {
    return { problems: [broken(`${project.schema}:1:1 the migrations cannot be loaded: ${formatFatalError(error)}`)], blocksServer: false };
  }
  const applied = await readState(request, schema);
  const problems = [...applied, ...unregistered];
  return { problems, blocksServer: applied.length > 0, ...(await runMigrations(project, schema, problems)) };
}

/** What keeps the database from being served. One that cannot be reached is the server's to report. */
async function readState({ url, embedded }: DatabaseRequest, schema: DatabaseSchema): Promise<MigrationProblem[]> {
  const db = connect({ url, pool: 1, acquireTimeoutMs: 10_000, statementTimeoutMs: 10_000 });
  try {
    return migrationProblems(await compareMigrations(db, schema), embedded);
  } catch {
    return [];
  } finally {
    await db.destroy();
  }
}

/** @param problems gets why a migration does not run. */
async function runMigrations(project: Project, schema: DatabaseSchema, problems: MigrationProblem[]): Promise<Partial<DatabaseState>> {
  try {
    return await withMigratedDatabase(project, schema, async (db) => {
      const tables = await readTables(db);
      return { tables, files: [...schemaFiles(project, await dumpSchema(db), tables)] };
    });
  } catch (error) {
    problems.push(broken(`${project.schema}:1:1 the migrations do not run: ${formatFatalError(error)}`));
    return {};
  }
}

const broken = (message: string): MigrationProblem => ({ message, fix: 'fix the migration' });

process.once('message', (request: DatabaseRequest) => {
  const stateOfError = (error: unknown): DatabaseState => ({ problems: [broken(formatFatalError(error))], blocksServer: false });
  inBackground(
    inspect(request)
      .catch(stateOfError)
      .then((state) => process.send?.(state, () => process.disconnect())),
  );
});
