/** The public API of `@specwright/accounts`. */

// What a service composes: its schema, errors, authenticator and rate limits.
export { ACCOUNT_MIGRATIONS } from './migrations/index.ts';
export { ACCOUNT_ERRORS, accountReferences } from './errors.ts';
export { accountKey } from './account-key.ts';
export { ACCOUNT_VARIABLES, deleteEndedKeys } from './key-retention.ts';
export { openCallerCache, type CallerCache, type CallerCacheOptions } from './caller-cache.ts';
export { findCaller, type Caller } from './find-caller.ts';
export { liftBan, openCounterStore, type PostgresCounterStore } from './postgres-counter-store.ts';
export { openIdempotencyStore, type IdempotencyStoreOptions, type PostgresIdempotencyStore } from './idempotency-store.ts';
export { accountSubject, assertPlans } from './rate-limit-subject.ts';

// Accounts and their API keys, for handlers.
export { PLANS, createAccount, getAccount, type Account, type Plan } from './accounts.ts';
export { getKey, insertKey, issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey, type NewKey } from './api-keys.ts';
export { createKey } from './key-format.ts';

// Administration.
export { findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, type AccountDetails } from './accounts.ts';
export { administer, type AdministeredService } from './commands/administer.ts';
