/**
 * The errors of this service: their codes and statuses. The body of an error is made from the schema that the contract declares
 * for the response: the message is put where that has a place for it.
 */
import { AppError as BaseError, FRAMEWORK_ERRORS } from '@specwright/server';

/** Every code that this service answers with, and its status. */
export const ERRORS = {
  ...FRAMEWORK_ERRORS,
  forbidden: 403,
  conflict: 409,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Ends a request with an error: `throw new AppError('conflict', 'there is one already')`. Another code does not compile. */
export const AppError = BaseError<ErrorCode>;
