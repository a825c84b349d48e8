/** The administration commands of a service that has accounts. */
import { accountCommands } from './accounts.ts';
import { keyCommands } from './keys.ts';
import { limitCommands } from './limits.ts';
import { runProgram, type AdministeredService } from './program.ts';

const PROGRAMS = { accounts: accountCommands, keys: keyCommands, limits: limitCommands };

/**
 * Runs `accounts`, `keys` or `limits` on the database of a service: at `DATABASE_URL`, or the embedded one. What it makes is
 * printed; the exit status is 2 for arguments that cannot be used, 1 for anything else that fails.
 *
 * @param args the group, its command and the command's arguments: `['accounts', 'list']`.
 */
export async function administer(service: AdministeredService, args: readonly string[]): Promise<void> {
  const [group = '', ...rest] = args;
  if (!Object.hasOwn(PROGRAMS, group)) throw new Error(`there are no commands ${group}: choose ${Object.keys(PROGRAMS).join(', ')}`);
  await runProgram(PROGRAMS[group as keyof typeof PROGRAMS], service, rest);
}
