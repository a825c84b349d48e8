/** Reads and transactions of this package, with the errors of its constraints. */
import { createStoreAccess } from '@specwright/postgres';

export const { read, transaction } = createStoreAccess({
  onWrite: {
    accounts_email_key: ['email_taken', 'there is an account with this email address'],
    api_keys_expires_at_range: ['invalid_request', 'body/expiresAt must be in the years 0001 to 9999'],
  },
});
