/** Files that are stored before the handler is called: small ones in memory, the others one after the other in one temporary file. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SpooledFile } from '@specwright/contract';
import type { BodyBudget } from '../body-budget.ts';
import type { BodyLease } from '../body-lease.ts';
import type { Exchange } from '../../exchange.ts';
import { DEFAULT_FILE_TYPE, type FileRules } from './file-rules.ts';
import { invalidPart, type PartHead } from './part-headers.ts';
import type { PartReader } from './part-reader.ts';
import { TemporaryFile } from './temporary-file.ts';

/** The largest file that is kept in memory, if the budget of bytes has room at once. */
const MAX_MEMORY_FILE_BYTES = 64 * 1024;
/** All of them of one request. */
const MAX_MEMORY_BYTES = 256 * 1024;
/** The names and header fields of all files of one request, with `FILE_OVERHEAD_BYTES` for each. */
const MAX_HEADS_BYTES = 1024 * 1024;
/** The objects of a file, beside its header fields and its bytes. */
const FILE_OVERHEAD_BYTES = 512;

export interface SpoolOptions {
  /** That of bytes in memory. */
  readonly budget: BodyBudget;
  /** That of bytes on disk. */
  readonly spoolBudget: BodyBudget;
  /** The most bytes of the body. */
  readonly maxBytes: number;
}

export class SpooledFiles {
  readonly files: SpooledFile[] = [];
  readonly #reader: PartReader;
  readonly #rules: FileRules;
  readonly #budget: BodyBudget;
  readonly #memory: BodyLease;
  readonly #createFile: () => TemporaryFile;
  #file: TemporaryFile | undefined = undefined;
  #inMemory = 0;
  #headsBytes = 0;

  constructor(reader: PartReader, rules: FileRules, exchange: Exchange, { budget, spoolBudget, maxBytes }: SpoolOptions) {
    this.#reader = reader;
    this.#rules = rules;
    this.#budget = budget;
    const caller = exchange.service.bucketOf(exchange);
    this.#memory = budget.open(0, caller);
    const upload = exchange.incoming?.stream;
    const sent = upload === undefined ? maxBytes : Number(exchange.request.headers['content-length'] ?? maxBytes);
    this.#createFile = () => new TemporaryFile(spoolBudget, sent, caller, upload);
  }

  /** Stores the part that begins. @throws AppError as `FileRules`, `PartReader` and `TemporaryFile` do; service_unavailable without room in memory. */
  async add(head: PartHead): Promise<void> {
    const length = this.#rules.begin(head);
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let start: number | undefined;
    const headBytes = sizeOf(head);
    this.#headsBytes += headBytes;
    if (this.#headsBytes > MAX_HEADS_BYTES) throw invalidPart(`the header fields of all files are larger than ${MAX_HEADS_BYTES} bytes`);
    await this.#budget.acquire(this.#memory, headBytes);
    for (let bytes = await this.#reader.read(); bytes !== undefined; bytes = await this.#reader.read()) {
      length.add(bytes.length);
      hash.update(bytes);
      // Copied, because a chunk is a part of a larger buffer.
      if (start === undefined && this.#keeps(length.bytes, bytes.length)) chunks.push(Buffer.from(bytes));
      else {
        this.#file ??= this.#createFile();
        start ??= await appendAll(this.#file, chunks.splice(0));
        await this.#file.append(bytes);
      }
    }
    length.end();
    const read = start === undefined ? readMemory(Buffer.concat(chunks)) : readFile(this.#file as TemporaryFile, start, length.bytes);
    this.files.push(new StoredFile(head, length.bytes, hash.digest('hex'), read));
  }

  complete(): void {
    this.#budget.complete(this.#memory, this.#memory.held);
    this.#file?.complete();
  }

  /** Removes the files. May be called more than once. */
  async close(): Promise<void> {
    this.files.splice(0);
    this.#budget.release(this.#memory);
    await this.#file?.close();
  }

  /** Whether more bytes of a file of this length are kept in memory. */
  #keeps(fileBytes: number, bytes: number): boolean {
    const total = this.#inMemory + bytes;
    if (fileBytes > MAX_MEMORY_FILE_BYTES || total > MAX_MEMORY_BYTES || !this.#budget.tryAcquire(this.#memory, bytes)) return false;
    this.#inMemory = total;
    return true;
  }
}

type ReadRange = (start: number, end: number) => Readable;

/** @returns where they begin. */
async function appendAll(file: TemporaryFile, chunks: readonly Buffer[]): Promise<number> {
  const { size } = file;
  for (const bytes of chunks) await file.append(bytes);
  return size;
}

const readMemory =
  (bytes: Buffer): ReadRange =>
  (start, end) =>
    Readable.from(start < end ? [bytes.subarray(start, end)] : [], { objectMode: false });

const readFile =
  (file: TemporaryFile, offset: number, size: number): ReadRange =>
  (start, end) =>
    file.read(offset + Math.min(start, size), offset + Math.min(end, size));

const sizeOf = ({ name, filename = '', headers }: PartHead): number =>
  Object.entries(headers).reduce(
    (bytes, [key, value]) => bytes + key.length + value.length,
    FILE_OVERHEAD_BYTES + name.length + filename.length,
  );

class StoredFile implements SpooledFile {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  readonly #sha256: string;
  readonly #read: ReadRange;
  #stream: Readable | undefined = undefined;

  constructor(head: PartHead, size: number, sha256: string, read: ReadRange) {
    this.name = head.name;
    this.filename = head.filename;
    this.type = head.type ?? DEFAULT_FILE_TYPE;
    this.headers = head.headers;
    this.size = size;
    this.#sha256 = sha256;
    this.#read = read;
  }

  /** From the beginning again, once it was read to its end or given up: the work of a handler may be run again. */
  get stream(): Readable {
    if (this.#stream?.destroyed === true || this.#stream?.readableEnded === true) this.rewind();
    return (this.#stream ??= this.createReadStream());
  }

  rewind(): void {
    this.#stream = undefined;
  }

  createReadStream({ start = 0, end = this.size - 1 }: { readonly start?: number; readonly end?: number } = {}): Readable {
    return this.#read(start, Math.max(start, Math.min(end + 1, this.size)));
  }

  /** What tells a request with this file from another one (`Idempotency-Key`). */
  toJSON(): object {
    return { name: this.name, filename: this.filename, type: this.type, sha256: this.#sha256 };
  }
}
