/** The temporary file of one request: without a name, and within the budget of bytes on disk. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FrameworkError } from '@specwright/contract/runtime';
import type { BodyBudget } from '../body-budget.ts';
import { bodyTooLarge } from '../body-errors.ts';
import type { BodyLease } from '../body-lease.ts';
import type { Arriving } from '../least-rate.ts';
import type { UploadStream } from '../upload-stream.ts';

/** How many temporary files may be open: each takes this part of the budget, and more once it is larger. */
const MAX_FILES = 64;
const READ_BYTES = 64 * 1024;

export class TemporaryFile {
  /** In bytes. */
  size = 0;
  readonly #budget: BodyBudget;
  readonly #lease: BodyLease;
  readonly #body: Arriving | undefined;
  #handle: FileHandle | undefined = undefined;
  #isClosed = false;
  /** What an open file takes of the budget at least. */
  readonly #leastBytes: number;

  /** @param budget of all temporary files. @param need the most bytes that the file may take. @param upload what is written to it. */
  constructor(budget: BodyBudget, need: number, caller: string, upload: UploadStream | undefined) {
    this.#budget = budget;
    this.#leastBytes = Math.floor(budget.limit / MAX_FILES);
    const lease = (this.#lease = budget.open(Math.max(need, this.#leastBytes), caller));
    this.#body = upload && {
      lease,
      get receivedBytes() {
        return upload.receivedBytes;
      },
      get isAwaited() {
        return upload.isAwaited;
      },
      refuse: (error) => upload.refuse(error),
    };
    if (this.#body !== undefined) budget.arriving.add(this.#body);
  }

  /** @throws AppError service_unavailable if the budget or the disk has no room, or the process no descriptor; body_too_large beyond the budget. */
  async append(bytes: Buffer): Promise<void> {
    const { limit } = this.#budget;
    const size = this.size + bytes.length;
    if (size > limit) throw bodyTooLarge(limit);
    const missing = Math.max(size, this.#leastBytes) - this.#lease.held;
    if (missing > 0) await this.#budget.acquire(this.#lease, missing);
    this.#assertOpen();
    try {
      await this.#write(bytes);
    } catch (cause) {
      if (!NO_ROOM.has(String((cause as NodeJS.ErrnoException).code))) throw cause;
      const message = 'there is no room for the files of the request; retry in 1 s';
      throw new FrameworkError('service_unavailable', message, { cause, headers: { 'Retry-After': '1' } });
    }
    this.size = size;
  }

  complete(): void {
    this.#budget.complete(this.#lease, this.#lease.held);
    if (this.#body !== undefined) this.#budget.arriving.delete(this.#body);
  }

  /** The bytes from `start` on, before `end`. */
  read(start: number, end: number): Readable {
    let at = start;
    const readAt = (position: number, length: number) => this.#read(position, length);
    return new Readable({
      read(size) {
        const length = Math.min(end - at, Math.max(size, READ_BYTES));
        if (length === 0) return void this.push(null);
        readAt(at, length).then(
          (bytes) => {
            at += bytes.length;
            this.push(bytes);
          },
          (error: unknown) => this.destroy(error as Error),
        );
      },
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#body !== undefined) this.#budget.arriving.delete(this.#body);
    try {
      await this.#handle?.close();
    } finally {
      this.#budget.release(this.#lease);
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#handle === undefined) {
      const handle = await createFile();
      // The request may have ended meanwhile.
      if (this.#isClosed) await handle.close();
      this.#assertOpen();
      this.#handle = handle;
    }
    await this.#handle.appendFile(bytes);
  }

  async #read(position: number, length: number): Promise<Buffer> {
    this.#assertOpen();
    const { bytesRead, buffer } = await (this.#handle as FileHandle).read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new Error('the temporary file is shorter than what was written to it');
    return buffer.subarray(0, bytesRead);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('the request has ended, and its files with it');
  }
}

/** The disk is full, or there are no descriptors. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

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
