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

const USAGE = `usage: npm run -s accounts -- COMMAND [--json]

  create --email EMAIL [--plan PLAN]   creates an account and prints its API key, alone, on standard output
  list                                 all accounts
  show ACCOUNT                         one account
  set-plan ACCOUNT --plan PLAN         changes its plan at once
  suspend ACCOUNT                      refuses its keys at once
  resume ACCOUNT                       accepts them again

ACCOUNT is an id or an email address, PLAN one of ${PLANS.join(', ')}. The plan enterprise, and no other, takes
--per-minute N --per-day N. The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of
the output.`;

const PLAN_OPTIONS = ['plan', 'per-minute', 'per-day'] as const;
const COLUMNS = ['id', 'email', 'plan', 'perMinute', 'perDay', 'suspendedAt', 'createdAt'] as const;

const showAccount = (account: AccountDetails): CommandResult => ({ json: account, text: formatTable([account], COLUMNS) });

/** A command that changes one account and shows it afterwards. */
const onAccount = (change: (db: Database, account: AccountDetails) => Promise<void>): Command => ({
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
    operands: [],
    prepare:
      () =>
      async ({ db }) => {
        const accounts = await listAccounts(db);
        return { json: accounts, text: formatTable(accounts, COLUMNS) };
      },
  },
  show: onAccount(async () => undefined),
  'set-plan': {
    operands: ['ACCOUNT'],
    options: PLAN_OPTIONS,
    prepare(operands, options) {
      const { plan, quota } = planOptions(options);
      return onAccount((db, { id }) => setPlan(db, id, plan, quota)).prepare(operands, options);
    },
  },
  suspend: onAccount((db, { id }) => suspendAccount(db, id, new Date())),
  resume: onAccount((db, { id }) => resumeAccount(db, id)),
};

export const accountCommands: CommandGroup = { usage: USAGE, commands: COMMANDS };
