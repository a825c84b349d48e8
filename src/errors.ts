/** The errors of this service: their codes and statuses. Their body is `Error` in the spec. */
import { ACCOUNT_ERRORS } from '@specwright/accounts';
import { AppError as BaseError, type ErrorProblem, FRAMEWORK_ERRORS } from '@specwright/server';
import { WEBHOOK_ERRORS } from '@specwright/accounts/webhooks';

/** Every code that this service answers with, and its status: `ErrorCode` in the spec. */
export const ERRORS = {
  ...FRAMEWORK_ERRORS,
  ...ACCOUNT_ERRORS,
  ...WEBHOOK_ERRORS,
  invalid_reference: 400,
  invalid_image: 400,
  out_of_stock: 409,
  pet_sold: 409,
  order_complete: 409,
  pet_in_use: 409,
  category_in_use: 409,
  photo_quota: 409,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Ends a request with an error of the contract; another code does not compile. */
export const AppError = BaseError<ErrorCode>;

/** What is wrong with a property of a body, where only the database knows it. */
export const bodyProblem = (property: string, code: string, message: string): ErrorProblem => ({
  location: 'body',
  pointer: `/${property}`,
  code,
  message,
});
