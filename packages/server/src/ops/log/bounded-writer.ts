/** Writes to a descriptor without waiting for its reader: what it does not take at once is kept up to a bound, and beyond that dropped. */
import fs from 'node:fs';

/** The most that is kept while the reader does not read. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** The time after which a full pipe is tried again, in ms. */
const RETRY_INTERVAL_MS = 20;
/** How long the end of the process waits for a reader that is slow, in ms. */
const MAX_EXIT_WAIT_MS = 1000;
const NEWLINE = 10;

export class BoundedWriter {
  readonly #file: number;
  readonly #onResume: (lines: number) => void;
  #backlog: Buffer[] = [];
  #backlogBytes = 0;
  #timer: NodeJS.Timeout | undefined = undefined;
  /** Since the reader last took everything. */
  #droppedNow = 0;
  /** The lines that were dropped because the log was not read. */
  dropped = 0;

  /** @param file the descriptor. @param onResume is told how many lines were dropped, once the reader has taken the rest. */
  constructor(file: number, onResume: (lines: number) => void) {
    this.#file = file;
    this.#onResume = onResume;
  }

  /** @param bytes whole lines. They may be used again afterwards. */
  write(bytes: Buffer): void {
    if (this.#backlog.length > 0) this.#drain();
    const rest = this.#backlog.length > 0 ? bytes : this.#tryWrite(bytes);
    if (rest.length === 0) return;
    // The rest of a line that was begun is always kept.
    if (rest === bytes && this.#backlogBytes + rest.length > MAX_BACKLOG_BYTES) return this.#drop(bytes);
    this.#backlog.push(Buffer.from(rest));
    this.#backlogBytes += rest.length;
    this.#timer ??= setInterval(() => this.#drain(), RETRY_INTERVAL_MS).unref();
  }

  /** Waits for the reader, for a process that ends. */
  end(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waited = 0; waited < MAX_EXIT_WAIT_MS; waited += RETRY_INTERVAL_MS) {
      this.#drain();
      if (this.#backlog.length === 0) return;
      Atomics.wait(pause, 0, 0, RETRY_INTERVAL_MS);
    }
  }

  #drain(): void {
    for (let first = this.#backlog[0]; first !== undefined; first = this.#backlog[0]) {
      const rest = this.#tryWrite(first);
      this.#backlogBytes -= first.length - rest.length;
      if (rest.length > 0) {
        this.#backlog[0] = rest;
        return;
      }
      this.#backlog.shift();
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    const lines = this.#droppedNow;
    this.#droppedNow = 0;
    if (lines > 0) this.#onResume(lines);
  }

  /** @returns what the reader has no room for. What cannot be written for another reason, such as a full disk, is lost. */
  #tryWrite(bytes: Buffer): Buffer {
    let written = 0;
    try {
      while (written < bytes.length) written += fs.writeSync(this.#file, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return bytes.subarray(written);
    }
    return bytes.subarray(bytes.length);
  }

  #drop(bytes: Buffer): void {
    let lines = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
    this.#droppedNow += lines;
    this.dropped += lines;
  }
}
