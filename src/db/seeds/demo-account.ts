/** The demo account that a first start makes, and the file that keeps its key. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { createAccount, insertKey } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { transaction } from '../store.ts';
import { seedDemo } from './demo.ts';

const EMAIL = 'demo@example.com';

/**
 * Makes the demo account, its records and its key, unless the key's file is there and the database has not been reset since.
 *
 * An account whose file was removed gets another key.
 *
 * @returns the key if it was made now; it is written to `file`, which only its owner can read.
 */
export async function ensureDemoAccount(db: Database, file: string, now: Date): Promise<string | undefined> {
  if (existsSync(file) && (await db('accounts').first('account_id')) !== undefined) return undefined;
  const existing = await db('accounts').whereRaw('lower(email) = ?', [EMAIL]).first<{ id: number } | undefined>({ id: 'account_id' });
  let key: string;
  if (existing === undefined) {
    const account = await createAccount(db, { email: EMAIL, plan: 'free' }, now);
    await seedDemo(db, account.record.id);
    key = account.apiKey;
  } else {
    key = await transaction(db, (trx) => insertKey(trx, existing.id, now));
  }
  // In one transaction: a start that is killed here leaves no half of a key.
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}
