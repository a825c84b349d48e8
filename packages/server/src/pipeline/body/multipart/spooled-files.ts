/** Files that are written to temporary files before the handler is called. */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { SpooledFile } from '@specwright/contract';
import { FrameworkError } from '../../../errors.ts';
import { DEFAULT_FILE_TYPE, FileLength, type FileRules } from './file-rules.ts';
import type { PartHead } from './part-headers.ts';
import type { PartReader } from './part-reader.ts';

/** The temporary files of one request. */
export class SpooledFiles {
  readonly files: StoredFile[] = [];
  readonly #reader: PartReader;
  readonly #rules: FileRules;

  constructor(reader: PartReader, rules: FileRules) {
    this.#reader = reader;
    this.#rules = rules;
  }

  /** Writes the part that begins. @throws AppError as `FileRules` and `PartReader` do; service_unavailable if the disk is full. */
  async add(head: PartHead): Promise<void> {
    const length = new FileLength(head.name, this.#rules.begin(head));
    const handle = await createFile();
    const hash = createHash('sha256');
    // Before it is written, so that it is closed whatever happens.
    const file = new StoredFile(head, handle, length, () => hash.copy().digest('hex'));
    this.files.push(file);
    for (let bytes = await this.#reader.read(); bytes !== undefined; bytes = await this.#reader.read()) {
      length.add(bytes.length);
      hash.update(bytes);
      await write(handle, bytes);
    }
    length.end();
  }

  /** Closes the files, which removes them. */
  async close(): Promise<void> {
    await Promise.all(this.files.splice(0).map((file) => file.close()));
  }
}

class StoredFile implements SpooledFile {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly handle: FileHandle;
  readonly #length: FileLength;
  readonly #digest: () => string;
  #stream: Readable | undefined = undefined;

  constructor(head: PartHead, handle: FileHandle, length: FileLength, digest: () => string) {
    this.name = head.name;
    this.filename = head.filename;
    this.type = head.type ?? DEFAULT_FILE_TYPE;
    this.headers = head.headers;
    this.handle = handle;
    this.#length = length;
    this.#digest = digest;
  }

  get size(): number {
    return this.#length.bytes;
  }

  get stream(): Readable {
    return (this.#stream ??= this.handle.createReadStream({ start: 0, autoClose: false }));
  }

  async close(): Promise<void> {
    this.#stream?.destroy();
    // The handler may have closed it.
    if (this.handle.fd >= 0) await this.handle.close();
  }

  /** What tells a request with this file from another one (`Idempotency-Key`). */
  toJSON(): object {
    return { name: this.name, filename: this.filename, type: this.type, sha256: this.#digest() };
  }
}

/** A file without a name: it is gone when it is closed, also if the process is killed. */
async function createFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await unlink(path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

async function write(handle: FileHandle, bytes: Buffer): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (cause) {
    if (!['ENOSPC', 'EDQUOT'].includes(String((cause as NodeJS.ErrnoException).code))) throw cause;
    throw new FrameworkError('service_unavailable', 'there is no room for the files of the request; retry later', { cause });
  }
}
