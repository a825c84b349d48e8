/** Translates errors of PostgreSQL: SQLSTATE and constraint name to AppError. */
import { types } from 'node:util';
import { AppError, FrameworkError } from '@specwright/server';

/** The error that a violated constraint is answered with. */
export type ConstraintError<Code extends string = string> = readonly [code: Code, message: string];

/** The errors of a schema's constraints, by the names of the constraints. */
export interface Constraints<Code extends string = string> {
  /** For an INSERT or UPDATE that violates one. */
  readonly onWrite?: Readonly<Record<string, ConstraintError<Code>>>;
  /** For a DELETE of a row that other rows refer to by a foreign key. */
  readonly onDelete?: Readonly<Record<string, ConstraintError<Code>>>;
}

/** Fields of an error of `pg` (PostgreSQL, appendix A: error codes). */
interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

const UNSTORABLE_DATE: ConstraintError = ['invalid_request', 'body has a date that cannot be stored: it must be in the years 0001 to 9999'];

/** A date or an offset that PostgreSQL cannot represent: JSON Schema's date-time allows more. */
const BY_SQLSTATE: Readonly<Record<string, ConstraintError>> = {
  '22007': UNSTORABLE_DATE,
  '22008': UNSTORABLE_DATE,
  '22009': UNSTORABLE_DATE,
};

// Class 08: connection; 53: insufficient resources; 57: operator intervention; the others are Node's.
const UNAVAILABLE = /^(08...|53...|57...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|acquiring a connection|connection ended|not queryable|unable to acquire a connection/i;

const RETRYABLE = ['40001', '40P01'];

/** Whether the transaction may succeed if it is run again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const { code, cause } = error as DatabaseError & { readonly cause?: DatabaseError };
  // The cause is that of an error that was translated on its way through the transaction.
  return RETRYABLE.includes(code ?? '') || RETRYABLE.includes(cause?.code ?? '');
}

/**
 * Translates an error of `pg` or Knex.
 *
 * @param deleting whether the statement deletes: a foreign key is then violated by the row that is referred to.
 * @returns an AppError, or the error unchanged if it has no translation: it becomes an internal error.
 */
export function translateError(error: unknown, { onWrite = {}, onDelete = {} }: Constraints, deleting = false): unknown {
  // Not `instanceof Error`: in a test runner, Node's own errors are of another realm.
  if (error instanceof AppError || !types.isNativeError(error)) return error;
  const { code = '', constraint = '' } = error as DatabaseError;
  const translation = (deleting ? onDelete : onWrite)[constraint] ?? BY_SQLSTATE[code];
  if (translation !== undefined) return new AppError(...translation, { cause: error });
  if (UNAVAILABLE.test(code) || isRetryable(error) || UNAVAILABLE_MESSAGE.test(error.message)) {
    return new FrameworkError('service_unavailable', 'the database does not answer', { cause: error, headers: { 'Retry-After': '1' } });
  }
  return error;
}
