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
