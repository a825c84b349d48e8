/** A database's tables, read from its catalogs: for comparison with a contract. */
import type { Database } from '../connection/connect.ts';
import { MIGRATION_TABLES } from './schema-problem.ts';

export interface Column {
  readonly name: string;
  /** As `format_type` writes it: `bigint`, `character varying(20)`. */
  readonly type: string;
  readonly nullable: boolean;
  /** The expression, as `pg_get_expr` writes it. */
  readonly default: string | null;
  /** The values of its type, if that is an enumerated type. */
  readonly labels: readonly string[] | null;
  /** The range of its sequence, if it is `GENERATED ALWAYS AS IDENTITY`. */
  readonly identity: { readonly minimum: number; readonly maximum: number } | null;
  /** Whether an INSERT has to give a value, may leave it to the database, or cannot give one (`GENERATED ALWAYS`). */
  readonly insert: 'required' | 'optional' | 'never';
  /** Whether it is part of the primary key, which holds no NULL. */
  readonly isKey?: boolean;
  /** What its foreign key refers to; `deletes`: a row is deleted with what it refers to. */
  readonly references: { readonly table: string; readonly column: string; readonly deletes?: boolean } | null;
}

export interface Check {
  readonly name: string;
  /** `CHECK ((quantity >= 0))` */
  readonly definition: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly checks: readonly Check[];
}

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
         CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default,
         (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = a.atttypid) AS labels,
         CASE WHEN a.attidentity = 'a' THEN json_build_object('minimum', s.seqmin, 'maximum', s.seqmax) END AS identity,
         CASE WHEN a.attgenerated <> '' OR a.attidentity = 'a' THEN 'never'
              WHEN a.atthasdef OR a.attidentity = 'd' OR NOT a.attnotnull THEN 'optional'
              ELSE 'required' END AS insert,
         EXISTS (SELECT FROM pg_constraint c WHERE c.contype = 'p' AND c.conrelid = a.attrelid AND a.attnum = ANY(c.conkey)) AS "isKey",
         (SELECT json_build_object('table', c.confrelid::regclass::text, 'column', other.attname, 'deletes', c.confdeltype = 'c')
            FROM pg_constraint c
            CROSS JOIN unnest(c.conkey, c.confkey) AS k(own, foreign_key)
            JOIN pg_attribute other ON other.attrelid = c.confrelid AND other.attnum = k.foreign_key
           WHERE c.contype = 'f' AND c.conrelid = a.attrelid AND k.own = a.attnum
           ORDER BY c.conname LIMIT 1) AS references
    FROM pg_attribute a
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_sequence s ON s.seqrelid = pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass
   WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum`;

/** Every table of the schema `public` except Knex's own, ordered by name. */
export async function readTables(db: Database): Promise<Table[]> {
  const { rows } = await db.raw<{ rows: Table[] }>(
    `SELECT t.relname AS name,
            (SELECT json_agg(row_to_json(c)) FROM (${COLUMNS}) c) AS columns,
            (SELECT coalesce(json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid)) ORDER BY conname), '[]')
               FROM pg_constraint WHERE conrelid = t.oid AND contype = 'c') AS checks
       FROM pg_class t
      WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relname = ANY(?)
      ORDER BY t.relname`,
    [[...MIGRATION_TABLES]],
  );
  return rows;
}
