/**
 * The errors of this service: their codes and statuses. The body of an error is made from the schema that the contract declares
 * for the response: the message is put where that has a place for it.
 */
import { AppError as BaseError, FRAMEWORK_ERRORS, type DeclaredCode } from '@specwright/server';
import type { ContractTypes } from '../generated/contract.ts';

/** Every code that this service answers with, and its status. */
export const ERRORS = {
  ...FRAMEWORK_ERRORS,
  forbidden: 403,
  conflict: 409,
} as const;

/** Those with a status that the contract declares, and those of src/security.ts, which answers before a handler. */
export type ErrorCode = DeclaredCode<ContractTypes, typeof ERRORS, 'unauthorized' | 'forbidden'>;

/**
 * Ends a request with an error: `throw new AppError('conflict', 'there is one already')`. Another code does not compile: add it above,
 * and its status to an operation of the contract. The operation has to declare it: else the answer is 500.
 */
export const AppError = BaseError<ErrorCode>;
