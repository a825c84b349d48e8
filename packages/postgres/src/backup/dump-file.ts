/**
 * The file of a dump: text under gzip. A line that names the format, a line of JSON with the contents; each table as a COPY
 * statement, its rows, `\.`, and a line of JSON with their number and digest; at the end a line of JSON with the sequences.
 */
import { hash } from 'node:crypto';
import type { BackupContents, SequenceState } from './backup.ts';
import type { RowSummary } from './row-digest.ts';

/** The first line. The number is that of the format. */
export const FIRST_LINE = '-- specwright dump 1';
/** What the first line of every version of the format begins with. */
export const FORMAT = '-- specwright dump ';
/** What a line of JSON begins with. */
export const NOTE = '-- ';
/** What COPY's rows end with: a row that is this text is written as `\\.` */
export const END_OF_ROWS = '\\.';

/** The line after the rows of a table. */
export interface TableNote extends RowSummary {
  readonly table: string;
}

/** The last line. */
export interface EndNote {
  readonly sequences: readonly SequenceState[];
  /** Of the contents and the sequences; dumps of former versions have none. */
  readonly digest?: string;
}

/** @returns the last line's note. */
export const endNote = (contents: BackupContents, sequences: readonly SequenceState[]): EndNote => ({
  sequences,
  digest: hash('sha256', JSON.stringify([contents, sequences]), 'base64'),
});

export const formatNote = (note: object): string => `${NOTE}${JSON.stringify(note)}\n`;
