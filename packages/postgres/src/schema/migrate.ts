/** Migrates a database to a service's schema. */
import { randomBytes } from 'node:crypto';
import { inBackground } from '@specwright/contract/runtime';
import type { Knex } from 'knex';
import { type WaitLog, commandLog } from '../connection/open-database.ts';
import { type Database, connect, directOptions } from '../connection/connect.ts';
import type { DatabaseSchema, Migration } from './database-schema.ts';
import { stableDigest } from './migration-digest.ts';
import { planMigration, planProblem } from './migration-plan.ts';
import {
  COMPATIBLE_TABLE,
  MIGRATIONS_TABLE,
  editedProblem,
  readAppliedMigrations,
  runQueryOn,
  unknownMigrations,
} from './schema-problem.ts';

/** Knex requires one. */
const refuseUndo = async (): Promise<void> => {
  throw new Error('migrations are not undone: write one that fixes what is wrong');
};

const UNBOUNDED = { pool: 2, acquireTimeoutMs: 60_000, statementTimeoutMs: 0, lockTimeoutMs: 0 };

/** The advisory lock of migrations: any number that nothing else in the database uses. */
const LOCK = 7_305_871_004;

export interface MigrateOptions {
  /** Gets a line when a lock is waited for, and who holds it; standard error if it is not given. */
  readonly log?: WaitLog;
  /** After how long that line is said, in ms; 2000 if it is not given. */
  readonly reportLockAfterMs?: number;
  /** Runs migrations that stop servers of the version before, though some are connected. */
  readonly allowOutage?: boolean;
}

/**
 * Runs the migrations that the database lacks, all in one transaction.
 *
 * Safe from any number of processes at once: they wait for an advisory lock, which PostgreSQL releases when its session ends,
 * however it ends. Knex's own lock is a row, which outlives a killed process: under the advisory lock it can be freed.
 *
 * @returns the names of those that ran.
 * @throws Error if servers of the version before are connected and could not go on (`planMigration`), unless an outage is allowed.
 */
export async function migrate(
  db: Database,
  schema: DatabaseSchema,
  { log = commandLog, reportLockAfterMs = 2000, allowOutage = false }: MigrateOptions = {},
): Promise<string[]> {
  const options = directOptions(db);
  const name = `${options.name ?? 'service'} migration ${randomBytes(3).toString('hex')}`;
  // A migration takes as long as it takes.
  const unbounded = connect({ ...options, ...UNBOUNDED, name });
  const endReport = reportLockWait(unbounded, name, log, reportLockAfterMs);
  try {
    return await migrateUnbounded(unbounded, schema, log, async () => {
      const problem = allowOutage ? undefined : planProblem(await planMigration(unbounded, schema, options.name));
      if (problem !== undefined) throw new Error(problem);
    });
  } finally {
    endReport();
    await unbounded.destroy();
  }
}

/** @param assertAllowed throws if the migrations must not run now. */
async function migrateUnbounded(db: Database, schema: DatabaseSchema, log: WaitLog, assertAllowed: () => Promise<void>): Promise<string[]> {
  const { migrations } = schema;
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async (migration) => ({ ...migration.migration, up: (knex) => runUp(knex, migration), down: refuseUndo }),
  };
  // Knex would refuse to start an older server on a newer schema that is compatible.
  const options = { migrationSource, tableName: MIGRATIONS_TABLE, disableMigrationsListValidation: true };
  const client = db.client as Knex.Client;
  // Not from the pool: the migrations need its connections, and it may have only one.
  const session: unknown = await client.acquireRawConnection();
  try {
    await db.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(session);
    await db.migrate.forceFreeMigrationsLock(options);
    const applied = await readAppliedMigrations(runQueryOn(db));
    const unknown = unknownMigrations(applied, schema);
    if (unknown.length > 0)
      throw new Error(
        `the database has migrations that this version does not know (${unknown.join(', ')}): run the version that made them`,
      );
    const edited = await editedProblem(applied, schema);
    if (edited !== undefined) throw new Error(edited);
    await assertAllowed();
    await prepareCompatible(db, schema);
    const [, names] = (await db.migrate.latest(options)) as [number, string[]];
    await recordDigests(db, schema, log);
    return names;
  } finally {
    await client.destroyRawConnection(session);
  }
}

