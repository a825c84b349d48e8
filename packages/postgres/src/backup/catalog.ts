/** What a backup asks of the catalogs: tables of every schema with their columns and references, sequences, what no backup has. */
import type pg from 'pg';
import type { BackupColumn, BackupTable, SequenceState } from './backup.ts';

/** With this path the catalogs write every name with its schema. */
const QUALIFIED = `SET LOCAL search_path = ''`;

/** Of users: of no system schema, and of no extension, which makes its tables itself. @param alias of `pg_class`. */
const isUsers = (alias: string): string => `
  ${alias}.relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\\_%' OR nspname = 'information_schema')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = ${alias}.oid AND d.deptype = 'e')`;

const TABLES = `
  SELECT t.oid::regclass::text AS name,
         (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum), '[]')
            FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
         (SELECT coalesce(json_agg(DISTINCT c.confrelid::regclass::text), '[]')
            FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f') AS references
    FROM pg_class t
   WHERE t.relkind = 'r' AND t.relpersistence <> 't' AND ${isUsers('t')}
   ORDER BY 1`;

interface TableRow {
  readonly name: string;
  readonly columns: readonly BackupColumn[];
  readonly references: readonly string[];
}

/** Runs in a transaction, whose `search_path` is empty afterwards. @returns tables in the order in which they can be filled. */
export async function readBackupTables(client: pg.Client): Promise<BackupTable[]> {
  await client.query(QUALIFIED);
  const { rows } = await client.query<TableRow>(TABLES);
  return orderTables(rows).map(({ name, columns }) => ({ name, columns }));
}

/** Runs in a transaction, as `readBackupTables`. */
export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  await client.query(QUALIFIED);
  const { rows } = await client.query<{ name: string }>(
    `SELECT s.oid::regclass::text AS name FROM pg_class s WHERE s.relkind = 'S' AND s.relpersistence <> 't' AND ${isUsers('s')} ORDER BY 1`,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: read } = await client.query<SequenceState>(`SELECT last_value::text AS value, is_called AS "isCalled" FROM ${name}`);
    const [state] = read;
    if (state !== undefined) states.push({ ...state, name });
  }
  return states;
}

/** A foreign key of a circle: its table is filled before the one that it refers to. */
export interface ForeignKey {
  readonly table: string;
  readonly name: string;
}

/** The foreign keys that PostgreSQL would check too early when tables are filled in this order. */
export async function readEarlyForeignKeys(client: pg.Client, tables: readonly BackupTable[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey & { other: string }>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, confrelid::regclass::text AS other
       FROM pg_constraint WHERE contype = 'f' AND NOT condeferrable AND conrelid <> confrelid`,
  );
  const position = new Map(tables.map(({ name }, i) => [name, i]));
  return rows.filter(({ table, other }) => (position.get(table) ?? Infinity) < (position.get(other) ?? -Infinity));
}

export interface Trigger {
  readonly table: string;
  readonly name: string;
  /** What switches it on again as it was. */
  readonly enable: string;
}

/** The triggers of users that would act on rows that are loaded. */
export async function readTriggers(client: pg.Client, tables: readonly BackupTable[]): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `SELECT tgrelid::regclass::text AS "table", quote_ident(tgname) AS name,
            CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END AS enable
       FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND tgparentid = 0`,
  );
  const names = new Set(tables.map(({ name }) => name));
  return rows.filter(({ table }) => names.has(table));
}

/** Materialized views in the order in which they were made, so that one which reads another follows it. */
export async function readMaterializedViews(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT v.oid::regclass::text AS name FROM pg_class v WHERE v.relkind = 'm' AND v.relispopulated AND ${isUsers('v')} ORDER BY v.oid`,
  );
  return rows.map(({ name }) => name);
}

/** @throws Error if the database has what COPY cannot read. */
export async function assertCopyable(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_largeobject_metadata LIMIT 1');
  if (rows.length > 0) throw new Error('the database has large objects, which a dump does not have: use pg_dump for it');
}

/** The order in which tables can be filled: each after those that it refers to. */
interface ReferringTable {
  readonly name: string;
  readonly references: readonly string[];
}

/** Tables that refer to each other in a circle are the last of what can be ordered; their constraints have to wait for the end. */
function orderTables<T extends ReferringTable>(tables: readonly T[]): T[] {
  const rest = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (rest.size > 0) {
    const isFree = ({ name, references }: T) => references.every((other) => other === name || !rest.has(other));
    const free = [...rest.values()].filter(isFree);
    const next = free.length > 0 ? free : [...rest.values()].slice(0, 1);
    for (const table of next) rest.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}
