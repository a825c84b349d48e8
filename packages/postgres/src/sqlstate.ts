/** What an error of PostgreSQL means to a client: SQLSTATE and constraint name to AppError. */
import { types } from 'node:util';
import { AppError } from '@specwright/server';
import { DELETED, WRITTEN, type Meaning } from '../../../src/db/constraints.ts';

/** What pg tells of a failed statement (PostgreSQL, appendix A: error codes). */
interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

const BY_STATE: Readonly<Record<string, Meaning>> = {
  // A date that PostgreSQL cannot hold or an offset that it does not know: JSON Schema's date-time allows more.
  '22007': ['invalid_request', 'body has a date that cannot be stored: it must be in the years 0001 to 9999'],
  '22008': ['invalid_request', 'body has a date that cannot be stored: it must be in the years 0001 to 9999'],
  '22009': ['invalid_request', 'body has a date that cannot be stored: it must be in the years 0001 to 9999'],
};

// Class 08: connection; 53: out of connections, memory or disk; 57: shut down or cancelled by an operator; the rest: Node's.
const UNAVAILABLE = /^(08...|53...|57...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|acquiring a connection|connection ended|not queryable|unable to acquire a connection/i;

/** Whether the transaction may succeed if it is run again: serialization failure or deadlock. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes((error as DatabaseError).code ?? '');

/**
 * The error as the contract has it; what has no meaning there is returned as it is, and becomes an internal error.
 *
 * @param deleting whether the statement deletes: a foreign key then fails in the other direction.
 */
export function translate(error: unknown, deleting = false): unknown {
  // Not `instanceof Error`: an error of Node's own is none in a test runner's context.
  if (error instanceof AppError || !types.isNativeError(error)) return error;
  const { code = '', constraint = '' } = error as DatabaseError;
  const meaning = (deleting ? DELETED : WRITTEN)[constraint] ?? BY_STATE[code];
  if (meaning !== undefined) return new AppError(...meaning, { cause: error });
  if (UNAVAILABLE.test(code) || isRetryable(error) || UNAVAILABLE_MESSAGE.test(error.message)) {
    return new AppError('service_unavailable', 'the database does not answer', { cause: error, headers: { 'Retry-After': '1' } });
  }
  return error;
}
