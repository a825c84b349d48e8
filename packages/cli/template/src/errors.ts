/** The errors of this service: their codes and statuses, and the body that every error has. */
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

export const ERROR_TYPE = 'application/json';

/** The body of an error, guessed from the contract: make it what the contract declares. What that does not declare is left out. */
export const errorBody = (error: { code: string; message: string; status: number }): object => error;
