/** The format of API keys: `psk_live_`, a random secret, and a checksum. Only hashes of keys are stored. */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'psk_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** How many characters of the secret are stored readably, so that people can tell keys apart. */
const VISIBLE_LENGTH = 4;
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: `psk_live_`, 30 random characters of base62 (178 bits), and the CRC-32 of all that in 6 more. */
export function createKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(62)]).join('');
  return `${PREFIX}${secret}${checksum(PREFIX + secret)}`;
}

/** Whether the format and the checksum are right: a mistyped key is refused without asking the database. */
export function isWellFormed(key: string): boolean {
  return PATTERN.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
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

/** The SHA-256 of a key. A fast hash is enough: a key is random and long, so it cannot be guessed as a password can. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

export const keyPrefix = (key: string): string => key.slice(0, PREFIX.length + VISIBLE_LENGTH);
