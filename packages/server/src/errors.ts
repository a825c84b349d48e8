/** Errors of a process: of its environment and its start, and how they are printed. */
import { FrameworkError } from '@specwright/contract/runtime';
import { fillLines } from './command/fill-lines.ts';

/** For the handler of an operation that is not implemented yet. @throws AppError not_implemented */
export function notImplemented(operationId: string): never {
  throw new FrameworkError('not_implemented', `${operationId} is not implemented yet`);
}

/** Thrown for invalid environment variables; the message names each of them. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`the environment is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Errors whose message says what is wrong and what to do. */
const OPERATIONAL_ERRORS = ['AppError', 'ConfigError', 'ContractError', 'EmbeddedError', 'Error'];

const isOperational = (error: Error): boolean =>
  OPERATIONAL_ERRORS.includes(error.name) || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;

/** The text to print when a program fails: the message of an expected error, the stack of a defect. */
export function formatFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return fitLines(isOperational(error) ? error.message : (error.stack ?? error.message));
}

/** What a log has of the reason for which a program cannot be started: name and message of an expected error, all of a defect. */
export function loggedReason(error: unknown): unknown {
  return error instanceof Error && isOperational(error) ? { name: error.name, message: error.message } : error;
}

// Keeps the lines of a message so short that a terminal and a log viewer show them.

const MAX_LENGTH = 200;
/** A longer message of one line is cut: it cannot be read, and may be megabytes. */
const MAX_TOTAL = 1500;
const MAX_WORD = 150;

/** The same text, in which no line has more than 200 characters. The lines that one becomes are indented. */
export const fitLines = (text: string): string => text.split('\n').flatMap(fitLine).join('\n');

function fitLine(line: string): string[] {
  if (line.length <= MAX_LENGTH) return [line];
  const indent = /^ */.exec(line)?.[0].slice(0, 40) ?? '';
  const [first = '', ...words] = cut(line.trim(), MAX_TOTAL)
    .split(' ')
    .map((word) => cut(word, MAX_WORD));
  return fillLines(indent + first, `${indent}    `, words, MAX_LENGTH);
}

/** Without its middle: the end of a path says as much as its beginning. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Math.floor((max - 3) / 2);
  return `${text.slice(0, kept)}...${text.slice(-kept)}`;
}
