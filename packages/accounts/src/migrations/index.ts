/** The migrations of this package: accounts, keys, counters and bans, idempotency keys. */
import type { Migration } from '@specwright/postgres';
import * as accounts from './0001_accounts.ts';
import * as keys from './0002_keys.ts';
import * as rateLimits from './0003_rate_limits.ts';
import * as bounds from './0004_bounds.ts';
import * as idempotencyKeys from './0005_idempotency_keys.ts';
import * as keyScopes from './0006_key_scopes.ts';

/** A service puts them before its own, which may refer to accounts. Append-only, as any migrations. */
export const ACCOUNT_MIGRATIONS: readonly Migration[] = [
  { name: 'accounts_0001_accounts', migration: accounts },
  { name: 'accounts_0002_keys', migration: keys },
  { name: 'accounts_0003_rate_limits', migration: rateLimits },
  { name: 'accounts_0004_bounds', migration: bounds },
  { name: 'accounts_0005_idempotency_keys', migration: idempotencyKeys },
  { name: 'accounts_0006_key_scopes', migration: keyScopes },
];
