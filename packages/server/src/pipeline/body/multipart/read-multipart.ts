/** Reads a body of multipart/form-data: its fields before the handler is called, its files then or after. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { type Field, isThenable, type MultipartParts, type UploadedFile, type UploadedFiles } from '@specwright/contract';
import { type Exchange, incomingOf, type Sets } from '../../exchange.ts';
import type { BodyBudget } from '../body-budget.ts';
import type { BodyLease } from '../body-lease.ts';
import { bodyTooLarge } from '../body-errors.ts';
import { DEFAULT_FILE_TYPE, type FileLength, FileRules } from './file-rules.ts';
import { invalidPart, type PartHead } from './part-headers.ts';
import { ReadOnceItems, ReadOnceStream } from '../read-once.ts';
import { boundaryOf, PartReader } from './part-reader.ts';
import { SpooledFiles, type SpoolOptions } from './spooled-files.ts';

/** Fields are held in memory, and are seldom large: 1 MiB. */
export const MAX_FIELDS_BYTES = 1024 * 1024;

export interface MultipartOptions extends SpoolOptions {
  readonly parts: MultipartParts;
  readonly maxFieldsBytes: number;
}

/**
 * Reads the body up to its first file, or all of it if files are spooled.
 *
 * @param source the body, decompressed. @throws AppError invalid_request for what is not declared or malformed; body_too_large; what the source fails with.
 */
export async function readMultipart(exchange: Sets<'body' | 'incoming'>, source: Readable, options: MultipartOptions): Promise<void> {
  const { parts, maxFieldsBytes, budget } = options;
  const incoming = incomingOf(exchange);
  const reader = new PartReader(source, boundaryOf(exchange.request.headers['content-type'] ?? ''), (error) => {
    incoming.error = error;
    source.destroy(error);
  });
  const rules = new FileRules(parts);
  let fieldsBytes = 0;
  let lease: BodyLease | undefined;
  const fields: Field[] = [];
  const spooled = parts.isSpooled ? new SpooledFiles(reader, rules, exchange, options) : undefined;
  if (spooled !== undefined) exchange.onRelease('response', () => spooled.close());

  const acquire = async (bytes: number): Promise<void> => {
    fieldsBytes += bytes;
    if (fieldsBytes > maxFieldsBytes) throw bodyTooLarge(maxFieldsBytes);
    await budget.acquire((lease ??= leaseFields(exchange, budget)), bytes);
  };
  let head: PartHead | undefined;
  try {
    for (head = rules.named(await reader.next()); head !== undefined; head = rules.named(await reader.next())) {
      if (!rules.isFile(head)) fields.push({ name: head.name, type: head.type, text: await readText(reader, head, acquire) });
      else if (spooled === undefined) break;
      else await spooled.add(head);
    }
    assertFieldsFirst(parts, fields, head);
    // Without a first file there are no others.
    if (head === undefined) rules.end();
    spooled?.complete();
  } catch (error) {
    await spooled?.close();
    throw error;
  }
  // Again: what was stored after the response had ended.
  if (spooled !== undefined) exchange.onRelease('response', () => spooled.close());
  exchange.body = fields;
  if (parts.files.size > 0) incoming.files = spooled?.files ?? new ReadOnceItems(streamFiles(reader, rules, head));
}

/** That of the upload ends with its last byte, while the fields are still there. */
function leaseFields(exchange: Exchange, budget: BodyBudget): BodyLease {
  const lease = budget.open(0, exchange.service.bucketOf(exchange));
  exchange.onRelease('work', () => budget.release(lease));
  return lease;
}

/** The validator would say that a field is missing, which may only come too late. @throws AppError invalid_request */
function assertFieldsFirst({ requiredFields }: MultipartParts, fields: readonly Field[], file: PartHead | undefined): void {
  if (file === undefined) return;
  const missing = requiredFields.filter((required) => !fields.some(({ name }) => name === required || name === `${required}[]`));
  if (missing.length === 0) return;
  const problems = missing.map((name) => `body/${name} is required before the file ${file.name}`).join('; ');
  throw invalidPart(`${problems}: send fields before files, which are read as they arrive`);
}

/** The files of a request whose body is none, or of another type. */
export const noFiles = ({ isSpooled }: MultipartParts): UploadedFiles => (isSpooled ? [] : { [Symbol.asyncIterator]: () => NO_FILES });

const NO_FILES: AsyncIterator<UploadedFile> = { next: () => Promise.resolve({ done: true, value: undefined }) };

async function readText(reader: PartReader, { name }: PartHead, acquire: (bytes: number) => Promise<void>): Promise<string> {
  const chunks: Buffer[] = [];
  for (let bytes = await reader.read(); bytes !== undefined; bytes = await reader.read()) {
    await acquire(bytes.length);
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks);
  if (!isUtf8(text)) throw invalidPart(`body/${name} is not UTF-8`);
  return text.toString();
}

/**
 * The files of a body from `first` on, handed to the handler as they arrive.
 *
 * @param first the part that was read last, a file; `undefined` if there is none.
 * @throws AppError invalid_request for a part that the contract does not allow, or that is missing at the end.
 */
async function* streamFiles(reader: PartReader, rules: FileRules, first: PartHead | undefined): AsyncGenerator<UploadedFile, void> {
  try {
    for (let head = first; head !== undefined; head = rules.named(await reader.next())) {
      if (head !== first && !rules.isFile(head)) {
        const why = 'what follows a file is read after the handler was called';
        throw invalidPart(`body/${head.name} comes after a file: send fields before files, since ${why}`);
      }
      const stream = new FileStream(reader, rules.begin(head));
      yield { name: head.name, filename: head.filename, type: head.type ?? DEFAULT_FILE_TYPE, headers: head.headers, stream };
      stream.leave();
    }
    rules.end();
  } catch (error) {
    throw reader.fail(error);
  }
}

/** One file. It reads from the request when it is read. */
class FileStream extends ReadOnceStream {
  readonly #reader: PartReader;
  readonly #length: FileLength;

  constructor(reader: PartReader, length: FileLength) {
    super();
    this.#reader = reader;
    this.#length = length;
    // A handler that does not look at the file must not end the process when its client goes away.
    this.on('error', () => undefined);
  }

  override _read(): void {
    try {
      const bytes = this.#reader.read();
      if (isThenable(bytes)) bytes.then((later) => this.#deliver(later)).catch((error: unknown) => this.#fail(error));
      else this.#deliver(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  leave(): void {
    if (!this.readableEnded && !this.destroyed) this.destroy(new Error('the next file was asked for before this one was read'));
  }

  #deliver(bytes: Buffer | undefined): void {
    if (this.destroyed) return;
    if (bytes === undefined) this.#length.end();
    else this.#length.add(bytes.length);
    this.push(bytes ?? null);
  }

  #fail(error: unknown): void {
    this.destroy(this.#reader.fail(error));
  }
}
