/** Accounts: who the service is for. */
import { AppError } from '../errors.ts';
import type { Database } from './connect.ts';
import { insertKey } from './keys.ts';
import type { Stored } from './record.ts';
import { read, transaction } from './transaction.ts';

export const PLANS = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface Account {
  id: number;
  email: string;
  plan: Plan;
  /** ISO 8601, UTC. */
  createdAt: string;
}

interface Row extends Account {
  version: number;
}

const COLUMNS = { id: 'account_id', email: 'email', plan: 'plan', createdAt: 'created_at', version: 'version' };

const stored = ({ version, ...record }: Row): Stored<Account> => ({ version: String(version), record });

/**
 * Creates an account and its first key.
 *
 * @returns the account and the key: the only time that it can be shown.
 * @throws AppError email_taken.
 */
export async function createAccount(
  db: Database,
  values: { email: string; plan: Plan },
  now: Date,
): Promise<Stored<Account> & { apiKey: string }> {
  return transaction(db, async (trx) => {
    const [row] = await trx('accounts')
      .insert({ email: values.email, plan: values.plan, created_at: now })
      .returning<Row[]>(trx.raw('account_id AS id, email, plan, created_at AS "createdAt", version'));
    if (row === undefined) throw new Error('INSERT ... RETURNING gave no row');
    return { ...stored(row), apiKey: await insertKey(trx, row.id, now) };
  });
}

/** @throws AppError unauthorized if the account is gone: so are its keys then. */
export async function getAccount(db: Database, accountId: number): Promise<Stored<Account>> {
  const row = await read(db('accounts').where({ account_id: accountId }).first<Row | undefined>(COLUMNS).options({ name: 'accounts.get' }));
  if (row === undefined) throw new AppError('unauthorized', 'the API key is not valid');
  return stored(row);
}
