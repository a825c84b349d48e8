/** `npm run -s administer -- accounts`: administration of accounts from the command line, on the server's database. */
import type { Database, OpenDatabase } from '@specwright/postgres';
import type { AppError } from '@specwright/server';
import { UsageError } from '@specwright/server/command';
import { createAccount, findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, type AccountDetails } from '../accounts.ts';
import { formatTable, ACCOUNT_OPTIONS, chooseAccount, choosePlan, PLAN_OPTIONS } from './options.ts';
import { defineServiceCommand, type CommandResult, type ServiceCommand } from './service-command.ts';

const COLUMNS = ['id', 'email', 'plan', 'perMinute', 'perDay', 'suspendedAt', 'createdAt'] as const;

const showAccount = (account: AccountDetails): CommandResult => ({ json: account, text: formatTable([account], COLUMNS) });

const changeAccount =
  (idOrEmail: string, change: (db: Database, account: AccountDetails) => Promise<void>) =>
  async ({ db }: OpenDatabase) => {
    const account = await findAccount(db, idOrEmail);
    await change(db, account);
    return showAccount(await findAccount(db, String(account.id)));
  };

/** A command that needs no more than an account. */
const onAccount = (summary: string, change: (db: Database, account: AccountDetails) => Promise<void>): ServiceCommand =>
  defineServiceCommand({
    summary,
    description: 'Prints the account.',
    options: ACCOUNT_OPTIONS,
    examples: ['--email ada@example.com', '--account 7'],
    prepare: ({ values }) => changeAccount(chooseAccount(values), change),
  });

/** @throws Error that names the address, if it is taken. */
async function createNamed(db: Database, email: string, plan: ReturnType<typeof choosePlan>) {
  try {
    return await createAccount(db, { email, ...plan }, new Date());
  } catch (error) {
    const { code, message } = error as Partial<AppError>;
    if (code === 'email_taken') throw new Error(`${email}: ${message}`, { cause: error });
    throw error;
  }
}

export const accountCommands: Readonly<Record<string, ServiceCommand>> = {
  create: defineServiceCommand({
    summary: 'creates an account and prints its API key, alone, on standard output',
    description: 'Without --plan the plan is free; the plan enterprise, and no other, takes limits.',
    options: { email: { type: 'string', value: 'EMAIL', required: true, description: 'its address' }, ...PLAN_OPTIONS },
    examples: ['--email ada@example.com --plan pro', '--email ada@example.com --plan enterprise --per-minute 5000 --per-day 1000000'],
    prepare({ values }) {
      const { email } = values;
      // Command-line input bypasses request validation.
      if (!/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email) || email.length > 254) throw new UsageError(`${email} is not an email address`);
      const plan = choosePlan(values, 'free');
      return async ({ db }) => {
        const { record, apiKey } = await createNamed(db, email, plan);
        const json = { ...(await findAccount(db, String(record.id))), apiKey };
        return { secret: apiKey, json, text: `account ${record.id}: ${record.email}, plan ${record.plan}` };
      };
    },
  }),
  list: {
    summary: 'all accounts',
    description: 'Prints a table.',
    options: {},
    examples: ['', '--json'],
    prepare:
      () =>
      async ({ db }) => {
        const accounts = await listAccounts(db);
        return { json: accounts, text: formatTable(accounts, COLUMNS) };
      },
  },
  show: onAccount('one account', async () => undefined),
  'set-plan': defineServiceCommand({
    summary: 'changes its plan at once',
    description: 'The plan enterprise, and no other, takes limits.',
    options: { ...ACCOUNT_OPTIONS, ...PLAN_OPTIONS, plan: { ...PLAN_OPTIONS.plan, required: true } },
    examples: ['--email ada@example.com --plan business'],
    prepare({ values }) {
      const idOrEmail = chooseAccount(values);
      const { plan, quota } = choosePlan(values);
      return changeAccount(idOrEmail, (db, { id }) => setPlan(db, id, plan, quota));
    },
  }),
  suspend: onAccount('refuses its keys at once', (db, { id }) => suspendAccount(db, id, new Date())),
  resume: onAccount('accepts them again', (db, { id }) => resumeAccount(db, id)),
};
