/** The migration of this package: accounts, keys, counters and bans, idempotency keys. */
import type { Migration } from '@specwright/postgres';
import * as accounts from './0001_accounts.ts';

/** A service puts it before its own, which may refer to accounts. Append-only, as any migrations. */
export const ACCOUNT_MIGRATIONS: readonly Migration[] = [{ name: 'accounts_0001_accounts', migration: accounts }];
