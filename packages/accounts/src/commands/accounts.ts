/** `npm run accounts`: administration of accounts from the command line, on the same database as the server. */
import { createAccount, PLANS } from '../accounts.ts';
import { findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, type AccountDetails } from '../administration.ts';
import type { Database } from '@specwright/postgres';
import { AppError } from '@specwright/server';
import { planOf, required, table, UsageError, type Command, type Outcome, type Program } from './program.ts';

const USAGE = `usage: npm run -s accounts -- COMMAND [--json]

  create --email EMAIL [--plan PLAN]   makes an account and prints its API key, alone, on standard output
  list                                 all accounts
  show ACCOUNT                         one account
  set-plan ACCOUNT --plan PLAN         changes its plan, at once
  suspend ACCOUNT                      has its keys refused, at once
  resume ACCOUNT                       lets them in again

ACCOUNT is an id or an email address; PLAN one of ${PLANS.join(', ')}. The plan enterprise, and no other, needs
--per-minute N --per-day N. The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of
the output.`;

const PLAN_OPTIONS = ['plan', 'per-minute', 'per-day'] as const;
const COLUMNS = ['id', 'email', 'plan', 'perMinute', 'perDay', 'suspendedAt', 'createdAt'] as const;

const show = (account: AccountDetails): Outcome => ({ json: account, text: table([account], COLUMNS) });

/** A command that does something to one account and shows it as it is then. */
const onAccount = (act: (db: Database, account: AccountDetails) => Promise<void>): Command => ({
  operands: ['ACCOUNT'],
  prepare:
    ([which = '']) =>
    async ({ db }) => {
      const account = await findAccount(db, which);
      await act(db, account);
      return show(await findAccount(db, String(account.id)));
    },
});

const COMMANDS: Record<string, Command> = {
  create: {
    operands: [],
    values: ['email', ...PLAN_OPTIONS],
    prepare(_, options) {
      const email = required(options, 'email');
      // The contract's own check is in the request line, which this does not pass through.
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) throw new UsageError(`${email} is not an email address`);
      const plan = planOf(options, 'free');
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
        return { json: accounts, text: table(accounts, COLUMNS) };
      },
  },
  show: onAccount(async () => undefined),
  'set-plan': {
    operands: ['ACCOUNT'],
    values: PLAN_OPTIONS,
    prepare(operands, options) {
      const { plan, quota } = planOf(options);
      return onAccount((db, { id }) => setPlan(db, id, plan, quota)).prepare(operands, options);
    },
  },
  suspend: onAccount((db, { id }) => suspendAccount(db, id, new Date())),
  resume: onAccount((db, { id }) => resumeAccount(db, id)),
};

export const accountCommands: Program = { usage: USAGE, commands: COMMANDS };
