/** API keys: how one is made and checked, and whose it is. Only the hash is ever stored. */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Database, Transaction } from '@specwright/postgres';
import { read } from './store.ts';

const PREFIX = 'psk_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: `psk_live_`, 30 random characters of base62 (178 bits), and the CRC-32 of all that in 6 more. */
export function createKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(62)]).join('');
  return `${PREFIX}${secret}${checksum(PREFIX + secret)}`;
}

/** Whether a text can be a key at all. A mistyped one is told apart without asking the database. */
export function isWellFormed(key: string): boolean {
  return FORM.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = (BASE62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

// A fast hash is enough: the key is random and long, so it cannot be guessed as a password can.
export const hashOf = (key: string) => createHash('sha256').update(key).digest();

export interface NewKey {
  readonly name: string;
  /** ISO 8601; the key has no end if it is not given. */
  readonly expiresAt?: string | undefined;
}

/** Makes and stores a key of an account. @returns the key: the only time that it can be shown. */
export async function insertKey(
  trx: Transaction,
  accountId: number,
  now: Date,
  { name, expiresAt }: NewKey = { name: 'First key' },
): Promise<string> {
  const key = createKey();
  const ends = expiresAt === undefined ? {} : { expires_at: expiresAt };
  await trx('api_keys').insert({
    account_id: accountId,
    name,
    prefix: key.slice(0, PREFIX.length + 4),
    hash: hashOf(key),
    created_at: now,
    ...ends,
  });
  return key;
}

/** Whose a valid key is. */
export interface KeyHolder {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: string;
  /** The numbers of an account that has its own, in place of its plan's. */
  readonly quota?: Quota;
}

/** Requests per minute and per day. */
export interface Quota {
  readonly minute: number;
  readonly day: number;
}

interface Found extends Omit<KeyHolder, 'quota'> {
  readonly perMinute: number | null;
  readonly perDay: number | null;
  readonly endsIn: number | null;
  readonly isUseKnown: boolean;
}

/** What a look-up finds: the holder, and what a cache has to know. */
export interface FoundKey {
  readonly holder: KeyHolder;
  /** Until the key expires, in ms; infinite if it does not. */
  readonly endsIn: number;
  /** Whether its last use is on record for this minute. */
  readonly isUseKnown: boolean;
}

/** Whether a key in `api_keys` is good, by PostgreSQL's clock: all servers agree on what has expired. */
export const VALID = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

/** Who calls with this key; `undefined` if nobody does, it has ended, or the account is suspended. */
export async function findCaller(db: Database, key: string): Promise<KeyHolder | undefined> {
  return (await findKey(db, key))?.holder;
}

/** As `findCaller`, with what a cache has to know. */
export async function findKey(db: Database, key: string): Promise<FoundKey | undefined> {
  if (!isWellFormed(key)) return undefined;
  const query = db('api_keys')
    .join('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('api_keys.hash', hashOf(key))
    .whereNull('accounts.suspended_at')
    .whereRaw(VALID)
    .first<Found | undefined>(
      db.raw(`api_keys.account_id AS "accountId", id AS "keyId", plan, minute_limit AS "perMinute", day_limit AS "perDay",
        (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "endsIn",
        coalesce(last_used_at > now() - interval '1 minute', false) AS "isUseKnown"`),
    )
    .options({ name: 'keys.findCaller' });
  const found = await read(query);
  if (found === undefined) return undefined;
  const { perMinute, perDay, endsIn, isUseKnown, ...holder } = found;
  const quota = perMinute === null || perDay === null ? {} : { quota: { minute: perMinute, day: perDay } };
  return { holder: { ...holder, ...quota }, endsIn: endsIn ?? Infinity, isUseKnown };
}
