/** The errors of accounts and their API keys. */
import { AppError, type FrameworkErrorCode } from '@specwright/server';

/** Error codes of this package and their HTTP statuses: a service adds them to its own. */
export const ACCOUNT_ERRORS = {
  email_taken: 409,
  key_limit: 409,
  last_key: 409,
  key_inactive: 409,
} as const;

/** An `AppError` that takes only codes of this package and of the framework. */
export const AccountError = AppError<FrameworkErrorCode | keyof typeof ACCOUNT_ERRORS>;

/**
 * For the constraints of a service's stores: what a row of an account that has been deleted is answered with, while a server still
 * has the account's key in its cache.
 *
 * @param tables those that refer to `accounts (account_id)`, with PostgreSQL's own names of such foreign keys.
 */
export const accountReferences = (...tables: readonly string[]): Record<string, readonly ['unauthorized', string]> =>
  Object.fromEntries(tables.map((table) => [`${table}_account_id_fkey`, ['unauthorized', 'the API key is not valid']]));
