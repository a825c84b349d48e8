/** The public API of `@specwright/accounts`. */
export { ACCOUNT_MIGRATIONS } from './migrations/index.ts';
export { ACCOUNT_ERRORS } from './errors.ts';
export { createAccount, getAccount, type Account, PLANS, type Plan } from './accounts.ts';
export { findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, type AccountDetails } from './administration.ts';
export { getKey, issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey } from './api-keys.ts';
export { createKey, findCaller, insertKey, type KeyHolder } from './key-format.ts';
export { startCallers, type Callers, type CallersOptions } from './caller-cache.ts';
export { openLimitStore, unban, type LimitStore } from './limit-store.ts';
export { accountSubject, assertPlans } from './rate-limit-subject.ts';
export { administer } from './commands/administration.ts';
export type { AdministeredService } from './commands/program.ts';
