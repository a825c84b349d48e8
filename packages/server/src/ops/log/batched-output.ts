/** Where log lines go: written in batches, because a system call for each would be a large part of what a request costs. */
import { BoundedWriter } from './bounded-writer.ts';

/** How long a line may be buffered, in ms: a process that is killed loses that much, and a reader of the log does not see the delay. */
const MAX_DELAY_MS = 20;
const BATCH_BYTES = 32 * 1024;
/** What several processes may write to one pipe without splitting each other's lines (PIPE_BUF of Linux; POSIX, `write`). */
const ATOMIC_BYTES = 4096;
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
/** pino's number for `error`. */
const ERROR = 50;

/** What pino needs of a stream; it tells the level of each line. */
export interface BatchedOutput {
  lastLevel: number;
  write(line: string): void;
  /** Writes what waits. pino calls it after a line of level `fatal`. */
  flushSync(): void;
  /** The same for `logger.flush()`. */
  flush(): void;
  /** How many lines were dropped because the log was not read. */
  droppedLines(): number;
}

export interface OutputOptions {
  readonly isTerminal?: boolean;
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
  { isTerminal = false, isShared = false, format, onDropped = () => undefined }: OutputOptions,
): BatchedOutput {
  const batchBytes = isShared ? ATOMIC_BYTES : BATCH_BYTES;
  const batch = Buffer.allocUnsafeSlow(batchBytes);
  const writer = new BoundedWriter(file, onDropped);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const output = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(json: string): void {
      const line = format === undefined ? json : format(json);
      if (length + line.length * MAX_BYTES_PER_CHARACTER > batchBytes) output.flushSync();
      // Encoded now: joined to one text and encoded later they would cost twice as much.
      if (line.length * MAX_BYTES_PER_CHARACTER > batchBytes) writer.write(Buffer.from(line));
      else length += batch.write(line, length);
      if (isTerminal || output.lastLevel >= ERROR) output.flushSync();
      else timer ??= setTimeout(() => output.flushSync(), MAX_DELAY_MS).unref();
    },
    flushSync(): void {
      clearTimeout(timer);
      timer = undefined;
      const end = length;
      length = 0;
      if (end > 0) writer.write(batch.subarray(0, end));
    },
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

/** One listener for all outputs of the process. */
function flushAtExit(flush: () => void): void {
  if (atExit.push(flush) === 1) process.on('exit', () => atExit.forEach((each) => each()));
}
