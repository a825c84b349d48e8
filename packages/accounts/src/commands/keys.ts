/** `npm run keys`: administration of API keys from the command line, on the server's database. */
import type { Database, OpenDatabase } from '@specwright/postgres';
import { isDateTime, toUtc } from '@specwright/server';
import { findAccount } from '../accounts.ts';
import { issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey } from '../keys/api-keys.ts';
import type { Command, CommandGroup, CommandResult } from './command-group.ts';
import { formatTable } from './format-table.ts';
import { parseInteger, requiredOption, UsageError, type Options } from './options.ts';

const COLUMNS = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'expiresAt', 'replacedBy'] as const;
const PAGE_SIZE = 100;
const DEFAULT_GRACE_S = 86_400;
const MAX_GRACE_S = 604_800;

/** An action on the keys of the account that `--account` names. */
function onAccount(options: Options, action: (db: Database, accountId: number) => Promise<CommandResult>) {
  const idOrEmail = requiredOption(options, 'account');
  return async ({ db }: OpenDatabase) => action(db, (await findAccount(db, idOrEmail)).id);
}

const parseKeyId = (text = '') => parseInteger(text, 'KEY', 1, Number.MAX_SAFE_INTEGER);

const showIssuedKey = ({ record, apiKey }: IssuedKey): CommandResult => ({
  secret: apiKey,
  json: { ...record, apiKey },
  text: `key ${record.id}: ${record.name}${record.expiresAt === undefined ? '' : `, until ${record.expiresAt}`}`,
});

/** @returns the time in UTC. @throws UsageError unless `text` is a time with an offset, in the future. */
function parseExpiry(text: string): string {
  if (!isDateTime(text)) throw new UsageError(`--expires must be a time such as 2027-12-31T00:00:00Z, not ${text}`);
  const time = toUtc(text, '--expires');
  if (time <= new Date().toISOString()) throw new UsageError(`--expires must be in the future, not ${text}`);
  return time;
}

async function allKeys(db: Database, accountId: number): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await listKeys(db, accountId, { after: keys.at(-1)?.id ?? 0, limit: PAGE_SIZE });
    keys.push(...page);
    if (page.length < PAGE_SIZE) return keys;
  }
}

const COMMANDS: Record<string, Command> = {
  create: {
    synopsis: '--account ACCOUNT --name NAME [--expires TIME]',
    summary: 'issues a key and prints it, alone, on standard output',
    operands: [],
    options: ['account', 'name', 'expires'],
    prepare(_, options) {
      const name = requiredOption(options, 'name');
      // The command line does not pass the validator of requests.
      if (Array.from(name).length > 100 || /\p{Cc}/u.test(name))
        throw new UsageError('--name must have at most 100 characters and no control characters');
      const expiresAt = options['expires'] === undefined ? undefined : parseExpiry(requiredOption(options, 'expires'));
      return onAccount(options, async (db, accountId) => showIssuedKey(await issueKey(db, accountId, { name, expiresAt }, new Date())));
    },
  },
  list: {
    synopsis: '--account ACCOUNT',
    summary: 'the keys of the account that are not revoked',
    operands: [],
    options: ['account'],
    prepare: (_, options) =>
      onAccount(options, async (db, accountId) => {
        const keys = await allKeys(db, accountId);
        return { json: keys, text: formatTable(keys, COLUMNS) };
      }),
  },
  revoke: {
    synopsis: 'KEY --account ACCOUNT',
    summary: 'refuses a key at once, the last one of the account included',
    operands: ['KEY'],
    options: ['account'],
    prepare([key], options) {
      const id = parseKeyId(key);
      return onAccount(options, async (db, accountId) => {
        await revokeKey(db, accountId, id, new Date(), { allowLast: true });
        return { json: { id, revoked: true }, text: `key ${id} is revoked` };
      });
    },
  },
  rotate: {
    synopsis: 'KEY --account ACCOUNT [--grace SECONDS]',
    summary: 'replaces a key, and prints the new one, alone',
    operands: ['KEY'],
    options: ['account', 'grace'],
    prepare([key], options) {
      const id = parseKeyId(key);
      const grace =
        options['grace'] === undefined ? DEFAULT_GRACE_S : parseInteger(requiredOption(options, 'grace'), '--grace', 0, MAX_GRACE_S);
      return onAccount(options, async (db, accountId) => showIssuedKey(await rotateKey(db, accountId, id, grace, new Date())));
    },
  },
};

export const keyCommands: CommandGroup = {
  name: 'keys',
  summary: 'administration of API keys, on the database of the server',
  commands: COMMANDS,
  words:
    'ACCOUNT is an id or an email address, KEY the id of a key, TIME a time such as 2027-12-31T00:00:00Z.\n' +
    'A replaced key stays valid for a day, or for SECONDS (at most 604800; 0 revokes it).',
  examples: ['create --account ada@example.com --name laptop', 'rotate 7 --account ada@example.com --grace 0', 'list --account 1 --json'],
};
