/** Reads and transactions of this package, with the errors of its constraints. */
import { createStoreAccess } from '@specwright/postgres';

/** A row of an account that has been deleted while a server still has its key in the cache. */
const DELETED = ['unauthorized', 'the API key is not valid'] as const;

export const { read, transaction } = createStoreAccess({
  onWrite: { webhooks_account_id_fkey: DELETED, webhook_deliveries_account_id_fkey: DELETED },
});
