/** The plan of a migration, and what it is made from. */
import type { Document } from '@specwright/contract/document';
import type { Table } from '@specwright/postgres';
import type { SchemaMap } from '../schema/schema-map.ts';
import type { SchemaProblem } from '../schema/compare-schemas.ts';

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
}
