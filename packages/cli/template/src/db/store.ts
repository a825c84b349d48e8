/** Reads and transactions of the stores, and what a broken constraint of this schema means to a client. */
import { createStoreAccess, type Constraints } from '@specwright/postgres';
import type { ErrorCode } from '../errors.ts';

const CONSTRAINTS: Constraints<ErrorCode> = {
  /** By the name of the constraint that a row breaks: `users_email_key: ['conflict', 'there is a user with this address']`. */
  onWrite: {},
  /** A row that others still refer to when it is deleted. */
  onDelete: {},
};

export const { read, transaction } = createStoreAccess(CONSTRAINTS);
