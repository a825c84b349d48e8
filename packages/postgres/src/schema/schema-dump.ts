/** A database's schema as text, read from its catalogs: equal schemas give equal texts. */
import type { Database } from '../connection/connect.ts';
import { MIGRATION_TABLES } from './schema-problem.ts';

/** The kinds of objects, in the order in which the text has them; each statement has one column, `text`. */
const OBJECTS = [
  // Enumerated types and domains.
  `SELECT CASE typtype
            WHEN 'e' THEN format('TYPE %I AS ENUM (%s);', typname,
                                 (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
            ELSE format('DOMAIN %I AS %s;', typname,
                        concat_ws(' ', format_type(typbasetype, typtypmod), CASE WHEN typnotnull THEN 'NOT NULL' END, 'DEFAULT ' || typdefault,
                                  (SELECT string_agg(format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), ' ' ORDER BY conname)
                                     FROM pg_constraint WHERE contypid = t.oid AND contype = 'c')))
          END || E'\\n' AS text
     FROM pg_type t
    WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND ${isOwn('pg_type', 't.oid')}
    ORDER BY typname`,
  // Sequences that are no column's.
  `SELECT format(E'SEQUENCE %I AS %s;\\n', c.relname, format_type(s.seqtypid, NULL)) AS text
     FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND ${isOwn('pg_class', 'c.oid')}
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i') AND refobjsubid > 0)
    ORDER BY c.relname`,
  // Tables, each with its columns, constraints, indexes, triggers and policies. NOT NULL is written with its column; since
  // PostgreSQL 18 the catalog has it as a constraint too.
  `SELECT format(E'TABLE %I (\\n%s\\n)%s;\\n', t.relname,
                 array_to_string(ARRAY(${columnsOf('t')}) ||
                                 ARRAY(SELECT format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
                                        WHERE conrelid = t.oid AND contype NOT IN ('n', 't') ORDER BY contype, conname), E',\\n'),
                 concat(' PARTITION BY ' || pg_get_partkeydef(t.oid),
                        (SELECT format(' PARTITION OF %s %s', inhparent::regclass, pg_get_expr(t.relpartbound, t.oid))
                           FROM pg_inherits WHERE inhrelid = t.oid AND t.relispartition)))
          || ${each(`SELECT pg_get_indexdef(indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                      WHERE indrelid = t.oid AND NOT indisprimary ORDER BY c.relname`)}
          || ${each('SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = t.oid AND NOT tgisinternal ORDER BY tgname')}
          || CASE WHEN t.relrowsecurity THEN format(E'ROW LEVEL SECURITY ON %I%s;\\n', t.relname, CASE WHEN t.relforcerowsecurity THEN ' FORCED' END)
                  ELSE '' END
          || ${each(`SELECT format('POLICY %I ON %I AS %s FOR %s TO %s%s%s', p.policyname, p.tablename, p.permissive, p.cmd,
                                   array_to_string(p.roles, ', '), ' USING (' || p.qual || ')', ' WITH CHECK (' || p.with_check || ')')
                       FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = t.relname ORDER BY p.policyname`)} AS text
     FROM pg_class t
    WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relname = ANY(:ignored) AND ${isOwn('pg_class', 't.oid')}
    ORDER BY t.relname`,
  `SELECT format(E'%s %I AS\\n%s\\n', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END, relname, pg_get_viewdef(v.oid))
          || ${each(`SELECT pg_get_indexdef(indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                      WHERE indrelid = v.oid ORDER BY c.relname`)}
          || ${each('SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = v.oid AND NOT tgisinternal ORDER BY tgname')} AS text
     FROM pg_class v
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') AND ${isOwn('pg_class', 'v.oid')}
    ORDER BY relname`,
  `SELECT rtrim(pg_get_functiondef(f.oid), E'\\n') || E';\\n' AS text
     FROM pg_proc f
    WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p', 'w') AND ${isOwn('pg_proc', 'f.oid')}
    ORDER BY proname, pg_get_function_identity_arguments(f.oid)`,
];

/**
 * The schema `public`, by kind and name, without Knex's own tables: enumerated types and domains, sequences, tables with their columns,
 * constraints, indexes, triggers and policies, views, functions. Without other schemas and types, aggregates, operators, rules, comments,
 * privileges, and what extensions add.
 *
 * It is meant to be committed, read and compared, not to be run: every migration that changes one of these changes this text.
 */
export async function dumpSchema(db: Database): Promise<string> {
  const dumped: string[] = [];
  for (const sql of OBJECTS) {
    const { rows } = await db.raw<{ rows: { text: string }[] }>(sql, { ignored: [...MIGRATION_TABLES] });
    dumped.push(...rows.map(({ text }) => text));
  }
  return dumped.join('\n');
}

function columnsOf(table: string): string {
  return `SELECT format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                   CASE WHEN a.attnotnull THEN ' NOT NULL' END,
                   CASE WHEN a.attidentity <> '' THEN
                          format(' GENERATED %s AS IDENTITY (MAXVALUE %s)', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
                                 (SELECT seqmax FROM pg_sequence
                                   WHERE seqrelid = pg_get_serial_sequence(${table}.oid::regclass::text, a.attname)::regclass))
                        WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
                        WHEN a.attgenerated = 'v' THEN format(' GENERATED ALWAYS AS (%s)', pg_get_expr(d.adbin, d.adrelid))
                        ELSE ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END)
            FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
           WHERE a.attrelid = ${table}.oid AND a.attnum > 0 AND NOT a.attisdropped
           ORDER BY a.attnum`;
}

/** The texts of a query, each as a line that ends with a semicolon. */
function each(query: string): string {
  return `coalesce((SELECT string_agg(line || E';\\n', '' ORDER BY n) FROM unnest(ARRAY(${query})) WITH ORDINALITY AS lines(line, n)), '')`;
}

/** Whether an object is none that an extension adds. */
function isOwn(catalog: string, id: string): string {
  return `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${id} AND deptype = 'e')`;
}
