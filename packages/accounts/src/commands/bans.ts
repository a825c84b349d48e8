/** `npm run limits`: lifts bans of API keys from the command line, on the server's database. */
import { liftBan } from '../limits/postgres-counter-store.ts';
import { parseInteger } from './options.ts';
import { defineServiceCommand, type ServiceCommand } from './service-command.ts';

/** `npm run limits` */
export const banCommands: Readonly<Record<string, ServiceCommand>> = {
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
