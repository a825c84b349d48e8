/** The schema of a service: its migrations, and the schemas of libraries in the same database. */
import type { Knex } from 'knex';
import type { Database } from '../connection/connect.ts';

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

/** A schema in the same database that a library migrates itself, such as a job queue's. */
export interface ExternalSchema {
  readonly name: string;
  /** Must be safe from many processes at once. */
  readonly migrate: (db: Database) => Promise<void>;
  /** Whether the database lacks any of its migrations. */
  readonly isBehind: (query: RunQuery) => Promise<boolean>;
  /** Whether servers of the version before work with what `migrate` makes, as `compatible` of a migration says. */
  readonly compatible?: boolean;
}

export interface DatabaseSchema {
  /** In the order in which they run, those of its packages included. */
  readonly migrations: readonly Migration[];
  readonly external?: readonly ExternalSchema[];
}
