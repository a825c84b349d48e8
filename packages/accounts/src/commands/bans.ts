/** `npm run limits`: lifts bans of API keys from the command line, on the server's database. */
import { liftBan } from '../limits/postgres-counter-store.ts';
import type { Command, CommandGroup } from './command-group.ts';
import { parseInteger, requiredOption } from './options.ts';

const COMMANDS: Record<string, Command> = {
  unban: {
    synopsis: '--key KEY',
    summary: 'lifts the ban of an API key and resets its strikes; every server admits it within a second',
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

export const banCommands: CommandGroup = {
  name: 'limits',
  summary: 'lifts bans of API keys, on the database of the server',
  commands: COMMANDS,
  words: 'KEY is the id of a key.',
  examples: ['unban --key 7'],
};
