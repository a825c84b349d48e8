/** API keys: their format and checksum, and that the database never contains them. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createAccount, createKey, findCaller } from '@specwright/accounts';
import { connect } from '@specwright/postgres';
import { dumpRows } from 'specwright/testing';
import { isWellFormed } from '../src/keys/key-format.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const database = withAccountsDatabase();

/** CRC-32 (ISO 3309) bit by bit, independent of Node's. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test('a key is psk_live_, 30 random characters, and the CRC-32 of all that in 6', () => {
  const keys = Array.from({ length: 500 }, createKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^psk_live_[0-9A-Za-z]{36}$/);
    const sum = Array.from(key.slice(-6)).reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
    expect(isWellFormed(key)).toBe(true);
  }
  // Every character of the alphabet occurs.
  expect(new Set(keys.flatMap((key) => Array.from(key.slice(9, -6)))).size).toBe(62);
});

test('rejects a key with one character mistyped, missing or doubled', () => {
  const key = createKey();
  for (let i = 0; i < key.length; i++) {
    const mistyped = Array.from('0aZ_-')
      .filter((other) => other !== key[i])
      .map((other) => key.slice(0, i) + other + key.slice(i + 1));
    const others = [key.slice(0, i) + key.slice(i + 1), key.slice(0, i) + (key[i] ?? '') + key.slice(i)];
    expect([...mistyped, ...others].filter(isWellFormed)).toEqual([]);
  }
  expect(['', 'psk_live_', ` ${key}`, `${key}\n`, key.toUpperCase(), `${key}${key}`].filter(isWellFormed)).toEqual([]);
});

test('refuses a mistyped key without asking the database', async () => {
  const unreachable = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const key = createKey();
  expect(await findCaller(unreachable, `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBeUndefined();
  await expect(findCaller(unreachable, key)).rejects.toMatchObject({ code: 'service_unavailable' });
  await unreachable.destroy();
});

test('finds no caller for an unknown key', async () => {
  expect(await findCaller(database.db, createKey())).toBeUndefined();
});

test('stores the SHA-256 of a key and its first 13 characters, and nothing else of it', async () => {
  const { apiKey } = await createAccount(database.db, { email: 'secret@example.com', plan: 'free' }, new Date());
  const rows = await dumpRows(database.db);
  expect(rows).toContain(createHash('sha256').update(apiKey).digest('hex'));
  expect(rows).toContain(apiKey.slice(0, 13));
  expect(rows).not.toContain(apiKey.slice(0, 14));
  expect(rows).not.toContain(apiKey.slice(9, -6));
  for (const encoding of ['hex', 'base64'] as const) expect(rows).not.toContain(Buffer.from(apiKey).toString(encoding).slice(0, -4));
});
