/** Reads and transactions of this package. */
import { createStoreAccess } from '@specwright/postgres';

export const { prepare, read, transaction } = createStoreAccess();
