/** Translates errors of PostgreSQL: SQLSTATE and constraint name to AppError. */
import { types } from 'node:util';
import { AppError, type ErrorProblem, FrameworkError } from '@specwright/contract/runtime';

/** The error that a violated constraint is answered with: its code, and its message or the problem with a value of the request. */
export type ConstraintError<Code extends string = string> = readonly [code: Code, message: string | ErrorProblem];

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

/** What PostgreSQL cannot represent and JSON Schema allows: U+0000 in a text, many years and offsets. */
const BY_SQLSTATE: Readonly<Record<string, ConstraintError>> = {
  '22021': ['invalid_request', 'body has the character U+0000, which cannot be stored'],
  '22007': UNSTORABLE_DATE,
  '22008': UNSTORABLE_DATE,
  '22009': UNSTORABLE_DATE,
};

/** A statement after one that has failed in its transaction: code that has caught an error there goes on, which is a defect. */
export const FAILED_TRANSACTION = '25P02';

/**
 * Errors of a statement that say that the database is not available to us: 08 connection, 25 transaction state (of a standby, or of another
 * session; not 25P02), 28 authorization and 3D000 database (of the server, not of a caller), 53 resources, 55P03 lock, 57 operator
 * intervention (timeouts and shutdown included), 58 system; and what Node says of a connection.
 */
const UNAVAILABLE =
  /^(08...|25(?!P02)...|28...|3D000|53...|55P03|57...|58...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/**
 * Marks an error with which no connection could be had, whatever its code is: a database that accepts none (55000), a role that may not connect
 * (42501), a setting that is not known (42704), a certificate. Of a statement these are defects.
 */
const NOT_CONNECTED: unique symbol = Symbol('no connection');

export const markNotConnected = (error: unknown): void => void Object.assign(error as object, { [NOT_CONNECTED]: true });

const UNAVAILABLE_MESSAGE = /connection terminated|connection ended|not queryable/i;

const LOCK_NOT_AVAILABLE = '55P03';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const PROGRAM_LIMIT_EXCEEDED = '54000';

/** The message is in the language of the server (`lc_messages`); the routine of PostgreSQL's sources that has raised it has one name. */
interface ServerError {
  readonly code?: string;
  readonly message?: string;
  readonly routine?: string;
}

/**
 * Whether the server does not know the name of a prepared statement, or knows another one by it (26000, 42P05): the name is of another
 * session, as behind a pooler that does not keep track of them, or all were deallocated.
 */
export const isUnknownName = ({ code }: { readonly code?: string }): boolean => code === '26000' || code === '42P05';

/**
 * Whether a statement failed because its prepared form is of a former schema (0A000 "cached plan must not change result type"), or
 * its name is unknown: the pool drops such a connection, and on another one it succeeds.
 */
export const isStaleStatement = ({ code = '', message = '', routine }: ServerError): boolean =>
  isUnknownName({ code }) || (code === '0A000' && (routine === 'RevalidateCachedQuery' || message.includes('cached plan')));

/** Whether PostgreSQL has refused a transaction because its queue of notifications is full: a session that listens hangs in a transaction. */
export const isQueueFull = ({ code, message = '', routine }: ServerError): boolean =>
  code === PROGRAM_LIMIT_EXCEEDED && (routine === 'PreCommit_Notify' || message.includes('NOTIFY queue'));

/** A transaction might succeed if it were run again, but it has read what can be read once. No outer transaction is run again either. */
export class NotRunAgainError extends FrameworkError {
  constructor(cause: unknown) {
    const message = 'the request was not done, and its body cannot be read again: send it again';
    super('service_unavailable', message, { cause, headers: { 'Retry-After': '1' } });
  }
}

/** Whether the transaction may succeed if it is run again: serialization failure, deadlock, stale statement, or a full queue of notifications. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof NotRunAgainError) return false;
  const { cause } = error as { readonly cause?: unknown };
  const isOne = (candidate: DatabaseError) =>
    candidate.code === SERIALIZATION_FAILURE || candidate.code === DEADLOCK || isStaleStatement(candidate) || isQueueFull(candidate);
  // The cause is that of an error that was translated on its way through the transaction.
  return isOne(error as DatabaseError) || (cause !== undefined && isOne(cause as DatabaseError));
}

/** The name of the constraint that is violated. In an error that a worker of Citus has sent to the coordinator only the message has it. */
const constraintOf = (error: DatabaseError & Error): string =>
  error.constraint ?? (error.code?.startsWith('23') === true ? (/ constraint "([^"]+)"/.exec(error.message)?.[1] ?? '') : '');

const isUnavailable = (error: Error & DatabaseError): boolean =>
  NOT_CONNECTED in error || UNAVAILABLE.test(error.code ?? '') || UNAVAILABLE_MESSAGE.test(error.message);

/**
 * Translates an error of `pg` or Knex.
 *
 * @param deleting whether the statement deletes: a foreign key is then violated by the row that is referred to.
 * @returns an AppError, or the error unchanged if it has no translation: it becomes an internal error.
 */
export function translateError(error: unknown, { onWrite = {}, onDelete = {} }: Constraints, deleting = false): unknown {
  // Not `instanceof Error`: in a test runner, Node's own errors are of another realm.
  if (error instanceof AppError || !types.isNativeError(error)) return error;
  const { code = '' } = error as DatabaseError;
  const constraint = constraintOf(error);
  const byConstraint = deleting ? onDelete : onWrite;
  // The shards of a distributed table have constraints with the shard's number: pets_category_102008 (Citus).
  const translation = byConstraint[constraint] ?? byConstraint[constraint.replace(/_\d+$/, '')] ?? BY_SQLSTATE[code];
  if (translation !== undefined) return new AppError(...translation, { cause: error });
  if (isUnavailable(error) || isRetryable(error)) {
    const message = code === LOCK_NOT_AVAILABLE ? 'another request is changing the same data' : 'the database does not answer';
    return new FrameworkError('service_unavailable', message, { cause: error, headers: { 'Retry-After': '1' } });
  }
  return error;
}
