/** The errors of accounts and their API keys. */
import { AppError, type FrameworkErrorCode } from '@specwright/server';

/** The codes of this package and their statuses: a service adds them to its own. */
export const ACCOUNT_ERRORS = {
  email_taken: 409,
  key_limit: 409,
  last_key: 409,
  key_inactive: 409,
} as const;

/** An `AppError` with a code of this package or of the framework. */
export const AccountError = AppError<FrameworkErrorCode | keyof typeof ACCOUNT_ERRORS>;
