/** The API keys of an account: issued, listed, rotated and revoked. */
import { toStored, type Database, type Transaction } from '@specwright/postgres';
import { ALL_SCOPES, requireVersion, type Page, type Precondition, type Scoped, type Stored, toUtc } from '@specwright/server';
import { AccountError } from '../errors.ts';
import { withInvalidation } from './invalidation-channel.ts';
import { createKey, hashKey, isWellFormed, keyPrefix } from './key-format.ts';
import { accountIdOf, lockAccount, requireScopes, scopesOf, type KeyOwner } from './key-owner.ts';
import { IS_VALID } from './valid-key.ts';
import { read, transaction } from '../store.ts';
import { withTextDates } from '../text-dates.ts';

const MAX_VALID_KEYS = 100;

/** A key without its secret. Times are ISO 8601, UTC. */
export interface ApiKey {
  id: number;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  createdAt: string;
  /** To the minute. */
  lastUsedAt?: string;
  /** When it expires: set when it was issued, or the end of the grace period after its rotation. */
  expiresAt?: string;
  replacedBy?: number;
  scopes?: string[];
}

/** A new key with its secret, which is stored only as a hash and cannot be shown again. */
export type IssuedKey = Stored<ApiKey> & { readonly apiKey: string };

export interface NewKey {
  readonly name: string;
  /** ISO 8601; without it the key does not expire. */
  readonly expiresAt?: string | undefined;
  /** The scopes that it is restricted to. Default: those of the caller that makes it; for an operator, all. */
  readonly scopes?: Scoped['scopes'] | undefined;
}

type Optional = 'lastUsedAt' | 'expiresAt' | 'replacedBy' | 'scopes';
type Row = Omit<ApiKey, Optional> & { [Name in Optional]-?: NonNullable<ApiKey[Name]> | null } & {
  version: number;
  isExpired: boolean;
};

const COLUMNS = `id, name, prefix, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
  replaced_by AS "replacedBy", scopes, version, coalesce(expires_at <= now(), false) AS "isExpired"`;

const NOT_REVOKED = { revoked_at: null };

function fromRow(row: Row): Stored<ApiKey> {
  const columns: Omit<Row, 'isExpired'> & Partial<Row> = withTextDates(row);
  delete columns.isExpired;
  return toStored(columns);
}

export interface FoundKey extends Pick<ApiKey, 'id' | 'name' | 'prefix' | 'createdAt'> {
  readonly accountId: number;
  readonly email: string;
  readonly lastUsedAt: string | null;
  readonly isValid: boolean;
}

/** The most keys that begin alike and are listed. */
const MAX_FOUND = 100;

/**
 * Whose a key is, for an operator: revoked and expired ones too. Of a key the first characters and a hash are stored, and nothing of its end.
 *
 * @param key a whole key, or what it begins with: as many characters as lists of keys show.
 */
export async function findKeys(db: Database, key: string): Promise<FoundKey[]> {
  const rows = await read(
    db('api_keys')
      .join('accounts', 'accounts.account_id', 'api_keys.account_id')
      .where(isWellFormed(key) ? { hash: hashKey(key) } : { prefix: keyPrefix(key) })
      .orderBy('api_keys.id')
      .limit(MAX_FOUND)
      .select<FoundKey[]>(
        db.raw(`api_keys.account_id AS "accountId", email, id, name, prefix, api_keys.created_at AS "createdAt",
          last_used_at AS "lastUsedAt", ${IS_VALID} AND suspended_at IS NULL AS "isValid"`),
      ),
  );
  return rows.map(withTextDates);
}

const notFound = (id: number) => new AccountError('not_found', `there is no key ${id}`);

/** @throws AppError unauthorized; not_found; insufficient_scope */
async function lockKey(trx: Transaction, owner: KeyOwner, id: number): Promise<Row> {
  const query = trx('api_keys').where({ account_id: accountIdOf(owner), id, ...NOT_REVOKED });
  const [, row] = await Promise.all([lockAccount(trx, owner), query.forUpdate().first<Row | undefined>(trx.raw(COLUMNS))]);
  if (row === undefined) throw notFound(id);
  requireScopes(owner, row.scopes ?? ALL_SCOPES, `key ${id}`);
  return row;
}

/** @throws AppError key_limit */
async function requireUnderLimit(trx: Transaction, accountId: number): Promise<void> {
  const valid = trx('api_keys').where({ account_id: accountId }).whereRaw(IS_VALID).select('id');
  if ((await valid).length >= MAX_VALID_KEYS) throw new AccountError('key_limit', `the account has ${MAX_VALID_KEYS} valid keys`);
}

/** Inserts a key as part of a transaction, without a check of the number of keys. @returns the key with its secret. */
export async function insertKey(
  trx: Transaction,
  accountId: number,
  now: Date,
  { name, expiresAt, scopes = ALL_SCOPES }: NewKey = { name: 'First key' },
): Promise<string> {
  const key = createKey();
  const end = expiresAt === undefined ? {} : { expires_at: toUtc(expiresAt, 'body/expiresAt') };
  const restriction = scopes === ALL_SCOPES ? {} : { scopes: [...scopes] };
  const hash = hashKey(key);
  await trx('api_keys').insert({ account_id: accountId, name, prefix: keyPrefix(key), hash, created_at: now, ...end, ...restriction });
  return key;
}

