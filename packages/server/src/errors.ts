/** The errors that the server answers with: a closed list of codes, and the error class that carries one. */
import { SERVICE_ERRORS } from '../../../src/errors.ts';

/** What sort of error it is. `http/problem.ts` gives each a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'precondition'
  | 'too_large'
  | 'expectation'
  | 'headers'
  | 'limited'
  | 'internal'
  | 'unimplemented'
  | 'unavailable';

/** What the request line itself answers with. */
const FRAMEWORK_ERRORS = {
  invalid_request: 'invalid',
  invalid_json: 'invalid',
  unsupported_content_type: 'invalid',
  unauthorized: 'unauthorized',
  not_found: 'missing',
  method_not_allowed: 'method',
  request_timeout: 'timeout',
  gone: 'gone',
  precondition_failed: 'precondition',
  body_too_large: 'too_large',
  expectation_failed: 'expectation',
  headers_too_large: 'headers',
  rate_limited: 'limited',
  api_key_banned: 'limited',
  internal_error: 'internal',
  not_implemented: 'unimplemented',
  service_unavailable: 'unavailable',
} as const satisfies Record<string, ErrorKind>;

/** Every code of an error, and its kind. */
export const ERRORS = { ...FRAMEWORK_ERRORS, ...SERVICE_ERRORS };

export type ErrorCode = keyof typeof ERRORS;

/**
 * What any layer throws to end a request with an error of the contract.
 *
 * `message` reaches the client as it is: it names what the caller sent, never what is inside. `cause` reaches the log only.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Response headers that belong to this error: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; headers?: Readonly<Record<string, string>> } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'AppError';
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** What an operation does that nobody has written yet. `npm run add-operation` makes its handler call this. @throws AppError */
export function notImplemented(operationId: string): never {
  throw new AppError('not_implemented', `${operationId} is not written yet`);
}

/** Errors whose message is written for the person who started a program: what is wrong and what to do. */
const EXPLAINED = ['AppError', 'ConfigError', 'ContractError', 'EmbeddedError', 'Error'];

/** The last words of a program that cannot go on. An error that nobody foresaw is a defect, and shows its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = EXPLAINED.includes(error.name) || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  return forPeople ? error.message : (error.stack ?? error.message);
}
