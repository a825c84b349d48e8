/** Errors that end a request: their codes, and the class that carries one. */

/** The codes that the framework itself answers with, and their statuses. A service adds its own. */
export const FRAMEWORK_ERRORS = {
  invalid_request: 400,
  invalid_json: 400,
  unsupported_content_type: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  gone: 410,
  precondition_failed: 412,
  body_too_large: 413,
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

export interface AppErrorOptions {
  /** What went wrong inside. It reaches the log only. */
  readonly cause?: unknown;
  /** Response headers that belong to this error: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What any layer throws to end a request with an error of the contract.
 *
 * `message` reaches the client unchanged: it names what the caller sent, never what is inside.
 *
 * `Code` closes the list of codes: `export const AppError = BaseError<ErrorCode>` makes a class that takes no other.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, message: string, options: AppErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'AppError';
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** Whether a thrown value is an `AppError`, whatever its codes: `instanceof` alone would narrow it to `AppError<any>`. */
export const isAppError = (error: unknown): error is AppError => error instanceof AppError;

/** An `AppError` with a code of the framework. */
export const FrameworkError = AppError<FrameworkErrorCode>;

/** What an operation without an implementation does: `specwright add-operation` makes its handler call this. @throws AppError */
export function notImplemented(operationId: string): never {
  throw new FrameworkError('not_implemented', `${operationId} is not written yet`);
}

/** Errors whose message is written for the person who started a program: what is wrong and what to do. */
const OPERATIONAL_ERRORS = ['AppError', 'ConfigError', 'ContractError', 'EmbeddedError', 'Error'];

/** The last words of a program that cannot go on. An error that nobody foresaw is a defect, and shows its stack. */
export function formatFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = OPERATIONAL_ERRORS.includes(error.name) || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  return forPeople ? error.message : (error.stack ?? error.message);
}
