/** What an error of PostgreSQL means to a client: SQLSTATE and constraint name to AppError. */
import { types } from 'node:util';
import { AppError, FrameworkError } from '@specwright/server';

/** The error of a broken constraint: its code and its message. */
export type ConstraintError<Code extends string = string> = readonly [code: Code, message: string];

/** What the constraints of a schema mean to a client, by their names. */
export interface Constraints<Code extends string = string> {
  /** For a row that breaks one as it is written. */
  readonly written?: Readonly<Record<string, ConstraintError<Code>>>;
  /** For a row that others still refer to as it is deleted. */
  readonly deleted?: Readonly<Record<string, ConstraintError<Code>>>;
}

/** What pg tells of a failed statement (PostgreSQL, appendix A: error codes). */
interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

const UNSTORABLE_DATE: ConstraintError = ['invalid_request', 'body has a date that cannot be stored: it must be in the years 0001 to 9999'];

/** A date that PostgreSQL cannot hold or an offset that it does not know: JSON Schema's date-time allows more. */
const BY_STATE: Readonly<Record<string, ConstraintError>> = { '22007': UNSTORABLE_DATE, '22008': UNSTORABLE_DATE, '22009': UNSTORABLE_DATE };

// Class 08: connection; 53: out of connections, memory or disk; 57: shut down or cancelled by an operator; the rest: Node's.
const UNAVAILABLE = /^(08...|53...|57...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|acquiring a connection|connection ended|not queryable|unable to acquire a connection/i;

/** Whether the transaction may succeed if it is run again: serialization failure or deadlock. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes((error as DatabaseError).code ?? '');

/**
 * The error as the contract has it; what has no meaning there is returned unchanged, and becomes an internal error.
 *
 * @param deleting whether the statement deletes: a foreign key then fails in the other direction.
 */
export function translateError(error: unknown, { written = {}, deleted = {} }: Constraints, deleting = false): unknown {
  // Not `instanceof Error`: an error of Node's own is none in a test runner's context.
  if (error instanceof AppError || !types.isNativeError(error)) return error;
  const { code = '', constraint = '' } = error as DatabaseError;
  const meaning = (deleting ? deleted : written)[constraint] ?? BY_STATE[code];
  if (meaning !== undefined) return new AppError(...meaning, { cause: error });
  if (UNAVAILABLE.test(code) || isRetryable(error) || UNAVAILABLE_MESSAGE.test(error.message)) {
    return new FrameworkError('service_unavailable', 'the database does not answer', { cause: error, headers: { 'Retry-After': '1' } });
  }
  return error;
}
