/** The administration commands of a service that has accounts. */
import { accountCommands } from './accounts.ts';
import { banCommands } from './bans.ts';
import { runCommand, type AdministeredService } from './command-group.ts';
import { keyCommands } from './keys.ts';

export type { AdministeredService } from './command-group.ts';

const GROUPS = { accounts: accountCommands, keys: keyCommands, limits: banCommands };

/**
 * Runs a command of `accounts`, `keys` or `limits` on the database of a service: the one at `DATABASE_URL`, or the embedded one
 * in `DATA_DIR`. Prints the result or the error, and sets the exit status: 2 for wrong arguments, 1 for any other error.
 *
 * @param args the group, its command and the command's arguments: `['accounts', 'list', '--json']`.
 * @throws Error if there is no such group.
 */
export async function administer(service: AdministeredService, args: readonly string[]): Promise<void> {
  const [group = '', ...rest] = args;
  if (!Object.hasOwn(GROUPS, group)) throw new Error(`unknown command group ${group}: choose ${Object.keys(GROUPS).join(', ')}`);
  await runCommand(GROUPS[group as keyof typeof GROUPS], service, rest);
}
