/** What migrating a database would do, and whether servers of the version before can go on serving meanwhile. */
import { connectOptions, type Database, readinessName } from '../connection/connect.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { readAppliedMigrations, runQueryOn } from './schema-problem.ts';

export interface MigrationPlan {
  /** The migrations that the database lacks, in the order in which they will run. */
  readonly pending: readonly { readonly name: string; readonly compatible: boolean }[];
  /** The sessions of servers that are serving, by their process ids in PostgreSQL. */
  readonly servers: readonly number[];
  /** Whether a pending migration stops servers of the version before. A new database has none. */
  readonly needsStop: boolean;
  /** Whether no migration has run yet. */
  readonly isNew: boolean;
}

/** Changes nothing. @param service the name of its pools, by which its servers are recognized; that of `db` if it is not given. */
export async function planMigration(db: Database, schema: DatabaseSchema, service = connectOptions(db).name): Promise<MigrationPlan> {
  const query = runQueryOn(db);
  const applied = await readAppliedMigrations(query);
  const names = new Set(applied.map(({ name }) => name));
  const pending = schema.migrations
    .filter(({ name }) => !names.has(name))
    .map(({ name, migration }) => ({ name, compatible: migration.compatible === true }));
  const needsStop = applied.length > 0 && pending.some(({ compatible }) => !compatible);
  return { pending, servers: await findServers(db, service), needsStop, isNew: applied.length === 0 };
}

/** Servers that serve, or have served: each keeps a session for its probe, which it opens after its migrations. */
async function findServers(db: Database, service: string | undefined): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? ORDER BY pid',
    [readinessName(service)],
  );
  return rows.map(({ pid }) => pid);
}

/** Why a plan must not be carried out now; `undefined` if it may be. */
export function planProblem({ pending, servers, needsStop }: MigrationPlan): string | undefined {
  if (!needsStop || servers.length === 0) return undefined;
  const names = pending.filter(({ compatible }) => !compatible).map(({ name }) => name);
  return (
    `servers are connected (sessions ${servers.join(', ')}), and would answer 503 after ${names.join(', ')}: ` +
    'stop them and migrate again, or accept that with --allow-outage'
  );
}

/** The plan for a terminal: a line for each migration, then what it asks for. */
export function formatPlan({ pending, servers, needsStop, isNew }: MigrationPlan): string[] {
  if (pending.length === 0) return ['the schema is up to date'];
  if (isNew) return [...pending.map(({ name }) => `will run ${name}`), 'the database is new: migrate, then start the servers'];
  const effect = (compatible: boolean) => (compatible ? 'only adds' : 'stops servers of the version before');
  return [
    ...pending.map(({ name, compatible }) => `will run ${name}: ${effect(compatible)}`),
    needsStop
      ? `this release needs a stop: stop the servers of the version before (${servers.length} session${servers.length === 1 ? '' : 's'} of them), migrate, start the new ones`
      : 'this release can be rolled: migrate, then replace the servers one by one',
  ];
}
