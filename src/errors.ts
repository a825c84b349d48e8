/** The errors that are this service's own, and the body that every error has: the contract's `Error` schema. */
import type { ErrorKind } from '@specwright/server';

/** Each code and its kind, beside those of the request line in `packages/server/src/errors.ts`. */
export const SERVICE_ERRORS = {
  invalid_reference: 'invalid',
  invalid_webhook_url: 'invalid',
  out_of_stock: 'conflict',
  order_complete: 'conflict',
  pet_in_use: 'conflict',
  category_in_use: 'conflict',
  email_taken: 'conflict',
  key_limit: 'conflict',
  last_key: 'conflict',
  key_inactive: 'conflict',
} as const satisfies Record<string, ErrorKind>;

export const ERROR_TYPE = 'application/json';

export const errorBody = (error: { code: string; message: string; status: number }): object => error;
