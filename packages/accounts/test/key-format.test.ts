/** API keys: their form, their checksum, and that the database never learns them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createAccount, createKey, findCaller, } from '@specwright/accounts';
import { isWellFormed } from '../src/key-format.ts';
import { connect, type Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { dump } from '../../../test/support/shop.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

/** CRC-32 (ISO 3309) bit by bit, as a witness of its own. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test('a key is psk_live_, thirty random characters, and the CRC-32 of all that in six', () => {
  const keys = Array.from({ length: 500 }, createKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^psk_live_[0-9A-Za-z]{36}$/);
    const sum = Array.from(key.slice(-6)).reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
    expect(isWellFormed(key)).toBe(true);
  }
  // Every character of the alphabet turns up: the whole range is drawn from.
  expect(new Set(keys.flatMap((key) => Array.from(key.slice(9, -6)))).size).toBe(62);
});

test('a key with any one character mistyped, missing or doubled is not a key', () => {
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

test('a mistyped key is refused without asking the database', async () => {
  const nowhere = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const key = createKey();
  expect(await findCaller(nowhere, `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBeUndefined();
  await expect(findCaller(nowhere, key)).rejects.toMatchObject({ code: 'service_unavailable' });
  await nowhere.destroy();
});

test('a key that nobody has is nobody', async () => {
  expect(await findCaller(db, createKey())).toBeUndefined();
});

test('the database holds the SHA-256 of a key and its first thirteen characters, and the key nowhere', async () => {
  const { apiKey } = await createAccount(db, { email: 'secret@example.com', plan: 'free' }, new Date());
  const everything = await dump(db);
  expect(everything).toContain(createHash('sha256').update(apiKey).digest('hex'));
  expect(everything).toContain(apiKey.slice(0, 13));
  expect(everything).not.toContain(apiKey.slice(0, 14));
  expect(everything).not.toContain(apiKey.slice(9, -6));
  for (const form of ['hex', 'base64'] as const) expect(everything).not.toContain(Buffer.from(apiKey).toString(form).slice(0, -4));
});
