/** The administration commands of a service that has accounts. */
import { printable } from '@specwright/contract';
import { print, printError, runProgram, type Program } from '@specwright/server/command';
import { accountCommands } from './accounts.ts';
import { keyCommands } from './keys.ts';
import { entryOf, type AdministeredService, type ServiceCommand, defineServiceCommand } from './service-command.ts';
import { liftBan } from '../limits/postgres-counter-store.ts';
import { parseInteger } from './options.ts';

// `limits`: lifts bans of API keys from the command line, on the server's database.

const banCommands: Readonly<Record<string, ServiceCommand>> = {
  unban: defineServiceCommand({
    summary: 'lifts the ban of an API key and resets its strikes',
    description: 'Every server admits it within a second.',
    options: { key: { type: 'string', value: 'KEY', required: true, description: 'the id of the key' } },
    examples: ['--key 7'],
    prepare({ values }) {
      const id = parseInteger(values.key, '--key', 1, Number.MAX_SAFE_INTEGER);
      return async ({ url }) => {
        if (!(await liftBan(url, id))) throw new Error(`key ${id} is not banned`);
        return { json: { id, banned: false }, text: `key ${id}: the ban is lifted` };
      };
    },
  }),
};

export type { AdministeredService } from './service-command.ts';

const GROUPS: Readonly<Record<string, Readonly<Record<string, ServiceCommand>>>> = {
  accounts: accountCommands,
  keys: keyCommands,
  limits: banCommands,
};

/**
 * Runs a command of `accounts`, `keys`, `limits` or a group that the service has on the database of a service: the one at `DATABASE_URL`, or the embedded one
 * in `DATA_DIR`. Prints the result or the error, and sets the exit status: 2 for wrong arguments, 1 for any other error.
 *
 * @param args the group, its command and the command's arguments: `['accounts', 'list', '--json']`.
 */
export async function administer(service: AdministeredService, args: readonly string[]): Promise<void> {
  const [group = '', ...rest] = args;
  const groups = { ...GROUPS, ...service.commands };
  const commands = Object.hasOwn(groups, group) ? groups[group] : undefined;
  process.exitCode =
    commands === undefined ? refuseGroup(group, Object.keys(groups)) : await runProgram(programOf(group, commands, service), rest);
}

/** The npm script that a project calls this by. */
const INVOCATION = 'npm run -s administer --';

/** Prints the usage, and what is wrong with the group if it was not for help. @returns the exit code. */
function refuseGroup(group: string, groups: readonly string[]): number {
  const usage = `usage: ${INVOCATION} GROUP COMMAND [ARGUMENTS]\ngroups: ${groups.join(', ')}`;
  if (['--help', '-h', 'help'].includes(group)) {
    print(usage);
    return 0;
  }
  printError(`administer: ${group === '' ? 'missing group' : `unknown group ${printable(group)}`}\n${usage}`);
  return 2;
}

function programOf(name: string, commands: Readonly<Record<string, ServiceCommand>>, service: AdministeredService): Program {
  const invocation = `${INVOCATION} ${name}`;
  return {
    name,
    invocation,
    commands: Object.fromEntries(Object.entries(commands).map(([each, command]) => [each, entryOf(invocation, each, command, service)])),
    notes: `All take --json. \`-s\` keeps npm's own lines out of the output.`,
  };
}
