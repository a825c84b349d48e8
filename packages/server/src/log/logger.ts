/** The log on standard output: lines for people in a terminal, JSON elsewhere. Keys and passwords never reach it. */
import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import { createBatchedOutput } from './batched-output.ts';
import { loadPrettyFormat, showsColors, type LogFormat } from './pretty-log.ts';

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

/** Whether lines are written for people, if that can be done: by default, in a terminal. */
export const isForPeople = (format: LogFormat | undefined): boolean => (format ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'pretty';

/**
 * Creates a pino logger.
 *
 * @param level `trace`, `debug`, `info`, `warn`, `error` or `silent`.
 * @param format `pretty` needs the package `pino-pretty`, and is JSON without it. Default: `pretty` in a terminal.
 * @param fields of every line, of one process among several that write to the same output.
 */
export function createLogger(level: string, format?: LogFormat, fields?: object): Pino.Logger {
  const { pino } = createRequire(import.meta.url)('pino') as typeof Pino;
  const formatLine = isForPeople(format) ? loadPrettyFormat(showsColors(process.stdout)) : undefined;
  const output = createBatchedOutput(process.stdout.fd, {
    isTerminal: process.stdout.isTTY,
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
      serializers: { err: serializeError },
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

/** Name, message, stack and the chain of causes. Other properties are dropped: a database error has the values of its statement. */
function serializeError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const { code } = value as { code?: unknown };
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message,
    stack,
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
}
