/** The public API of `@specwright/accounts`. */
export { createAccount, getAccount, type Plan, PLANS } from './accounts.ts';
export { getKey, issueKey, listKeys, revokeKey, rotateKey, type IssuedKey } from './api-keys.ts';
export { startCallers } from './caller-cache.ts';
export { insertKey } from './key-format.ts';
export { openLimitStore } from './limit-store.ts';
