/** `npm run limits`: lifts the ban of an API key, on the same database as the server. */
import { unban } from '../limit-store.ts';
import { required, wholeNumber, type Command, type Program } from './program.ts';

const USAGE = `usage: npm run -s limits -- COMMAND [--json]

  unban --key KEY   lifts the ban of an API key and forgets its strikes; every server follows within a second

KEY is the id of a key. The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of
the output.`;

const COMMANDS: Record<string, Command> = {
  unban: {
    operands: [],
    values: ['key'],
    prepare(_, options) {
      const id = wholeNumber(required(options, 'key'), '--key', 1, Number.MAX_SAFE_INTEGER);
      return async ({ url }) => {
        if (!(await unban(url, id))) throw new Error(`key ${id} is not banned`);
        return { json: { id, banned: false }, text: `key ${id}: the ban is lifted` };
      };
    },
  },
};

export const limitCommands: Program = { usage: USAGE, commands: COMMANDS };
