/** Whether a database may be filled from a backup: nothing that somebody has stored there is overwritten. */
import type pg from 'pg';
import { quoteName, type BackupTable } from './backup.ts';
import type { Database } from '../connection/connect.ts';

const MAX_NAMED = 3;
/** A default that is the same each time, as `pg_get_expr` writes it: `0`, `true`, `'free'::text`. */
const CONSTANT = /^(-?\d+(\.\d+)?|'-?\d+'::\w+|true|false|'([^']|'')*'::[\w ]+|NULL::[\w ]+)$/;

/** Somebody has stored something in the database that was to be filled. */
export class NotEmptyError extends Error {}

/**
 * @param tables of the database. @param isBookkeeping of migrations, whose rows nobody has stored.
 * @throws NotEmptyError if one of the others has rows, and says what to do. A row of defaults alone is one that a migration has made.
 */
export async function assertEmpty(
  client: pg.Client,
  tables: readonly BackupTable[],
  isBookkeeping: (table: string) => boolean,
): Promise<void> {
  const filled: string[] = [];
  for (const { name, columns } of tables) {
    if (isBookkeeping(name)) continue;
    const { rows } = await client.query(`SELECT FROM ${name} LIMIT 2`);
    if (rows.length === 0 || (rows.length === 1 && (await hasDefaultsOnly(client, name, columns)))) continue;
    filled.push(name);
  }
  if (filled.length === 0) return;
  // Those of the service before those of its libraries.
  filled.sort((a, b) => Number(b.startsWith('public.')) - Number(a.startsWith('public.')));
  const named = filled.slice(0, MAX_NAMED).join(', ') + (filled.length > MAX_NAMED ? ', ...' : '');
  throw new NotEmptyError(
    `the database is not empty, and nothing was changed: ${named} ${filled.length === 1 ? 'has' : 'have'} rows\n` +
      'empty the embedded one: stop its servers, then `npm run db -- reset --yes`; on a server make another: createdb NAME',
  );
}

async function hasDefaultsOnly(client: pg.Client, table: string, columns: BackupTable['columns']): Promise<boolean> {
  const { rows } = await client.query<{ name: string; default: string | null }>(
    `SELECT a.attname AS name, pg_get_expr(d.adbin, d.adrelid) AS default
       FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = $1::regclass AND a.attname = ANY($2)`,
    [table, columns.map(({ name }) => name)],
  );
  if (rows.some((row) => row.default !== null && !CONSTANT.test(row.default))) return false;
  const conditions = rows.map((row) => `${quoteName(row.name)} IS NOT DISTINCT FROM ${row.default ?? 'NULL'}`);
  const { rows: found } = await client.query(`SELECT FROM ${table} WHERE ${conditions.join(' AND ') || 'true'}`);
  return found.length === 1;
}

// Whether servers use a database that is about to be left: what they write after its snapshot would be lost.

/** @param db a pool of one connection. @throws Error if sessions of the service are connected. */
export async function assertNoServers(db: Database, service: string): Promise<void> {
  const { rows } = await db.raw<{ rows: { pids: number[] | null }[] }>(
    `SELECT array_agg(pid ORDER BY pid) AS pids FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND starts_with(application_name, ?)
        AND application_name NOT LIKE '% backup'`,
    [service],
  );
  const pids = rows[0]?.pids ?? [];
  if (pids.length > 0)
    throw new Error(
      `servers of ${service} are connected to the database (sessions ${pids.slice(0, 5).join(', ')}), and what they write now would be lost:\n` +
        'stop them, or copy what is there now with --online',
    );
}
