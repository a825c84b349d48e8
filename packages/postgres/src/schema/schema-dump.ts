/** A database's schema as text, read from its catalogs: equal schemas give equal texts. */
import type { Database } from '../connection/connect.ts';
import { MIGRATION_TABLES } from './schema-problem.ts';

/**
 * The tables of the schema `public` with their columns, constraints and indexes, ordered by name, without Knex's own tables.
 *
 * It is meant to be committed, read and compared, not to be run: every migration that changes the schema changes this text.
 */
export async function dumpSchema(db: Database): Promise<string> {
  const tables = await db('pg_catalog.pg_tables')
    .where({ schemaname: 'public' })
    .whereNotIn('tablename', [...MIGRATION_TABLES])
    .orderBy('tablename')
    .pluck<string[]>('tablename');
  const dumped: string[] = [];
  for (const table of tables) {
    const columns = await lines(
      db,
      `SELECT format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
                CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY (MAXVALUE ' || s.seqmax || ')'
                     WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
                     WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)
                     ELSE '' END) AS line
         FROM pg_attribute a
         LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         LEFT JOIN pg_sequence s ON s.seqrelid = pg_get_serial_sequence(?, a.attname)::regclass
        WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum`,
      [table, table],
    );
    // NOT NULL is written with its column; since PostgreSQL 18 the catalog has it as a constraint too.
    const constraints = await lines(
      db,
      `SELECT format('  CONSTRAINT %s %s', conname, pg_get_constraintdef(oid)) AS line
         FROM pg_constraint WHERE conrelid = ?::regclass AND contype <> 'n' ORDER BY contype, conname`,
      [table],
    );
    const indexes = await lines(
      db,
      `SELECT pg_get_indexdef(indexrelid) || ';' AS line FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE indrelid = ?::regclass AND NOT indisprimary ORDER BY c.relname`,
      [table],
    );
    dumped.push(`TABLE ${table} (\n${[...columns, ...constraints].join(',\n')}\n);\n${indexes.map((index) => `${index}\n`).join('')}`);
  }
  return dumped.join('\n');
}

async function lines(db: Database, sql: string, bindings: readonly string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(sql, [...bindings]);
  return rows.map(({ line }) => line);
}
