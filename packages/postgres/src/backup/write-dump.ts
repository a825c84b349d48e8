/** Writes a backup to a file that appears once it is complete. */
import { createWriteStream } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { copyTarget, type Backup, type OnProgress } from './backup.ts';
import { END_OF_ROWS, endNote, FIRST_LINE, formatNote, RowDigest, counted } from './dump-file.ts';

async function* formatBackup(backup: Backup, onProgress: OnProgress): AsyncGenerator<string | Buffer> {
  yield `${FIRST_LINE}\n${formatNote(backup.contents)}`;
  for await (const { table, rows } of backup.tables()) {
    yield `COPY ${copyTarget(table)} FROM stdin;\n`;
    const digest = new RowDigest();
    yield* counted(rows, digest, (number) => onProgress('reading', table, number, false));
    yield `${END_OF_ROWS}\n${formatNote({ table: table.name, ...digest.summary() })}`;
    onProgress('reading', table, digest.rows, true);
  }
  yield formatNote(endNote(backup.contents, await backup.sequences()));
}

/**
 * Writes a dump that only its owner can read: it has what the database has, secrets included.
 *
 * @throws Error if there is a file of that name; nothing is left behind then, nor after any other failure.
 */
export async function writeDump(file: string, backup: Backup, onProgress: OnProgress = () => undefined): Promise<void> {
  await assertFree(file);
  const partial = `${file}.partial`;
  // One that a killed process has left keeps its mode, which others may read.
  await rm(partial, { force: true });
  try {
    // In pieces of strings and buffers, each of which is one write.
    const text = Readable.from(formatBackup(backup, onProgress), { objectMode: true });
    await pipeline(text, createGzip(), createWriteStream(partial, { mode: 0o600, flags: 'wx' }));
    const written = await open(partial, 'r+');
    await written.sync().finally(() => written.close());
    await assertFree(file);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** @throws Error if there is a file of that name. */
export async function assertFree(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${file} exists: choose another name, or remove it`);
}
