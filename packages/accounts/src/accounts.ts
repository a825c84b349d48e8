/** Accounts: who the service is for. */
import { AccountError } from './errors.ts';
import type { Database } from '@specwright/postgres';
import { insertKey, type Quota } from './key-format.ts';
import type { Stored } from '@specwright/server';
import { read, transaction } from './store.ts';

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
 * The columns of a quota.
 *
 * @throws AppError invalid_request if an Enterprise account has no numbers of its own, or another has.
 */
export function quotaColumns(plan: Plan, quota: Quota | undefined): { minute_limit: number | null; day_limit: number | null } {
  if ((plan === 'enterprise') !== (quota !== undefined))
    throw new AccountError('invalid_request', 'the plan enterprise, and no other, has numbers of its own: per minute and per day');
  return { minute_limit: quota?.minute ?? null, day_limit: quota?.day ?? null };
}

/**
 * Creates an account and its first key.
 *
 * @param values.quota for the plan enterprise, and for no other.
 * @returns the account and the key: the only time that it can be shown.
 * @throws AppError email_taken; invalid_request for a quota that does not fit the plan.
 */
export async function createAccount(
  db: Database,
  values: { email: string; plan: Plan; quota?: Quota | undefined },
  now: Date,
): Promise<Stored<Account> & { apiKey: string }> {
  return transaction(db, async (trx) => {
    const [row] = await trx('accounts')
      .insert({ email: values.email, plan: values.plan, ...quotaColumns(values.plan, values.quota), created_at: now })
      .returning<Row[]>(trx.raw('account_id AS id, email, plan, created_at AS "createdAt", version'));
    if (row === undefined) throw new Error('INSERT ... RETURNING gave no row');
    return { ...stored(row), apiKey: await insertKey(trx, row.id, now) };
  });
}

/** @throws AppError unauthorized if the account is gone: so are its keys then. */
export async function getAccount(db: Database, accountId: number): Promise<Stored<Account>> {
  const row = await read(db('accounts').where({ account_id: accountId }).first<Row | undefined>(COLUMNS).options({ name: 'accounts.get' }));
  if (row === undefined) throw new AccountError('unauthorized', 'the API key is not valid');
  return stored(row);
}
