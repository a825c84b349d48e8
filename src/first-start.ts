/** The first start on an embedded database: a demo account, the file that keeps its key, and what a person is told. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createAccount, insertKey } from '@specwright/accounts';
import type { Database, OpenDatabase } from '@specwright/postgres';
import type { Greeting } from '@specwright/server';
import type { Config } from './config.ts';
import { transaction } from './db/store.ts';
import { seedDemo } from './demo-records.ts';

const EMAIL = 'demo@example.com';

/** @returns what a person who has started the server is told, after the demo account was made. */
export async function greetingOf(
  { dataDir }: Pick<Config, 'dataDir'>,
  { db, embedded }: Pick<OpenDatabase, 'db' | 'embedded'>,
  port: number,
): Promise<Pick<Greeting, 'facts' | 'hints'>> {
  if (!embedded) return { hints: [['API key', 'npm run -s administer -- accounts create --email you@example.com']] };
  const keyFile = join(dataDir, 'demo-key');
  const key = await ensureDemoAccount(db, keyFile, new Date());
  const file = relative(process.cwd(), keyFile);
  const call = (header: string) => ['try it', `curl -H ${header} http://localhost:${port}/pets`] as const;
  const next = ['next', '`npm run dev` serves while you edit spec/petstore.yaml'] as const;
  if (key === undefined) return { facts: [['API key', `kept in ${file}`]], hints: [call(`"Authorization: Bearer $(cat ${file})"`), next] };
  return { facts: [['API key', `${key}, kept in ${file}`], call(`'Authorization: Bearer ${key}'`)], hints: [next] };
}

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
