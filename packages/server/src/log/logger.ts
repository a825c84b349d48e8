/** The log on standard output: lines for people in a terminal, JSON elsewhere. Keys and passwords never reach it. */
import { printableCommands } from '@specwright/contract';
import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import { loadPrettyFormat, showsColors, type LogFormat } from './pretty-log.ts';
import fs from 'node:fs';

/** Of a logger: no name of a level, each of which is a method of pino's. */
export const DROPPED_LINES = Symbol('dropped lines');

/** What this package needs of a logger; pino's fits. Fields come first. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
  /** Whether lines of a level are written; without it all are. */
  isLevelEnabled?(level: string): boolean;
  /** How many lines were dropped because the log was not read. */
  [DROPPED_LINES]?(): number;
}

/** Which requests have a line in the log: all, those answered with 5xx or not answered, or none. */
export type LogRequests = 'all' | 'errors' | 'off';

/** Whether lines are written for people, if that can be done: by default, in a terminal. */
export const isForPeople = (format: LogFormat | undefined): boolean => (format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';

/**
 * Creates a pino logger.
 *
 * @param level `trace`, `debug`, `info`, `warn`, `error` or `silent`.
 * @param format `pretty` needs the package `pino-pretty`, and is JSON without it. Default: `pretty` in a terminal.
 * @param fields of every line, of one process among several that write to the same output. @param isBatched `false` writes each line at once.
 */
export function createLogger(level: string, format?: LogFormat, fields?: object, isBatched = !process.stdout.isTTY): Pino.Logger {
  const { pino } = createRequire(import.meta.url)('pino') as typeof Pino;
  const formatLine = isForPeople(format) ? loadPrettyFormat(showsColors(process.stdout)) : undefined;
  const output = createBatchedOutput(process.stdout.fd, {
    isBatched,
    isShared: fields !== undefined,
    format: formatLine,
    onDropped: (lines) => log.warn({ lines }, 'log lines were dropped, because the log was not read'),
  });
  const log = pino(
    {
      level,
      base: fields,
      timestamp: formatTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (value) => serializeError(value) },
    },
    output,
  );
  if (format === 'pretty' && formatLine === undefined) log.warn({}, 'LOG_FORMAT=pretty needs pino-pretty: npm install -D pino-pretty');
  // Loggers that it makes (`child`) have it from it.
  return Object.assign(log, { [DROPPED_LINES]: () => output.droppedLines() });
}

let lastTime = 0;
let lastText = '';

/** The time as pino has it in a line. Many lines are of one millisecond. */
function formatTime(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}

/** How many causes of an error are logged: one may be its own. */
const MAX_CAUSES = 8;

/** Name, message, stack and the chain of causes. Other properties are dropped: a database error has the values of its statement. */
function serializeError(value: unknown, causes = MAX_CAUSES): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const { code } = value as { code?: unknown };
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message,
    stack,
    ...(cause === undefined || causes === 0 ? {} : { cause: serializeError(cause, causes - 1) }),
  };
}

// Where log lines go: written in batches, because a system call for each would be a large part of what a request costs.

/** How long a line may be buffered, in ms: a process that is killed loses that much, and a reader of the log does not see the delay. */
const MAX_DELAY_MS = 20;
const BATCH_BYTES = 32 * 1024;
/** What several processes may write to one pipe without splitting each other's lines (PIPE_BUF of Linux; POSIX, `write`). */
const ATOMIC_BYTES = 4096;
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
/** pino's number for `error`. */
const ERROR = 50;

/** A line without anything to escape, as most are. */
const ASCII = /^[ -~]*\n$/;

interface OutputOptions {
  /** Whether lines below `error` may wait; true if it is not given. */
  readonly isBatched?: boolean;
  /** Whether other processes write to it, too. */
  readonly isShared?: boolean;
  /** Makes of each line what is written; without it, the line itself. */
  readonly format?: ((line: string) => string) | undefined;
  /** Is told how many lines were dropped, once the log is read again. */
  readonly onDropped?: (lines: number) => void;
}

/**
 * Lines are written by synchronous calls, so none is lost when the process exits, by itself, by an uncaught error
 * or by `process.exit`. From level `error` on, and in a terminal, a line is written at once. What cannot be written is dropped: a service
 * outlives its terminal, the reader of its pipe and a disk that is full. A reader that does not read has lines kept up to 1 MiB.
 *
 * @param file the descriptor: 1 is standard output.
 */
export function createBatchedOutput(
  file: number,
  { isBatched = true, isShared = false, format, onDropped = () => undefined }: OutputOptions,
) {
  const batchBytes = isShared ? ATOMIC_BYTES : BATCH_BYTES;
  const batch = Buffer.allocUnsafeSlow(batchBytes);
  const writer = new BoundedWriter(file, onDropped);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const output = {
    [Symbol.for('pino.metadata')]: true,
    /** pino tells the level of each line. */
    lastLevel: 0,
    write(json: string): void {
      // A viewer of the log may be a terminal. pino escapes C0 alone; in JSON these are of one meaning.
      const line = format !== undefined ? format(json) : ASCII.test(json) ? json : printableCommands(json);
      if (length + line.length * MAX_BYTES_PER_CHARACTER > batchBytes) output.flushSync();
      // Encoded now: joined to one text and encoded later they would cost twice as much.
      if (line.length * MAX_BYTES_PER_CHARACTER > batchBytes) writer.write(Buffer.from(line));
      else length += batch.write(line, length);
      if (!isBatched || output.lastLevel >= ERROR) output.flushSync();
      else timer ??= setTimeout(() => output.flushSync(), MAX_DELAY_MS).unref();
    },
    /** pino calls it after a line of level `fatal`. */
    flushSync(): void {
      clearTimeout(timer);
      timer = undefined;
      const end = length;
      length = 0;
      if (end > 0) writer.write(batch.subarray(0, end));
    },
    /** For `logger.flush()`. */
    flush: () => output.flushSync(),
    droppedLines: () => writer.dropped,
  };
  flushAtExit(() => {
    output.flushSync();
    writer.end();
  });
  return output;
}

const atExit: (() => void)[] = [];

function flushAtExit(flush: () => void): void {
  if (atExit.push(flush) === 1) process.on('exit', () => atExit.forEach((each) => each()));
}

/** The most that is kept while the reader does not read. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** The time after which a full pipe is tried again, in ms. */
const RETRY_INTERVAL_MS = 20;
/** How long the end of the process waits for a reader that is slow, in ms. */
const MAX_EXIT_WAIT_MS = 1000;
const NEWLINE = 10;

class BoundedWriter {
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
