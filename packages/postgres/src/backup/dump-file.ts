/**
 * The file of a dump: text under gzip. A line that names the format, a line of JSON with the contents; each table as a COPY
 * statement, its rows, `\.`, and a line of JSON with their number and digest; at the end a line of JSON with the sequences.
 */
import { hash, createHash, type Hash } from 'node:crypto';
import type { BackupContents, SequenceState } from './backup.ts';

/** The first line. The number is that of the format. */
export const FIRST_LINE = '-- specwright dump 1';
/** What the first line of every version of the format begins with. */
export const FORMAT = '-- specwright dump ';
/** What a line of JSON begins with. */
export const NOTE = '-- ';
/** What COPY's rows end with: a row that is this text is written as `\\.` */
export const END_OF_ROWS = '\\.';

export interface TableNote extends RowSummary {
  readonly table: string;
}

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

/** Counts the rows of a table and computes a digest of them that is the same in every order. */
const NEWLINE = 10;
/** Words of SHA-256. */
const WORDS = 8;

export interface RowSummary {
  readonly rows: number;
  /** The sum of the SHA-256 of each row, word by word, in hex. */
  readonly digest: string;
}

/** Takes the text that COPY writes, in pieces of any size: a row is a line. */
export class RowDigest {
  rows = 0;
  readonly #sum = new Uint32Array(WORDS);
  /** Of a row whose end has not come. */
  #begun: Hash | undefined = undefined;

  update(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const row = chunk.subarray(start, end);
      this.#add(this.#begun === undefined ? hash('sha256', row, 'buffer') : this.#begun.update(row).digest());
      this.#begun = undefined;
      start = end + 1;
    }
    if (start < chunk.length) this.#begun = (this.#begun ?? createHash('sha256')).update(chunk.subarray(start));
  }

  summary(): RowSummary {
    return { rows: this.rows, digest: Array.from(this.#sum, (word) => word.toString(16).padStart(8, '0')).join('') };
  }

  #add(digest: Buffer): void {
    this.rows += 1;
    for (let word = 0; word < WORDS; word++) this.#sum[word] = (this.#sum[word] ?? 0) + digest.readUInt32BE(word * 4);
  }
}

/** Passes the rows of a table on, and counts them. */
export async function* counted(rows: AsyncIterable<Buffer>, digest: RowDigest, onRows?: (rows: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    digest.update(chunk);
    onRows?.(digest.rows);
    yield chunk;
  }
}

/** Reads rows that are only to be counted, or checked by what passes them on. */
export async function readToEnd(rows: AsyncIterable<Buffer>): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
