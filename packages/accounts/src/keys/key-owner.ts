/** Who changes the keys of an account, and that nobody does it with fewer scopes than the keys have. */
import type { Transaction } from '@specwright/postgres';
import { ALL_SCOPES, type Scoped } from '@specwright/server';
import { AccountError } from '../errors.ts';
import type { Caller } from './find-caller.ts';
import { IS_VALID } from './valid-key.ts';

/**
 * A caller, who needs every scope of a key that it makes, replaces or revokes; or the id of an account for an operator, who may do
 * everything. Handlers pass their caller.
 */
export type KeyOwner = number | Pick<Caller, 'accountId' | 'keyId' | 'scopes'>;

export const accountIdOf = (owner: KeyOwner): number => (typeof owner === 'number' ? owner : owner.accountId);
export const scopesOf = (owner: KeyOwner): Scoped['scopes'] => (typeof owner === 'number' ? ALL_SCOPES : owner.scopes);

/** @returns those of `required` that are not among `granted`, `ALL_SCOPES` if only some of all are granted; `undefined` if none is missing. */
function missingScopes(granted: Scoped['scopes'], required: Scoped['scopes']): Scoped['scopes'] | undefined {
  if (granted === ALL_SCOPES) return undefined;
  const missing = required === ALL_SCOPES ? ALL_SCOPES : required.filter((scope) => !granted.includes(scope));
  return missing === ALL_SCOPES || missing.length > 0 ? missing : undefined;
}

export const hasScopes = (granted: Scoped['scopes'], required: Scoped['scopes']): boolean => missingScopes(granted, required) === undefined;

/** @param keyName what the key with these scopes is called in the message. @throws AppError insufficient_scope */
export function requireScopes(owner: KeyOwner, required: Scoped['scopes'], keyName: string): void {
  const missing = missingScopes(scopesOf(owner), required);
  if (missing === undefined) return;
  throw new AccountError(
    'insufficient_scope',
    missing === ALL_SCOPES
      ? `the API key is restricted to scopes, and ${keyName} is not: send a key without restrictions`
      : `the API key lacks scopes of ${keyName}: send a key that has ${missing.join(', ')}`,
  );
}

/**
 * Locks the account: one change of its keys at a time, because two that each leave one valid key would together leave none.
 *
 * @throws AppError unauthorized if the account has been deleted, or the caller's key is no longer valid.
 */
export async function lockAccount(trx: Transaction, owner: KeyOwner): Promise<void> {
  const query = trx('accounts').where({ account_id: accountIdOf(owner) });
  const row = await query.forNoKeyUpdate().first<{ suspended_at: string | null } | undefined>('suspended_at');
  // A statement behind the lock: a key that was revoked after its request was authenticated must not leave another key behind.
  const isValid = row !== undefined && (typeof owner === 'number' || (row.suspended_at === null && (await isValidKey(trx, owner))));
  if (!isValid) throw new AccountError('unauthorized', 'the API key is not valid');
}

async function isValidKey(trx: Transaction, { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>): Promise<boolean> {
  const query = trx('api_keys').where({ account_id: accountId, id: keyId }).whereRaw(IS_VALID);
  return (await query.first<object | undefined>('id')) !== undefined;
}
