/** The plan of a migration, and what it is made from. */
import type { Document } from '@specwright/contract/document';
import type { Table } from '@specwright/postgres';
import type { SchemaProblem } from '../schema/compare-schemas.ts';
import type { SchemaMap } from '../schema/database-locations.ts';

/** A part of `ALTER TABLE table part, part`, or a statement by itself. */
export type Action = { readonly table: string; readonly part: string } | { readonly statement: string };

/** An entry of the schema map: `nickname: nickname`. */
export interface ColumnEntry {
  readonly table: string;
  readonly column: string;
  readonly property: string;
}

export interface MigrationPlan {
  readonly actions: readonly Action[];
  /** What the schema map lacks. */
  readonly entries: readonly ColumnEntry[];
  /** Whether it only adds what servers of the version before need not know. */
  readonly compatible: boolean;
  /** The columns that it is about: `pets.nickname`. */
  readonly columns: readonly string[];
  /** What a person has to decide, one line each. */
  readonly undecided: readonly string[];
  /** What is to be known of the actions, one line each. */
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly document: Document;
  readonly map: SchemaMap;
  readonly tables: readonly Table[];
  readonly problems: readonly SchemaProblem[];
  /** `table.column` -> what existing rows get in a column that requires a value. */
  readonly fill: ReadonlyMap<string, string>;
}

/** A plan while it is made. */
export interface Draft extends MigrationPlan {
  readonly actions: Action[];
  readonly entries: ColumnEntry[];
  compatible: boolean;
  readonly columns: string[];
  readonly undecided: string[];
  readonly notes: string[];
  /** The properties that get a column, by `table.column`. */
  readonly holders: Map<string, string>;
}

/** The reserved words of PostgreSQL (SQL Key Words, appendix C of its manual): as names they need quotes. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently
  constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default
  deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner
  intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or
  order outer overlaps placing primary references returning right select session_user similar some symmetric system_user table
  tablesample then to trailing true union unique user using variadic verbose when where window with`.split(/\s+/),
);

/** The name, in quotes where it needs them. */
export const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;

const MAX_NAME_BYTES = 63;

/**
 * @param property what a column is named after; without it, `name` is that of a table.
 * @throws Error for a name that PostgreSQL would cut off, or that is empty.
 */
export function assertName(name: string, property?: string): void {
  if (name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES) return;
  const what = property === undefined ? `the table ${name}` : `the column ${name} of the property ${property}`;
  throw new Error(`${what} has no name of 1 to ${MAX_NAME_BYTES} bytes, as PostgreSQL needs it: give it a shorter one in the spec`);
}

/** A constant of the contract. */
export const literal = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
