/** Reads a backup from a file, and notices what is damaged, cut off, or no dump. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Backup, BackupContents, BackupTable, OnProgress, SequenceState } from './backup.ts';
import { END_OF_ROWS, FIRST_LINE, FORMAT, NOTE, type EndNote, type TableNote } from './dump-file.ts';
import { LineReader } from './line-reader.ts';
import { RowDigest, counted, readToEnd } from './row-digest.ts';

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
  const { promise: sequences, resolve, reject } = deferred<readonly SequenceState[]>();
  return {
    contents,
    async *tables() {
      try {
        for (const table of contents.tables) yield { table, rows: readRows(file, lines, table) };
        const end = await readNote<EndNote>(file, lines);
        if ((await lines.next()) !== undefined) throw damaged(file, 'more follows after its end');
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

/** The lines of the text in a file. */
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
