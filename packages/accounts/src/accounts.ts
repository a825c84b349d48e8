/** Accounts: created by the API, and listed, changed and suspended by an operator. */
import { toStored, type Database, type Transaction } from '@specwright/postgres';
import type { Quota, Stored } from '@specwright/server';
import { insertKey } from './keys/api-keys.ts';
import { AccountError } from './errors.ts';
import { withInvalidation } from './keys/invalidation-channel.ts';
import { read, transaction } from './store.ts';
import { withTextDates } from './text-dates.ts';

export const PLANS = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface Account {
  id: number;
  email: string;
  plan: Plan;
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface AccountDetails extends Account {
  /** Requests that an Enterprise account may make; `null` for the other plans, whose limits are in the contract. */
  perMinute: number | null;
  perDay: number | null;
  /** ISO 8601, UTC; `null` if it is not suspended. */
  suspendedAt: string | null;
}

interface Row extends Account {
  version: number;
}

const ACCOUNT_COLUMNS = { id: 'account_id', email: 'email', plan: 'plan', createdAt: 'created_at', version: 'version' };
const DETAILS_COLUMNS = {
  id: 'account_id',
  email: 'email',
  plan: 'plan',
  perMinute: 'minute_limit',
  perDay: 'day_limit',
  suspendedAt: 'suspended_at',
  createdAt: 'created_at',
};

/** @throws AppError invalid_request if an Enterprise account has no quota, or another has one. */
function quotaColumns(plan: Plan, quota: Quota | undefined): { minute_limit: number | null; day_limit: number | null } {
  if ((plan === 'enterprise') !== (quota !== undefined))
    throw new AccountError('invalid_request', 'the plan enterprise needs limits per minute and per day; other plans take none');
  return { minute_limit: quota?.minute ?? null, day_limit: quota?.day ?? null };
}

/**
 * Creates an account and its first key.
 *
 * @param values.quota required for the plan enterprise, and not allowed for any other.
 * @returns the account and its key, which is stored only as a hash and cannot be shown again.
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
    return { ...toStored(withTextDates(row)), apiKey: await insertKey(trx, row.id, now) };
  });
}

/** @throws AppError unauthorized if the account has been deleted: its keys are deleted with it. */
export async function getAccount(db: Database, accountId: number): Promise<Stored<Account>> {
  const row = await read(db('accounts').where({ account_id: accountId }).first<Row | undefined>(ACCOUNT_COLUMNS));
  if (row === undefined) throw new AccountError('unauthorized', 'the API key is not valid');
  return toStored(withTextDates(row));
}

export async function listAccounts(db: Database): Promise<AccountDetails[]> {
  const rows = await read(db('accounts').orderBy('account_id').select<AccountDetails[]>(DETAILS_COLUMNS));
  return rows.map(withTextDates);
}

/** @param idOrEmail the email address in any case. @throws AppError not_found */
export async function findAccount(db: Database, idOrEmail: string): Promise<AccountDetails> {
  const query = db('accounts').first<AccountDetails | undefined>(DETAILS_COLUMNS);
  const isId = /^[1-9]\d{0,15}$/.test(idOrEmail);
  const row = await read(isId ? query.where({ account_id: idOrEmail }) : query.whereRaw('lower(email) = lower(?)', idOrEmail));
  if (row === undefined) throw new AccountError('not_found', `there is no account ${idOrEmail}`);
  return withTextDates(row);
}

/**
 * Changes the plan of an account. Every server applies the new limits from its next request.
 *
 * @param quota required for the plan enterprise, and not allowed for others.
 * @throws AppError not_found; invalid_request for a quota that does not fit the plan.
 */
export async function setPlan(db: Database, id: number, plan: Plan, quota: Quota | undefined): Promise<void> {
  await updateAccount(db, id, (trx) => ({ plan, ...quotaColumns(plan, quota), version: trx.raw('version + 1') }));
}

/** Makes every server refuse all keys of an account, those created later included. @throws AppError not_found */
export async function suspendAccount(db: Database, id: number, now: Date): Promise<void> {
  await updateAccount(db, id, (trx) => ({ suspended_at: trx.raw('coalesce(suspended_at, ?)', [now]) }));
}

/** Undoes `suspendAccount`. @throws AppError not_found */
export async function resumeAccount(db: Database, id: number): Promise<void> {
  await updateAccount(db, id, () => ({ suspended_at: null }));
}

async function updateAccount(db: Database, id: number, columns: (trx: Transaction) => object): Promise<void> {
  await withInvalidation(db, id, async (trx) => {
    const count = await trx('accounts').where({ account_id: id }).update(columns(trx));
    if (count === 0) throw new AccountError('not_found', `there is no account ${id}`);
  });
}
