/** Migrates a database to a service's schema, and checks whether it has that schema. */
import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** One migration. Append-only: one that has been released is never changed, renamed or removed. */
export interface Migration {
  /** Unique among all migrations of the database. */
  readonly name: string;
  /** Its module. It is never undone: what is wrong is fixed by the next migration. */
  readonly migration: Pick<Knex.Migration, 'up'>;
}

/** Knex requires one. */
const refuseUndo = async (): Promise<void> => {
  throw new Error('migrations are not undone: write one that fixes what is wrong');
};

/** A schema in the same database that a library migrates itself, such as a job queue's. */
export interface ExternalSchema {
  /** For messages. */
  readonly name: string;
  /** Must be safe from many processes at once. */
  readonly migrate: (db: Database) => Promise<void>;
  /** Whether the database lacks any of its migrations. */
  readonly isBehind: (db: Database) => Promise<boolean>;
}

/** The schema of a service. */
export interface DatabaseSchema {
  /** In the order in which they run, those of its packages included. */
  readonly migrations: readonly Migration[];
  readonly external?: readonly ExternalSchema[];
  /**
   * For migrations that earlier versions recorded under another name: name -> former name. Where the former name is recorded,
   * the migration has run.
   */
  readonly formerNames?: Readonly<Record<string, string>>;
}

const TABLE = 'migrations';

/** The advisory lock of migrations: any number that nothing else in the database uses. */
const LOCK = 7_305_871_004;

/**
 * Runs the migrations that the database lacks, all in one transaction.
 *
 * Safe from any number of processes at once: they wait for an advisory lock, which PostgreSQL releases when its session ends,
 * however it ends. Knex's own lock is a row, which outlives a killed process: under the advisory lock it can be freed.
 *
 * @returns the names of those that ran.
 */
export async function migrate(db: Database, schema: DatabaseSchema): Promise<string[]> {
  const { migrations, external = [] } = schema;
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ migration }) => ({ ...migration, down: refuseUndo }),
  };
  const options = { migrationSource, tableName: TABLE };
  const client = db.client as Knex.Client;
  // Not from the pool: the migrations need its connections, and it may have only one.
  const session: unknown = await client.acquireRawConnection();
  try {
    await db.raw('SELECT pg_advisory_lock(?)', [LOCK]).connection(session);
    await db.migrate.forceFreeMigrationsLock(options);
    await recordFormerNames(db, schema);
    const [, names] = (await db.migrate.latest(options)) as [number, string[]];
    for (const schema of external) await schema.migrate(db);
    return names;
  } finally {
    await client.destroyRawConnection(session);
  }
}

/** Records migrations that ran under a former name under their present one. A former name that no migration has is removed. */
async function recordFormerNames(db: Database, { migrations, formerNames = {} }: DatabaseSchema): Promise<void> {
  const applied = await appliedNames(db);
  const renamed = Object.entries(formerNames).filter(([name, former]) => applied.includes(former) && !applied.includes(name));
  if (renamed.length === 0) return;
  const obsolete = Object.values(formerNames).filter((former) => !migrations.some(({ name }) => name === former));
  await db.transaction(async (trx) => {
    for (const [name, former] of renamed) {
      const row = await trx(TABLE).where({ name: former }).first<{ batch: number; migration_time: string }>('batch', 'migration_time');
      await trx(TABLE).insert({ ...row, name });
    }
    await trx(TABLE).whereIn('name', obsolete).delete();
  });
}

async function appliedNames(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>('SELECT to_regclass(?) IS NOT NULL AS present', [TABLE]);
  return rows[0]?.present ? db(TABLE).orderBy('id').pluck<string[]>('name') : [];
}

/**
 * Checks that the database has exactly the migrations of `schema`.
 *
 * @returns undefined if it has; else what is wrong and how to fix it, in one sentence.
 */
export async function schemaProblem(
  db: Database,
  { migrations, external = [], formerNames = {} }: DatabaseSchema,
): Promise<string | undefined> {
  const applied = await appliedNames(db);
  const names = migrations.map(({ name }) => name);
  const missing = names.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !names.includes(name) && !Object.values(formerNames).includes(name));
  if (unknown.length > 0)
    return `the database has migrations that this version does not know (${unknown.join(', ')}): deploy the version that made them`;
  if (missing.length > 0) return `the database lacks migrations (${missing.join(', ')}): run \`npm run migrate\``;
  for (const { name, isBehind } of external)
    if (await isBehind(db)) return `the database lacks the schema of ${name}: run \`npm run migrate\``;
  return undefined;
}