async function insertAndRead(trx: Transaction, accountId: number, values: NewKey, now: Date): Promise<{ row: Row; apiKey: string }> {
  const apiKey = await insertKey(trx, accountId, now, values);
  const query = trx('api_keys').where({ account_id: accountId, hash: hashKey(apiKey) });
  return { row: (await query.first<Row | undefined>(trx.raw(COLUMNS))) as Row, apiKey };
}

/** A page of the keys that are not revoked, without their secrets. */
export async function listKeys(db: Database, accountId: number, { after, limit }: Page): Promise<ApiKey[]> {
  const query = db('api_keys')
    .where({ account_id: accountId, ...NOT_REVOKED })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return (await read(query.select<Row[]>(db.raw(COLUMNS)))).map((row) => fromRow(row).record);
}

/** @throws AppError not_found, for a revoked key too. */
export async function getKey(db: Database, accountId: number, id: number): Promise<Stored<ApiKey>> {
  const query = db('api_keys').where({ account_id: accountId, id, ...NOT_REVOKED });
  const row = await read(query.first<Row | undefined>(db.raw(COLUMNS)));
  if (row === undefined) throw notFound(id);
  return fromRow(row);
}

/**
 * Issues another key of an account.
 *
 * @throws AppError insufficient_scope; unauthorized if the caller's key is no longer valid; key_limit; key_inactive if `expiresAt` has passed.
 */
export async function issueKey(db: Database, owner: KeyOwner, values: NewKey, now: Date): Promise<IssuedKey> {
  const accountId = accountIdOf(owner);
  const scopes = values.scopes ?? scopesOf(owner);
  requireScopes(owner, scopes, 'the new key');
  return transaction(db, async (trx) => {
    await lockAccount(trx, owner);
    await requireUnderLimit(trx, accountId);
    const { row, apiKey } = await insertAndRead(trx, accountId, { ...values, scopes }, now);
    if (row.isExpired) throw new AccountError('key_inactive', 'body/expiresAt must be in the future');
    return { ...fromRow(row), apiKey };
  });
}

/**
 * Replaces a key by a new one with the same name, expiry and scopes. The old key stays valid for the grace period, at most until it
 * expires.
 *
 * @param gracePeriod in seconds; 0 revokes the old key.
 * @throws AppError not_found; insufficient_scope if it has more than the caller's; unauthorized if the caller's key is no longer valid;
 *   key_inactive if the old key has expired or was rotated before; key_limit.
 */
export async function rotateKey(db: Database, owner: KeyOwner, id: number, gracePeriod: number, now: Date): Promise<IssuedKey> {
  const accountId = accountIdOf(owner);
  return withInvalidation(db, accountId, async (trx) => {
    const before = await lockKey(trx, owner, id);
    if (before.replacedBy !== null) throw new AccountError('key_inactive', `key ${id} has been replaced by key ${before.replacedBy}`);
    if (before.isExpired) throw new AccountError('key_inactive', `key ${id} has expired`);
    if (gracePeriod > 0) await requireUnderLimit(trx, accountId);
    const values = { name: before.name, expiresAt: before.expiresAt ?? undefined, scopes: before.scopes ?? undefined };
    const { row, apiKey } = await insertAndRead(trx, accountId, values, now);
    const end =
      gracePeriod === 0
        ? { revoked_at: now }
        : { expires_at: trx.raw('least(expires_at, now() + make_interval(secs => ?))', [gracePeriod]) };
    await trx('api_keys')
      .where({ account_id: accountId, id })
      .update({ ...end, replaced_by: row.id, version: before.version + 1 });
    return { ...fromRow(row), apiKey };
  });
}

/**
 * Revokes a key: every server refuses it from its next request.
 *
 * @param options.allowLast also revokes the account's last valid key, after which it cannot call the API.
 * @throws AppError not_found; insufficient_scope if it has more than the caller's; unauthorized if the caller's key is no longer valid;
 *   precondition_failed; last_key.
 */
export async function revokeKey(
  db: Database,
  owner: KeyOwner,
  id: number,
  now: Date,
  { precondition, allowLast = false }: { precondition?: Precondition | undefined; allowLast?: boolean } = {},
): Promise<void> {
  const accountId = accountIdOf(owner);
  await withInvalidation(db, accountId, async (trx) => {
    const before = await lockKey(trx, owner, id);
    requireVersion(fromRow(before), precondition);
    const otherValid = trx('api_keys').where({ account_id: accountId, replaced_by: null }).whereNot({ id }).whereRaw(IS_VALID);
    if (!allowLast && !before.isExpired && (await otherValid.first<object | undefined>('id')) === undefined)
      throw new AccountError('last_key', `key ${id} is the account's last valid key: create another first`);
    await trx('api_keys')
      .where({ account_id: accountId, id })
      .update({ revoked_at: now, version: before.version + 1 });
  });
}
