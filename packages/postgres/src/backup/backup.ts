/** What a backup consists of, whether it is a file or a database that is being read. */
import type { AppliedMigration } from '../schema/schema-problem.ts';

export interface BackupTable {
  /** With its schema, quoted where it has to be: `public.pets`. */
  readonly name: string;
  /** Those that have values: no generated ones. */
  readonly columns: readonly BackupColumn[];
}

export interface BackupColumn {
  readonly name: string;
  /** As `format_type` writes it. */
  readonly type: string;
}

export interface BackupContents {
  readonly service: string;
  /** When its snapshot was taken, ISO 8601. */
  readonly takenAt: string;
  /** Of PostgreSQL: `18.4`. */
  readonly serverVersion: string;
  readonly migrations: readonly AppliedMigration[];
  /** In the order in which they can be filled: a table follows those that it refers to. */
  readonly tables: readonly BackupTable[];
}

export interface SequenceState {
  /** With its schema, quoted where it has to be. */
  readonly name: string;
  /** In decimal digits. */
  readonly value: string;
  /** Whether the value has been used. */
  readonly isCalled: boolean;
}

/** A backup that is being read: the parts are read in this order, each once. */
export interface Backup {
  readonly contents: BackupContents;
  /** The rows of each table of `contents`, in its order, as COPY writes text. Those of one are read to the end before the next. */
  tables(): AsyncIterable<{ readonly table: BackupTable; readonly rows: AsyncIterable<Buffer> }>;
  /** After the tables: a sequence is not part of a snapshot, and is never behind rows that were read before. */
  sequences(): Promise<readonly SequenceState[]>;
}

/** Called while rows of a table are read or written. @param rows how many so far. @param isDone whether those are all. */
export type OnProgress = (action: string, table: BackupTable, rows: number, isDone: boolean) => void;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What COPY copies: the table, with the columns in the order of the backup. */
export const copyTarget = ({ name, columns }: BackupTable): string =>
  columns.length === 0 ? name : `${name} (${columns.map((column) => quoteName(column.name)).join(', ')})`;
