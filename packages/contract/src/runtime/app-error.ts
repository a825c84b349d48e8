/** Errors that end a request: the class, its codes, and their statuses. */
import type { ErrorProblem } from '../responses/error-values.ts';

/** The codes that the server itself answers with, and their statuses. A service adds its own. */
export const FRAMEWORK_ERRORS = {
  invalid_request: 400,
  invalid_json: 400,
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
  idempotency_key_reused: 422,
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

/** Codes that say more than their status: only the pipeline, or a store, says them. */
const SPECIFIC: readonly string[] = ['insufficient_scope', 'idempotency_key_reused'] satisfies FrameworkErrorCode[];

/** The code for whatever is answered with a status. */
export const codeOfStatus = <Code extends string>(statuses: Readonly<Record<Code, number>>, status: number): Code | undefined =>
  (Object.keys(statuses) as Code[]).find((code) => statuses[code] === status && !SPECIFIC.includes(code));

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
