/** Counts the rows of a table and computes a digest of them that is the same in every order. */
import { createHash, hash, type Hash } from 'node:crypto';

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
