/** A database's schema as text, from its own catalogs: the same schema gives the same text, line by line. */
import type { Database } from './connect.ts';

interface Line {
  readonly line: string;
}

/**
 * Tables with their columns, constraints and indexes, by name. Knex's own tables are left out.
 *
 * Not to be run: it is there to be read and compared. A migration that changes what is there changes this text.
 */
export async function describeSchema(db: Database): Promise<string> {
  const tables = await db('pg_catalog.pg_tables')
    .where({ schemaname: 'public' })
    .whereNotIn('tablename', ['migrations', 'migrations_lock'])
    .orderBy('tablename')
    .pluck<string[]>('tablename');
  const described: string[] = [];
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
    // NOT NULL stands with its column; from PostgreSQL 18 on it is a constraint of the catalog too.
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
    described.push(`TABLE ${table} (\n${[...columns, ...constraints].join(',\n')}\n);\n${indexes.map((index) => `${index}\n`).join('')}`);
  }
  return described.join('\n');
}

async function lines(db: Database, sql: string, bindings: readonly string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: Line[] }>(sql, [...bindings]);
  return rows.map(({ line }) => line);
}
