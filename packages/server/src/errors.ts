/** Errors that end a request: the class, its codes, and their statuses. */
import type { ErrorProblem } from '@specwright/contract';

/** The codes that the server itself answers with, and their statuses. A service adds its own. */
export const FRAMEWORK_ERRORS = {
  invalid_request: 400,
  invalid_json: 400,
  idempotency_key_reused: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_key_in_use: 409,
  gone: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_content_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  rate_limited: 429,
  api_key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  service_unavailable: 503,
} as const;

export type FrameworkErrorCode = keyof typeof FRAMEWORK_ERRORS;

/** The codes of a service and their HTTP statuses (RFC 9110, section 15). */
export type ErrorStatuses = Readonly<Record<FrameworkErrorCode, number>> & Readonly<Record<string, number>>;

/** The code for whatever is answered with a status. `insufficient_scope` says more than 403: only the pipeline says it. */
export const codeOfStatus = <Code extends string>(statuses: Readonly<Record<Code, number>>, status: number): Code | undefined =>
  (Object.keys(statuses) as Code[]).find((code) => statuses[code] === status && code !== 'insufficient_scope');

export interface AppErrorOptions {
  /** The internal error. It is logged, never sent. */
  readonly cause?: unknown;
  /** Response headers of this error: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is wrong, one by one, for programs: it is sent where the contract's body of the error has a list of problems. */
  readonly problems?: readonly ErrorProblem[] | undefined;
  /** The status, for one that the codes of the framework do not have. Default: that of the code. */
  readonly status?: number | undefined;
}

/**
 * Thrown by any layer to end a request with an error of the contract.
 *
 * `message` is sent to the client unchanged: it may name what the caller sent, never internals. A problem with one value of the request in its
 * place is the message `body/categoryId refers to ...`, and the first of `problems`.
 *
 * `Code` restricts the codes: `export const ShopError = AppError<ErrorCode>` is a class that takes only those.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  readonly problems: readonly ErrorProblem[] | undefined;

  constructor(code: Code, message: string | ErrorProblem, options: AppErrorOptions = {}) {
    super(
      typeof message === 'string' ? message : `${message.location}${message.pointer} ${message.message}`,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.name = 'AppError';
    this.code = code;
    this.headers = options.headers ?? {};
    this.status = options.status;
    this.problems = typeof message === 'string' ? options.problems : [message, ...(options.problems ?? [])];
  }
}

/** Whether a thrown value is an `AppError`, whatever its codes: `instanceof` alone would narrow it to `AppError<any>`. */
export const isAppError = (error: unknown): error is AppError => error instanceof AppError;

/** An `AppError` with a code of the framework. One below 500 says all by its message: a stack would be a fifth of what the refusal costs. */
export class FrameworkError extends AppError<FrameworkErrorCode> {
  constructor(code: FrameworkErrorCode, message: string | ErrorProblem, options?: AppErrorOptions) {
    const { stackTraceLimit } = Error;
    // Nothing is set where the intrinsics are frozen.
    Reflect.set(Error, 'stackTraceLimit', FRAMEWORK_ERRORS[code] < 500 ? 0 : stackTraceLimit);
    super(code, message, options);
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}

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
  const words = cut(line.trim(), MAX_TOTAL).split(' ');
  const lines: string[] = [];
  let current = indent;
  for (const word of words.map((long) => cut(long, MAX_WORD))) {
    if (current.trim() !== '' && current.length + 1 + word.length > MAX_LENGTH) {
      lines.push(current);
      current = `${indent}    `;
    }
    current += current.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, current];
}

/** Without its middle: the end of a path says as much as its beginning. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Math.floor((max - 3) / 2);
  return `${text.slice(0, kept)}...${text.slice(-kept)}`;
}
