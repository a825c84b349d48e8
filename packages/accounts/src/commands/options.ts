/** Reads the values of command-line options, and the error for those that cannot be used. */
import type { Quota } from '@specwright/server';
import { UsageError } from '@specwright/server/command';
import { PLANS, type Plan } from '../accounts.ts';

const MAX_LIMIT = 1_000_000_000;

export const PLAN_OPTIONS = {
  plan: { type: 'string', value: 'PLAN', description: `one of ${PLANS.join(', ')}` },
  'per-minute': { type: 'string', value: 'N', description: 'requests per minute, for the plan enterprise' },
  'per-day': { type: 'string', value: 'N', description: 'requests per day, for the plan enterprise' },
} as const;

/** The options of a command that name an account: one of them. */
export const ACCOUNT_OPTIONS = {
  email: { type: 'string', value: 'EMAIL', description: 'the account by its address' },
  account: { type: 'string', value: 'ID', description: 'the account by its id, instead' },
} as const;

/** @returns the address or the id. @throws UsageError unless exactly one of the options is given. */
export function chooseAccount({ email, account }: Readonly<Record<keyof typeof ACCOUNT_OPTIONS, string | undefined>>): string {
  if (email !== undefined && account !== undefined) throw new UsageError('give --email or --account, not both');
  if (account !== undefined) return String(parseInteger(account, '--account', 1, Number.MAX_SAFE_INTEGER));
  if (email === undefined || !email.includes('@'))
    throw new UsageError(
      email === undefined ? 'missing --email EMAIL, or --account ID' : `${email} is not an email address: name an id by --account ID`,
    );
  return email;
}

type PlanOptions = Readonly<Record<keyof typeof PLAN_OPTIONS, string | undefined>>;

/** @param name of the argument, for messages. @throws UsageError unless `text` is a whole number from `low` to `high`. */
export function parseInteger(text: string, name: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new UsageError(`${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
}

/** The plan that `--plan`, `--per-minute` and `--per-day` choose. @throws UsageError */
export function choosePlan(options: PlanOptions, defaultPlan?: Plan): { plan: Plan; quota: Quota | undefined } {
  const name = options.plan ?? defaultPlan ?? '';
  const plan = PLANS.find((candidate) => candidate === name.toLowerCase());
  if (plan === undefined) throw new UsageError(`unknown plan ${name}: choose ${PLANS.join(', ')}`);
  const limitOptions = ['per-minute', 'per-day'] as const;
  const given = limitOptions.filter((option) => options[option] !== undefined);
  if (plan !== 'enterprise') {
    if (given.length > 0)
      throw new UsageError(`--${given.join(' and --')} can be used with the plan enterprise only: the limits of ${plan} are fixed`);
    return { plan, quota: undefined };
  }
  const missing = limitOptions.find((option) => !given.includes(option));
  if (missing !== undefined) throw new UsageError(`missing --${missing} N: the plan enterprise has no default limits`);
  const [minute = 0, day = 0] = limitOptions.map((option) => parseInteger(options[option] ?? '', `--${option}`, 1, MAX_LIMIT));
  return { plan, quota: { minute, day } };
}

/** Rows as a table for a terminal, each column as wide as its widest cell; `-` for an absent value. */
export function formatTable<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const formatRow = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return cells.map((row) => formatRow(row).trimEnd()).join('\n');
}