/** Records what has run, to be compared from then on; says which migrations cannot be, at each start. */
async function recordDigests(db: Database, { migrations }: DatabaseSchema, log: WaitLog): Promise<void> {
  const applied = await readAppliedMigrations(runQueryOn(db));
  const unrecorded = new Set(applied.filter(({ digest }) => digest === null).map(({ name }) => name));
  const candidates = migrations.filter(({ name }) => unrecorded.has(name));
  const digests = await Promise.all(candidates.map(async (one) => ({ name: one.name, digest: await stableDigest(one) })));
  const unstable = digests.filter(({ digest }) => digest === undefined).map(({ name }) => name);
  if (unstable.length > 0)
    log.warn(
      { reason: `${unstable.join(', ')} read the date or the environment: write the statements that are meant` },
      'migrations make other statements elsewhere, so edits of them are not noticed',
    );
  if (unstable.length === digests.length) return;
  // Beside what Knex records: it names its columns in each statement.
  await db.raw(`ALTER TABLE ${MIGRATIONS_TABLE} ADD COLUMN IF NOT EXISTS digest text`);
  for (const { name, digest } of digests)
    if (digest !== undefined) await db(MIGRATIONS_TABLE).where({ name, digest: null }).update({ digest });
}

/** For servers that do not have the migration: those that may go on serving find its name here. */
async function prepareCompatible(db: Database, { migrations }: DatabaseSchema): Promise<void> {
  if (!migrations.some(({ migration }) => migration.compatible)) return;
  // Names of migrations are no secret, and every role that serves has to read them.
  await db.raw(`CREATE TABLE IF NOT EXISTS ${COMPATIBLE_TABLE} (name text PRIMARY KEY); GRANT SELECT ON ${COMPATIBLE_TABLE} TO PUBLIC`);
}

/** Runs a migration. That it is compatible is recorded in its transaction: no server sees one without the other. */
async function runUp(knex: Knex, { name, migration }: Migration): Promise<void> {
  await migration.up(knex);
  if (migration.compatible) await knex(COMPATIBLE_TABLE).insert({ name }).onConflict().ignore();
}

/** Who holds a lock is said again after this time, in ms. */
const REPORT_INTERVAL_MS = 30_000;

/** How the sessions of migrations are called. */
const MIGRATION = / migration [0-9a-f]{6}( |$)/;

interface Holder {
  readonly pid: number;
  readonly name: string;
  readonly address: string | null;
  /** `null` if this role may not see it. */
  readonly state: string | null;
  /** How long its transaction has lasted, or how long it has been idle, in seconds. */
  readonly seconds: number | null;
}

// Those at whose end the others go on: not those that wait for a lock themselves.
const HOLDERS = `
  WITH RECURSIVE waiting AS (
    SELECT pid, ARRAY[pid] AS path FROM pg_stat_activity WHERE starts_with(application_name, ?)
    UNION ALL
    SELECT blocker, path || blocker FROM waiting, unnest(pg_blocking_pids(waiting.pid)) AS blocker WHERE blocker <> ALL(path)
  )
  SELECT DISTINCT s.pid, coalesce(s.application_name, '') AS name, host(s.client_addr) AS address, s.state,
         extract(epoch FROM now() - coalesce(s.xact_start, s.state_change))::float8 AS seconds
    FROM waiting JOIN pg_stat_activity s USING (pid)
   WHERE NOT starts_with(coalesce(s.application_name, ''), ?) AND pg_blocking_pids(s.pid) = '{}'
   ORDER BY seconds DESC`;

/**
 * Looks every now and then whether sessions of a pool wait for a lock.
 *
 * @param db a pool of sessions whose `application_name` begins with what no other has: `name`. @param afterMs how long a wait is
 *   usual, in ms. @returns ends the watch.
 */
function reportLockWait(db: Database, name: string, log: WaitLog, afterMs: number): () => void {
  const client = db.client as Knex.Client;
  let isEnded = false;
  let timer = setTimeout(() => inBackground(look()), afterMs);

  async function look(): Promise<void> {
    let session: unknown;
    // A migration may come to a lock at any time.
    let nextMs = afterMs;
    try {
      // Not from the pool, whose sessions may all be waiting.
      session = await client.acquireRawConnection();
      const { rows } = await db.raw<{ rows: Holder[] }>(HOLDERS, [name, name]).connection(session);
      if (rows.length > 0) {
        nextMs = REPORT_INTERVAL_MS;
        if (!isEnded) log.warn({ reason: rows.map(describe).join('; ') }, 'migrations wait for a lock');
      }
    } catch {
      // The database is gone, which the migration notices itself.
    } finally {
      if (session !== undefined) await client.destroyRawConnection(session).catch(() => undefined);
    }
    if (!isEnded) timer = setTimeout(() => inBackground(look()), nextMs);
  }
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

function describe({ pid, name, address, state, seconds }: Holder): string {
  const who = [name || 'without a name', state ?? 'of another role', ...(address === null ? [] : [`from ${address}`])].join(', ');
  const time = seconds === null ? '' : ` for ${Math.max(0, Math.round(seconds))} s`;
  // Another migration is not to be ended: it does the work.
  const fix = MIGRATION.test(name) ? '' : `; to end it: SELECT pg_terminate_backend(${pid})`;
  return `held${time} by session ${pid} (${who})${fix}`;
}
