/** Accounts as an operator sees and changes them. */
import { AccountError } from './errors.ts';
import { quotaColumns, type Account, type Plan } from './accounts.ts';
import { announced } from './invalidation-channel.ts';
import type { Database, Transaction } from '@specwright/postgres';
import type { Quota } from './key-format.ts';
import { read } from './store.ts';

export interface AccountDetails extends Account {
  /** Requests that an Enterprise account may make; `null` for those that have their plan's. */
  perMinute: number | null;
  perDay: number | null;
  /** ISO 8601, UTC; `null` if it is not suspended. */
  suspendedAt: string | null;
}

const COLUMNS = {
  id: 'account_id',
  email: 'email',
  plan: 'plan',
  perMinute: 'minute_limit',
  perDay: 'day_limit',
  suspendedAt: 'suspended_at',
  createdAt: 'created_at',
};

/** All accounts, oldest first. */
export async function listAccounts(db: Database): Promise<AccountDetails[]> {
  return read(db('accounts').orderBy('account_id').select<AccountDetails[]>(COLUMNS));
}

/** @param which its id, or its email address in any case. @throws AppError not_found */
export async function findAccount(db: Database, which: string): Promise<AccountDetails> {
  const query = db('accounts').first<AccountDetails | undefined>(COLUMNS);
  const row = await read(
    /^[1-9]\d{0,15}$/.test(which) ? query.where({ account_id: which }) : query.whereRaw('lower(email) = lower(?)', which),
  );
  if (row === undefined) throw new AccountError('not_found', `there is no account ${which}`);
  return row;
}

/**
 * Changes the plan of an account. Its requests are held to the new one at once.
 *
 * @param quota for the plan enterprise, and for no other.
 * @throws AppError not_found; invalid_request for a quota that does not fit the plan.
 */
export async function setPlan(db: Database, id: number, plan: Plan, quota: Quota | undefined): Promise<void> {
  await change(db, id, (trx) => ({ plan, ...quotaColumns(plan, quota), version: trx.raw('version + 1') }));
}

/** Has the keys of an account refused everywhere at once, whichever it has or gets. @throws AppError not_found */
export async function suspendAccount(db: Database, id: number, now: Date): Promise<void> {
  await change(db, id, (trx) => ({ suspended_at: trx.raw('coalesce(suspended_at, ?)', [now]) }));
}

/** Undoes `suspendAccount`. @throws AppError not_found */
export async function resumeAccount(db: Database, id: number): Promise<void> {
  await change(db, id, () => ({ suspended_at: null }));
}

async function change(db: Database, id: number, columns: (trx: Transaction) => object): Promise<void> {
  await announced(db, async (trx) => {
    const changed = await trx('accounts').where({ account_id: id }).update(columns(trx));
    if (changed === 0) throw new AccountError('not_found', `there is no account ${id}`);
  });
}
