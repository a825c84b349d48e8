/** The public API of `@specwright/accounts`. */

// What a service composes: its schema, errors, authenticator and rate limits.
export { ACCOUNT_MIGRATIONS } from './migrations/index.ts';
export { ACCOUNT_ERRORS, accountReferences } from './errors.ts';
export { accountKey, accountSubject, assertPlans } from './keys/account-key.ts';
export { deleteEndedKeys } from './keys/key-retention.ts';
export { openCallerCache, type CallerCache, type CallerCacheOptions } from './keys/caller-cache.ts';
export { findCaller, type Caller } from './keys/find-caller.ts';
export { liftBan, openCounterStore, type PostgresCounterStore } from './limits/postgres-counter-store.ts';
export { openIdempotencyStore, type IdempotencyStoreOptions, type PostgresIdempotencyStore } from './idempotency/idempotency-store.ts';

// Accounts and their API keys, for handlers.
export { PLANS, createAccount, getAccount, type Account, type Plan } from './accounts.ts';
export { getKey, insertKey, issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey, type NewKey } from './keys/api-keys.ts';
export { createKey } from './keys/key-format.ts';
export type { KeyOwner } from './keys/key-owner.ts';

// Sign-ups that are confirmed by mail.
export { openSignUps, type SignUpOptions, type SignUps, type SignUpToken } from './sign-up.ts';

// Administration.
export { findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, type AccountDetails } from './accounts.ts';
export { administer, type AdministeredService } from './commands/administer.ts';
