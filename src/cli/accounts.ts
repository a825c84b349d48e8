/** `npm run accounts`: administration of accounts from the command line, on the same database as the server. */
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createAccount, PLANS, type Plan } from '../db/accounts.ts';
import { migrate, schemaProblem } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { AppError, explain } from '../errors.ts';

const USAGE = `usage: npm run -s accounts -- create --email EMAIL [--plan ${PLANS.join('|')}]

  create   makes an account and prints its API key, alone, on standard output

The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of the output.`;

/** Thrown for arguments that cannot be used; the usage follows. */
class UsageError extends Error {}

interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
}

function parse(args: readonly string[]): NewAccount {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { email: { type: 'string' }, plan: { type: 'string', default: 'free' } },
    allowPositionals: true,
  });
  const [command, ...rest] = positionals;
  if (command !== 'create') throw new UsageError(command === undefined ? 'what should be done?' : `there is no command ${command}`);
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is one argument too many`);
  if (values.email === undefined) throw new UsageError('--email is missing');
  // The contract's own check is in the request line, which this does not pass through.
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values.email) || values.email.length > 254)
    throw new UsageError(`${values.email} is not an email address`);
  const plan = PLANS.find((name) => name === values.plan.toLowerCase());
  if (plan === undefined) throw new UsageError(`there is no plan ${values.plan}: choose ${PLANS.join(', ')}`);
  return { email: values.email, plan };
}

async function create(values: NewAccount): Promise<void> {
  const database = await openDatabase(readConfig());
  try {
    if (database.embedded) await migrate(database.db);
    const problem = await schemaProblem(database.db);
    if (problem !== undefined) throw new Error(problem);
    const { record, apiKey } = await createAccount(database.db, values, new Date());
    console.error(`account ${record.id}: ${record.email}, plan ${record.plan}`);
    console.log(apiKey);
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_taken') throw new Error(`${values.email}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await database.close();
  }
}

try {
  await create(parse(process.argv.slice(2)));
} catch (error) {
  console.error(explain(error));
  const misused = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (misused) console.error(USAGE);
  process.exitCode = misused ? 2 : 1;
}
