/** Reads a backup from a file, and notices what is damaged, cut off, or no dump. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Backup, BackupContents, BackupTable, OnProgress, SequenceState } from './backup.ts';
import {
  END_OF_ROWS,
  endNote,
  type EndNote,
  FIRST_LINE,
  FORMAT,
  NOTE,
  type TableNote,
  RowDigest,
  counted,
  readToEnd,
} from './dump-file.ts';

/** The longest first line that is read: no other file is searched for a line end. */
const MAX_FIRST_LINE_BYTES = 1000;
const CHUNK_BYTES = 256 * 1024;

/** @throws Error if the file cannot be read, or is not a dump, with what to do. Rows are checked while they are read. */
export async function readDump(file: string): Promise<Backup> {
  const lines = openLines(file);
  const first = await lines.next(MAX_FIRST_LINE_BYTES).catch((error: unknown) => {
    throw explain(file, error);
  });
  if (first !== FIRST_LINE) throw notADump(file, first);
  const contents = await readNote<BackupContents>(file, lines);
  if (!Array.isArray(contents.tables)) throw damaged(file, 'it does not say which tables it has');
  const { promise: sequences, resolve, reject } = deferred<readonly SequenceState[]>();
  return {
    contents,
    async *tables() {
      try {
        for (const table of contents.tables) yield { table, rows: readRows(file, lines, table) };
        const end = await readNote<EndNote>(file, lines);
        if ((await lines.next()) !== undefined) throw damaged(file, 'more follows after its end');
        if (end.digest !== undefined && end.digest !== endNote(contents, end.sequences).digest)
          throw damaged(file, 'the list of its tables, or its sequences, are not those that were written');
        resolve(end.sequences);
      } catch (error) {
        reject(error);
        throw error;
      }
    },
    sequences: () => sequences,
  };
}

/**
 * Reads a dump to its end, so that a damaged one is found before anything is changed.
 *
 * @throws Error as `readDump`.
 */
export async function checkDump(file: string, onProgress: OnProgress = () => undefined): Promise<BackupContents> {
  const dump = await readDump(file);
  for await (const { table, rows } of dump.tables()) {
    const digest = new RowDigest();
    await readToEnd(counted(rows, digest, (number) => onProgress('checking', table, number, false)));
    onProgress('checking', table, digest.rows, true);
  }
  return dump.contents;
}

function openLines(file: string): LineReader {
  const source = createReadStream(file);
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  source.once('error', (error) => unpacked.destroy(error));
  return new LineReader(source.pipe(unpacked));
}

async function* readRows(file: string, lines: LineReader, table: BackupTable): AsyncGenerator<Buffer> {
  const digest = new RowDigest();
  try {
    const statement = await lines.next();
    if (statement?.startsWith(`COPY ${table.name} `) !== true) throw new Error(`the rows of ${table.name} are missing`);
    yield* counted(lines.until(END_OF_ROWS), digest);
  } catch (error) {
    throw explain(file, error);
  }
  const note = await readNote<TableNote>(file, lines);
  const { rows, digest: sum } = digest.summary();
  if (note.table !== table.name || note.rows !== rows || note.digest !== sum)
    throw damaged(file, `the rows of ${table.name} are not those that were written`);
}

async function readNote<T>(file: string, lines: LineReader): Promise<T> {
  try {
    const line = await lines.next();
    if (line?.startsWith(NOTE) !== true) throw new Error(line === undefined ? 'unexpected end of file' : 'it has a line of another format');
    return JSON.parse(line.slice(NOTE.length)) as T;
  } catch (error) {
    throw explain(file, error);
  }
}

const damaged = (file: string, problem: string, cause?: unknown): Error =>
  new Error(`${file} is damaged: ${problem}: copy it again from where it was made, or take another dump`, { cause });

/** Errors of Node about the file itself stay as they are. */
function explain(file: string, error: unknown): Error {
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (syscall !== undefined) return new Error(`${file} cannot be read: ${message}`, { cause: error });
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check') return notADump(file, undefined);
  if (message.startsWith(file)) return error as Error;
  return damaged(file, message, error);
}

function notADump(file: string, first: string | undefined): Error {
  if (first?.startsWith(FORMAT) === true)
    return new Error(`${file} is a dump of another version (${first.slice(FORMAT.length)}): restore it with the version that made it`);
  return new Error(`${file} is not a file of \`db dump\`; what pg_dump writes is restored by pg_restore or psql`);
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // It is awaited only by what asks for it.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Reads text line by line, and many lines at once, from pieces of any size. */
const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);

class LineReader {
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #buffer: Buffer = EMPTY;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /**
   * The next line, without its end; `undefined` at the end of the text.
   *
   * @param maxBytes a line that is longer is cut there.
   */
  async next(maxBytes = Infinity): Promise<string | undefined> {
    let end = this.#buffer.indexOf(NEWLINE);
    while (end < 0 && this.#buffer.length < maxBytes) {
      if (!(await this.#more())) break;
      end = this.#buffer.indexOf(NEWLINE);
    }
    if (this.#buffer.length === 0) return undefined;
    const length = Math.min(end < 0 ? this.#buffer.length : end, maxBytes);
    const line = this.#buffer.toString('utf8', 0, length);
    this.#buffer = this.#buffer.subarray(length + 1);
    return line;
  }

  /** The text before a line that is `last`, in pieces of any size. @throws Error if it ends before that line. */
  async *until(last: string): AsyncGenerator<Buffer> {
    const end = Buffer.from(`${last}\n`);
    const inside = Buffer.concat([Buffer.from('\n'), end]);
    let atLineStart = true;
    for (;;) {
      const isFirst = atLineStart && this.#buffer.subarray(0, end.length).equals(end);
      const found = isFirst ? 0 : this.#buffer.indexOf(inside) + 1;
      if (isFirst || found > 0) {
        if (found > 0) yield this.#buffer.subarray(0, found);
        this.#buffer = this.#buffer.subarray(found + end.length);
        return;
      }
      // What follows the last line end may be the beginning of `last`. A long line is passed on in parts.
      const rest = this.#buffer.lastIndexOf(NEWLINE) + 1;
      const mayBeLast: boolean = (rest > 0 || atLineStart) && this.#buffer.length - rest < end.length;
      const length = mayBeLast ? rest : this.#buffer.length;
      if (length > 0) {
        atLineStart = mayBeLast;
        yield this.#buffer.subarray(0, length);
        this.#buffer = this.#buffer.subarray(length);
      }
      if (!(await this.#more())) throw new Error('unexpected end of file');
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
    return true;
  }
}
