/** The keys of an account: listed, made, replaced and revoked. */
import { AccountError } from './errors.ts';
import { announced } from './invalidation-channel.ts';
import type { Database, Transaction } from '@specwright/postgres';
import { hashOf, insertKey, VALID, type NewKey } from './key-format.ts';
import { type Page, type Precondition, type Stored, requireVersion } from '@specwright/server';
import { read, transaction } from './store.ts';

/** The most valid keys that an account can have. */
const MAX_KEYS = 100;

/** What is known of a key. Moments are ISO 8601, UTC. */
export interface ApiKey {
  id: number;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  createdAt: string;
  /** To the minute. */
  lastUsedAt?: string;
  /** From when on it is refused: given when it was made, or the end of the grace period of one that was replaced. */
  expiresAt?: string;
  /** The key that took its place. */
  replacedBy?: number;
}

/** What is known of a key and, this once, the key. */
export type IssuedKey = Stored<ApiKey> & { readonly apiKey: string };

type Optional = 'lastUsedAt' | 'expiresAt' | 'replacedBy';
type Row = Omit<ApiKey, Optional> & { [Name in Optional]-?: NonNullable<ApiKey[Name]> | null } & {
  version: number;
  isExpired: boolean;
};

/** PostgreSQL's clock decides what has expired, so that all servers agree. */
const COLUMNS = `id, name, prefix, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
  replaced_by AS "replacedBy", version, coalesce(expires_at <= now(), false) AS "isExpired"`;

const UNREVOKED = { revoked_at: null };

function stored({ version, id, name, prefix, createdAt, lastUsedAt, expiresAt, replacedBy }: Row): Stored<ApiKey> {
  return {
    version: String(version),
    record: {
      id,
      name,
      prefix,
      createdAt,
      ...(lastUsedAt === null ? {} : { lastUsedAt }),
      ...(expiresAt === null ? {} : { expiresAt }),
      ...(replacedBy === null ? {} : { replacedBy }),
    },
  };
}

const missing = (id: number) => new AccountError('not_found', `there is no key ${id}`);

/** @throws AppError unauthorized if the account is gone. */
async function lockAccount(trx: Transaction, accountId: number): Promise<void> {
  // One change of an account's keys at a time: two that each leave one key would leave none.
  const row = await trx('accounts').where({ account_id: accountId }).forNoKeyUpdate().first<object | undefined>('account_id');
  if (row === undefined) throw new AccountError('unauthorized', 'the API key is not valid');
}

async function lockKey(trx: Transaction, accountId: number, id: number): Promise<Row> {
  const query = trx('api_keys').where({ account_id: accountId, id, ...UNREVOKED });
  const row = await query.forUpdate().first<Row | undefined>(trx.raw(COLUMNS));
  if (row === undefined) throw missing(id);
  return row;
}

/** @throws AppError key_limit */
async function requireRoom(trx: Transaction, accountId: number): Promise<void> {
  const valid = trx('api_keys').where({ account_id: accountId }).whereRaw(VALID).select('id');
  if ((await valid).length >= MAX_KEYS) throw new AccountError('key_limit', `the account has ${MAX_KEYS} valid keys`);
}

async function insert(trx: Transaction, accountId: number, values: NewKey, now: Date): Promise<{ row: Row; apiKey: string }> {
  const apiKey = await insertKey(trx, accountId, now, values);
  const query = trx('api_keys').where({ account_id: accountId, hash: hashOf(apiKey) });
  return { row: (await query.first<Row | undefined>(trx.raw(COLUMNS))) as Row, apiKey };
}

/** The keys that are not revoked, without their secrets. */
export async function listKeys(db: Database, accountId: number, { after, limit }: Page): Promise<ApiKey[]> {
  const query = db('api_keys')
    .where({ account_id: accountId, ...UNREVOKED })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return (await read(query.select<Row[]>(db.raw(COLUMNS)))).map((row) => stored(row).record);
}

/** @throws AppError not_found, for a revoked key too. */
export async function getKey(db: Database, accountId: number, id: number): Promise<Stored<ApiKey>> {
  const query = db('api_keys').where({ account_id: accountId, id, ...UNREVOKED });
  const row = await read(query.first<Row | undefined>(db.raw(COLUMNS)).options({ name: 'keys.get' }));
  if (row === undefined) throw missing(id);
  return stored(row);
}

/** Makes another key of an account. @throws AppError key_limit; key_inactive if it would have expired already. */
export async function issueKey(db: Database, accountId: number, values: NewKey, now: Date): Promise<IssuedKey> {
  return transaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    await requireRoom(trx, accountId);
    const { row, apiKey } = await insert(trx, accountId, values, now);
    if (row.isExpired) throw new AccountError('key_inactive', 'body/expiresAt must be in the future');
    return { ...stored(row), apiKey };
  });
}

/**
 * Puts a new key of the same name and end in the place of another, which stays valid for a time, but not beyond its end.
 *
 * @param gracePeriod in seconds; 0 revokes the old one.
 * @throws AppError not_found; key_inactive if the old one has expired or been replaced; key_limit.
 */
export async function rotateKey(db: Database, accountId: number, id: number, gracePeriod: number, now: Date): Promise<IssuedKey> {
  return announced(db, async (trx) => {
    await lockAccount(trx, accountId);
    const before = await lockKey(trx, accountId, id);
    if (before.replacedBy !== null) throw new AccountError('key_inactive', `key ${id} has been replaced by key ${before.replacedBy}`);
    if (before.isExpired) throw new AccountError('key_inactive', `key ${id} has expired`);
    if (gracePeriod > 0) await requireRoom(trx, accountId);
    const values = { name: before.name, expiresAt: before.expiresAt ?? undefined };
    const { row, apiKey } = await insert(trx, accountId, values, now);
    const ends =
      gracePeriod === 0
        ? { revoked_at: now }
        : { expires_at: trx.raw('least(expires_at, now() + make_interval(secs => ?))', [gracePeriod]) };
    await trx('api_keys')
      .where({ account_id: accountId, id })
      .update({ ...ends, replaced_by: row.id, version: before.version + 1 });
    return { ...stored(row), apiKey };
  });
}

/**
 * Ends a key at once.
 *
 * @param options.evenLast also the last one that is valid, after which nobody can call for the account.
 * @throws AppError not_found, precondition_failed, last_key.
 */
export async function revokeKey(
  db: Database,
  accountId: number,
  id: number,
  now: Date,
  { precondition, evenLast = false }: { precondition?: Precondition | undefined; evenLast?: boolean } = {},
): Promise<void> {
  await announced(db, async (trx) => {
    await lockAccount(trx, accountId);
    const before = await lockKey(trx, accountId, id);
    requireVersion(stored(before), precondition);
    const others = trx('api_keys').where({ account_id: accountId, replaced_by: null }).whereNot({ id }).whereRaw(VALID);
    if (!evenLast && !before.isExpired && (await others.first<object | undefined>('id')) === undefined)
      throw new AccountError('last_key', `key ${id} is the account's last valid key: create another first`);
    await trx('api_keys')
      .where({ account_id: accountId, id })
      .update({ revoked_at: now, version: before.version + 1 });
  });
}
