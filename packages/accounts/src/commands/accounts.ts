/** `npm run accounts`: administration of accounts from the command line, on the server's database. */
import type { Database } from '@specwright/postgres';
import { AppError } from '@specwright/server';
import {
  createAccount,
  findAccount,
  listAccounts,
  PLANS,
  resumeAccount,
  setPlan,
  suspendAccount,
  type AccountDetails,
} from '../accounts.ts';
import type { Command, CommandGroup, CommandResult } from './command-group.ts';
import { formatTable } from './format-table.ts';
import { planOptions, requiredOption, UsageError } from './options.ts';

const PLAN_OPTIONS = ['plan', 'per-minute', 'per-day'] as const;
const COLUMNS = ['id', 'email', 'plan', 'perMinute', 'perDay', 'suspendedAt', 'createdAt'] as const;

const showAccount = (account: AccountDetails): CommandResult => ({ json: account, text: formatTable([account], COLUMNS) });

/** A command that changes one account and shows it afterwards. */
const onAccount = (synopsis: string, summary: string, change: (db: Database, account: AccountDetails) => Promise<void>): Command => ({
  synopsis,
  summary,
  operands: ['ACCOUNT'],
  prepare:
    ([idOrEmail = '']) =>
    async ({ db }) => {
      const account = await findAccount(db, idOrEmail);
      await change(db, account);
      return showAccount(await findAccount(db, String(account.id)));
    },
});

const COMMANDS: Record<string, Command> = {
  create: {
    synopsis: '--email EMAIL [--plan PLAN]',
    summary: 'creates an account and prints its API key, alone, on standard output',
    operands: [],
    options: ['email', ...PLAN_OPTIONS],
    prepare(_, options) {
      const email = requiredOption(options, 'email');
      // The command line does not pass the validator of requests.
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) throw new UsageError(`${email} is not an email address`);
      const plan = planOptions(options, 'free');
      return async ({ db }) => {
        try {
          const { record, apiKey } = await createAccount(db, { email, ...plan }, new Date());
          const json = { ...(await findAccount(db, String(record.id))), apiKey };
          return { secret: apiKey, json, text: `account ${record.id}: ${record.email}, plan ${record.plan}` };
        } catch (error) {
          if (error instanceof AppError && error.code === 'email_taken') throw new Error(`${email}: ${error.message}`, { cause: error });
          throw error;
        }
      };
    },
  },
  list: {
    synopsis: '',
    summary: 'all accounts',
    operands: [],
    prepare:
      () =>
      async ({ db }) => {
        const accounts = await listAccounts(db);
        return { json: accounts, text: formatTable(accounts, COLUMNS) };
      },
  },
  show: onAccount('ACCOUNT', 'one account', async () => undefined),
  'set-plan': {
    synopsis: 'ACCOUNT --plan PLAN',
    summary: 'changes its plan at once',
    operands: ['ACCOUNT'],
    options: PLAN_OPTIONS,
    prepare(operands, options) {
      const { plan, quota } = planOptions(options);
      return onAccount('', '', (db, { id }) => setPlan(db, id, plan, quota)).prepare(operands, options);
    },
  },
  suspend: onAccount('ACCOUNT', 'refuses its keys at once', (db, { id }) => suspendAccount(db, id, new Date())),
  resume: onAccount('ACCOUNT', 'accepts them again', (db, { id }) => resumeAccount(db, id)),
};

export const accountCommands: CommandGroup = {
  name: 'accounts',
  summary: 'administration of accounts, on the database of the server',
  commands: COMMANDS,
  words: `ACCOUNT is an id or an email address, PLAN one of ${PLANS.join(', ')}.\nThe plan enterprise, and no other, takes --per-minute N --per-day N.`,
  examples: [
    'create --email ada@example.com --plan pro',
    'set-plan ada@example.com --plan enterprise --per-minute 5000 --per-day 1000000',
    'list --json',
  ],
};
