/** What the stores share: reads, transactions, records from rows, and what a broken constraint of this schema means to a client. */
import { createRecordTables, createStoreAccess, type Constraints } from '@specwright/postgres';
import type { Tables } from '../../generated/database.ts';
import type { ErrorCode } from '../errors.ts';

const CONSTRAINTS: Constraints<ErrorCode> = {
  /** By the name of the constraint that a row breaks: `users_email_key: ['conflict', 'there is a user with this address']`. */
  onWrite: {},
  /** A row that others still refer to when it is deleted. */
  onDelete: {},
};

const access = createStoreAccess(CONSTRAINTS);
export const { read, transaction } = access;

/** The records of a table, for the statements that most nouns have. */
export const recordTable = createRecordTables<Tables>(access);
