/** Brings a database to a program's schema, and tells whether it has it. */
import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** One step of a schema. Append-only: one that has been released is never changed, renamed or removed. */
export interface Migration {
  /** Unique among all migrations of the database. */
  readonly name: string;
  readonly migration: Knex.Migration;
}

/** A schema of its own in the same database, with migrations of its own, as a library has it. */
export interface ForeignSchema {
  readonly name: string;
  /** Safe from many processes at once. */
  readonly migrate: (db: Database) => Promise<void>;
  /** Whether the database lacks something of it. */
  readonly isBehind: (db: Database) => Promise<boolean>;
}

/** Everything that a service keeps in its database. */
export interface DatabaseSchema {
  /** In the order in which they run. */
  readonly migrations: readonly Migration[];
  readonly foreign?: readonly ForeignSchema[];
  /**
   * Names under which earlier versions recorded what a migration does: its name -> that of the earlier one. Where the
   * earlier one is recorded, the migration has run.
   */
  readonly formerNames?: Readonly<Record<string, string>>;
}

const TABLE = 'migrations';

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
export async function migrate(db: Database, schema: DatabaseSchema): Promise<string[]> {
  const { migrations, foreign = [] } = schema;
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ migration }) => migration,
  };
  const options = { migrationSource, tableName: TABLE };
  const client = db.client as Knex.Client;
  // Outside the pool, which the migrations need and which may have no more than one.
  const session: unknown = await client.acquireRawConnection();
  try {
    await db.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(session);
    await db.migrate.forceFreeMigrationsLock(options);
    await recordFormerNames(db, schema);
    const [, names] = (await db.migrate.latest(options)) as [number, string[]];
    for (const other of foreign) await other.migrate(db);
    return names;
  } finally {
    await client.destroyRawConnection(session);
  }
}

/** Records what has run under a former name under the name that it has now; a former name that means nothing else goes. */
async function recordFormerNames(db: Database, { migrations, formerNames = {} }: DatabaseSchema): Promise<void> {
  const applied = await appliedNames(db);
  const renamed = Object.entries(formerNames).filter(([name, former]) => applied.includes(former) && !applied.includes(name));
  if (renamed.length === 0) return;
  const gone = Object.values(formerNames).filter((former) => !migrations.some(({ name }) => name === former));
  await db.transaction(async (trx) => {
    for (const [name, former] of renamed) {
      const row = await trx(TABLE).where({ name: former }).first<{ batch: number; migration_time: string }>('batch', 'migration_time');
      await trx(TABLE).insert({ ...row, name });
    }
    await trx(TABLE).whereIn('name', gone).delete();
  });
}

async function appliedNames(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>('SELECT to_regclass(?) IS NOT NULL AS present', [TABLE]);
  return rows[0]?.present ? db(TABLE).orderBy('id').pluck<string[]>('name') : [];
}

/**
 * Why the database cannot be served from: migrations that it lacks, or that this program does not know.
 *
 * @returns a sentence that says what to do, or `undefined` if the schema is this program's own.
 */
export async function schemaProblem(db: Database, { migrations, foreign = [], formerNames = {} }: DatabaseSchema): Promise<string | undefined> {
  const applied = await appliedNames(db);
  const known = migrations.map(({ name }) => name);
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name) && !Object.values(formerNames).includes(name));
  if (unknown.length > 0)
    return `the database has migrations that this version does not know (${unknown.join(', ')}): deploy the version that made them`;
  if (missing.length > 0) return `the database lacks migrations (${missing.join(', ')}): run \`npm run migrate\``;
  for (const { name, isBehind } of foreign)
    if (await isBehind(db)) return `the database lacks the schema of ${name}: run \`npm run migrate\``;
  return undefined;
}
