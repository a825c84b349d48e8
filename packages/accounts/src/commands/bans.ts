/** `npm run limits`: lifts bans of API keys from the command line, on the server's database. */
import { liftBan } from '../postgres-counter-store.ts';
import type { Command, CommandGroup } from './command-group.ts';
import { parseInteger, requiredOption } from './options.ts';

const USAGE = `usage: npm run -s limits -- COMMAND [--json]

  unban --key KEY   lifts the ban of an API key and resets its strikes; every server admits it within a second

KEY is the id of a key. The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of
the output.`;

const COMMANDS: Record<string, Command> = {
  unban: {
    operands: [],
    options: ['key'],
    prepare(_, options) {
      const id = parseInteger(requiredOption(options, 'key'), '--key', 1, Number.MAX_SAFE_INTEGER);
      return async ({ url }) => {
        if (!(await liftBan(url, id))) throw new Error(`key ${id} is not banned`);
        return { json: { id, banned: false }, text: `key ${id}: the ban is lifted` };
      };
    },
  },
};

export const banCommands: CommandGroup = { usage: USAGE, commands: COMMANDS };
