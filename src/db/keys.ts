/** API keys: how one is made and checked, and whose it is. Only the hash is ever stored. */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Database, Transaction } from './connect.ts';
import { read } from './transaction.ts';

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
const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** Makes and stores a key of an account. @returns the key: the only time that it can be shown. */
export async function insertKey(trx: Transaction, accountId: number, now: Date): Promise<string> {
  const key = createKey();
  await trx('api_keys').insert({ account_id: accountId, prefix: key.slice(0, PREFIX.length + 4), hash: hashOf(key), created_at: now });
  return key;
}

/** Who calls with this key; `undefined` if nobody does. */
export async function findCaller(db: Database, key: string): Promise<{ accountId: number; keyId: number; plan: string } | undefined> {
  if (!isWellFormed(key)) return undefined;
  const query = db('api_keys')
    .join('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('api_keys.hash', hashOf(key))
    .first<{ accountId: number; keyId: number; plan: string } | undefined>({
      accountId: 'api_keys.account_id',
      keyId: 'api_keys.id',
      plan: 'accounts.plan',
    })
    .options({ name: 'keys.findCaller' });
  return read(query);
}
