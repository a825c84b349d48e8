/** Compares the migrations of a database with those of a service. */
import type { Database } from '../connection/connect.ts';
import type { DatabaseSchema, RunQuery } from './database-schema.ts';
import { migrationDigest } from './migration-digest.ts';

/** Knex's table of the migrations that have run. */
export const MIGRATIONS_TABLE = 'migrations';
/** Those of them that only add, so that servers which do not know them can go on. It exists once there is one. */
export const COMPATIBLE_TABLE = 'migrations_compatible';
/** The tables of migrations, which belong to no service's own schema. */
export const MIGRATION_TABLES: readonly string[] = [MIGRATIONS_TABLE, COMPATIBLE_TABLE, 'migrations_lock'];

export const runQueryOn =
  (db: Database): RunQuery =>
  async <Row extends object>(sql: string) =>
    (await db.raw<{ rows: Row[] }>(sql)).rows;

export interface AppliedMigration {
  readonly name: string;
  readonly compatible: boolean;
  /** `migrationDigest` of what ran; `null` for one that ran before digests were recorded. */
  readonly digest: string | null;
}

export async function readAppliedMigrations(query: RunQuery): Promise<AppliedMigration[]> {
  const [present] = await query<{ migrations: boolean; compatible: boolean }>(
    `SELECT to_regclass('${MIGRATIONS_TABLE}') IS NOT NULL AS migrations, to_regclass('${COMPATIBLE_TABLE}') IS NOT NULL AS compatible`,
  );
  if (!present?.migrations) return [];
  const compatible = present.compatible ? `EXISTS (SELECT FROM ${COMPATIBLE_TABLE} c WHERE c.name = m.name)` : 'false';
  // The column is there once a version that knows it has migrated.
  return query(`SELECT m.name, ${compatible} AS compatible, to_jsonb(m) ->> 'digest' AS digest FROM ${MIGRATIONS_TABLE} m ORDER BY m.id`);
}

export function unknownMigrations(applied: readonly AppliedMigration[], { migrations }: DatabaseSchema): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  return applied.filter(({ name, compatible }) => !compatible && !known.has(name)).map(({ name }) => name);
}

/** How the migrations of a database differ from those of a service, by name. */
export interface MigrationState {
  /** Those that the service does not know and cannot work with. */
  readonly unknown: readonly string[];
  readonly edited: readonly string[];
  readonly missing: readonly string[];
}

/** For development, where the database can be reset; see `schemaProblem` for servers. */
export async function compareMigrations(db: Database, schema: DatabaseSchema): Promise<MigrationState> {
  const applied = await readAppliedMigrations(runQueryOn(db));
  return {
    unknown: unknownMigrations(applied, schema),
    edited: await editedMigrations(applied, schema),
    missing: missingMigrations(applied, schema),
  };
}

function missingMigrations(applied: readonly AppliedMigration[], { migrations }: DatabaseSchema): string[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

async function editedMigrations(applied: readonly AppliedMigration[], { migrations }: DatabaseSchema): Promise<string[]> {
  const recorded = new Map(applied.map(({ name, digest }) => [name, digest]));
  const edited: string[] = [];
  for (const migration of migrations) {
    const digest = recorded.get(migration.name);
    if (digest === undefined || digest === null) continue;
    const current = await migrationDigest(migration);
    if (current !== undefined && current !== digest) edited.push(migration.name);
  }
  return edited;
}

/** What is wrong with migrations that were edited after they had run, and how to fix it; `undefined` if there are none. */
export async function editedProblem(applied: readonly AppliedMigration[], schema: DatabaseSchema): Promise<string | undefined> {
  const edited = await editedMigrations(applied, schema);
  if (edited.length === 0) return undefined;
  return (
    `migrations were edited after they had run in this database (${edited.join(', ')}): undo the edit and write a new migration; ` +
    'or, if the database may be lost, drop it (the embedded one: `npx specwright db reset`) and start again'
  );
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** As `schemaProblem`, by whatever runs statements. */
export async function findSchemaProblem(query: RunQuery, schema: DatabaseSchema): Promise<string | undefined> {
  let applied: AppliedMigration[];
  try {
    applied = await readAppliedMigrations(query);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return `${(error as Error).message}: the role of DATABASE_URL lacks rights, which docs/service-role.sql grants`;
  }
  const unknown = unknownMigrations(applied, schema);
  const missing = missingMigrations(applied, schema);
  if (unknown.length > 0)
    return `the database has migrations that this version does not know (${unknown.join(', ')}): deploy the version that made them`;
  if (missing.length > 0) return `the database lacks migrations (${missing.join(', ')}): run \`npm run migrate\``;
  const edited = await editedProblem(applied, schema);
  if (edited !== undefined) return edited;
  return undefined;
}

/**
 * Checks that the database has the migrations of `schema`, and only those, apart from migrations marked as compatible.
 *
 * @returns undefined if it has; else what is wrong and how to fix it, in one sentence.
 */
export const schemaProblem = (db: Database, schema: DatabaseSchema): Promise<string | undefined> =>
  findSchemaProblem(runQueryOn(db), schema);
