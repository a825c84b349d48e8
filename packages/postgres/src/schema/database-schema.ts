/** The schema of a service: its migrations, and those of its packages. */
import type { Knex } from 'knex';

/** Runs a statement without parameters. */
export type RunQuery = <Row extends object>(sql: string) => Promise<Row[]>;

/** One migration. Append-only: one that has been released is never changed, renamed or removed. */
export interface Migration {
  /** Unique among all migrations of the database. */
  readonly name: string;
  /**
   * Its module. It is never undone: what is wrong is fixed by the next migration.
   *
   * `export const compatible = true` says that it only adds (tables, columns that are nullable or have a default, indexes), so that
   * servers of the version before it work with it and go on serving, and new ones may replace them one by one.
   */
  readonly migration: Pick<Knex.Migration, 'up'> & { readonly compatible?: boolean };
}

export interface DatabaseSchema {
  /** In the order in which they run, those of its packages included. */
  readonly migrations: readonly Migration[];
}
