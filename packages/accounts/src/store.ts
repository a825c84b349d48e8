/** Reads and transactions of this package, with the errors of its constraints. */
import { createStoreAccess, type StoreAccess } from '@specwright/postgres';

const access = createStoreAccess({
  onWrite: {
    accounts_email_key: ['email_taken', 'there is an account with this email address'],
    api_keys_expires_at_range: ['invalid_request', 'body/expiresAt must be in the years 0001 to 9999'],
  },
});

// With annotations: a declaration cannot name a type that its package does not export.
export const prepare: StoreAccess['prepare'] = access.prepare;
export const read: StoreAccess['read'] = access.read;
export const transaction: StoreAccess['transaction'] = access.transaction;
