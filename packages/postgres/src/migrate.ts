/** Brings a database to this program's schema, and tells whether it has it. */
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { LIBRARIES, MIGRATIONS } from '../../../src/db/migrations/index.ts';

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

const SOURCE: Knex.MigrationSource<(typeof MIGRATIONS)[number]> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
};

const OPTIONS = { migrationSource: SOURCE, tableName: 'migrations' };

/** Any number that nothing else in the database uses for an advisory lock. */
const LOCK = 7_305_871_004;

/**
 * Runs the migrations that the database lacks, each in a transaction.
 *
 * Safe from any number of processes at once: the others wait at an advisory lock, which PostgreSQL releases when its
 * session ends, however it ends. Knex's own lock, a row, would outlive a killed process; under ours it can be freed.
 *
 * @returns the names of those that ran.
 */
export async function migrate(db: Database): Promise<string[]> {
  const client = db.client as Knex.Client;
  // Outside the pool, which the migrations need and which may have no more than one.
  const session: unknown = await client.acquireRawConnection();
  try {
    await db.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(session);
    await db.migrate.forceFreeMigrationsLock(OPTIONS);
    const [, names] = (await db.migrate.latest(OPTIONS)) as [number, string[]];
    for (const library of LIBRARIES) await library.migrate(db);
    return names;
  } finally {
    await client.destroyRawConnection(session);
  }
}

/**
 * Why the database cannot be served from: migrations that it lacks, or that this program does not know.
 *
 * @returns a sentence that says what to do, or `undefined` if the schema is this program's own.
 */
export async function schemaProblem(db: Database): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>(`SELECT to_regclass('migrations') IS NOT NULL AS present`);
  const applied = rows[0]?.present ? await db('migrations').orderBy('id').pluck<string[]>('name') : [];
  const known = MIGRATION_NAMES;
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return `the database has migrations that this version does not know (${unknown.join(', ')}): deploy the version that made them`;
  if (missing.length > 0) return `the database lacks migrations (${missing.join(', ')}): run \`npm run migrate\``;
  for (const { name, isBehind } of LIBRARIES)
    if (await isBehind(db)) return `the database lacks the schema of ${name}: run \`npm run migrate\``;
  return undefined;
}
