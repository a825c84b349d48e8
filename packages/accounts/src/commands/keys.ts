/** `npm run -s administer -- keys`: administration of API keys from the command line, on the server's database. */
import type { Database, OpenDatabase } from '@specwright/postgres';
import { toUtc } from '@specwright/server';
import { isDateTime } from '@specwright/contract/document';
import { UsageError } from '@specwright/server/command';
import { findAccount } from '../accounts.ts';
import { findKeys, issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey } from '../keys/api-keys.ts';
import { keyPrefix } from '../keys/key-format.ts';
import { formatTable, ACCOUNT_OPTIONS, chooseAccount, parseInteger } from './options.ts';
import { defineServiceCommand, type CommandResult, type ServiceCommand } from './service-command.ts';

const COLUMNS = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'expiresAt', 'replacedBy', 'scopes'] as const;
const FOUND = ['accountId', 'email', 'id', 'name', 'prefix', 'isValid', 'lastUsedAt', 'createdAt'] as const;
const PAGE_SIZE = 100;
const DEFAULT_GRACE_S = 86_400;
const MAX_GRACE_S = 604_800;

const onAccount =
  (idOrEmail: string, action: (db: Database, accountId: number) => Promise<CommandResult>) =>
  async ({ db }: OpenDatabase) =>
    action(db, (await findAccount(db, idOrEmail)).id);

const parseKeyId = (text = '') => parseInteger(text, 'KEY', 1, Number.MAX_SAFE_INTEGER);

const showIssuedKey = ({ record, apiKey }: IssuedKey): CommandResult => ({
  secret: apiKey,
  json: { ...record, apiKey },
  text: `key ${record.id}: ${record.name}${record.expiresAt === undefined ? '' : `, until ${record.expiresAt}`}${record.scopes === undefined ? '' : `, scopes ${record.scopes.join(' ')}`}`,
});

/** @returns the time in UTC. @throws UsageError unless `text` is a time with an offset, in the future. */
function parseExpiry(text: string): string {
  if (!isDateTime(text)) throw new UsageError(`--expires must be a time such as 2027-12-31T00:00:00Z, not ${text}`);
  const time = toUtc(text, '--expires');
  if (time <= new Date().toISOString()) throw new UsageError(`--expires must be in the future, not ${text}`);
  return time;
}

/** @returns the scopes of a list with spaces or commas between. @throws UsageError for what is no scope (RFC 6749, section 3.3), and too many. */
function parseScopes(text: string): string[] {
  const scopes = [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0 || scopes.length > 100 || scopes.some((scope) => !/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/.test(scope)))
    throw new UsageError('--scopes must be 1 to 100 scopes with a space or a comma between: "pets:read orders:read"');
  return scopes;
}

async function allKeys(db: Database, accountId: number): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await listKeys(db, accountId, { after: keys.at(-1)?.id ?? 0, limit: PAGE_SIZE });
    keys.push(...page);
    if (page.length < PAGE_SIZE) return keys;
  }
}

export const keyCommands: Readonly<Record<string, ServiceCommand>> = {
  create: defineServiceCommand({
    summary: 'issues a key and prints only the key to standard output',
    description: 'It is shown once.',
    options: {
      ...ACCOUNT_OPTIONS,
      name: { type: 'string', value: 'NAME', required: true, description: 'what it is called in lists' },
      expires: { type: 'string', value: 'TIME', description: 'when it ends, such as 2027-12-31T00:00:00Z (default: never)' },
      scopes: { type: 'string', value: 'SCOPES', description: 'what it may do, such as "pets:read orders:read" (default: everything)' },
    },
    examples: ['--email ada@example.com --name laptop', '--email ada@example.com --name screen --scopes pets:read'],
    prepare({ values }) {
      const { name, expires, scopes: list } = values;
      const account = chooseAccount(values);
      // Command-line input bypasses request validation.
      if (Array.from(name).length > 100 || /\p{Cc}/u.test(name))
        throw new UsageError('--name must have at most 100 characters and no control characters');
      const expiresAt = expires === undefined ? undefined : parseExpiry(expires);
      const key = { name, expiresAt, scopes: list === undefined ? undefined : parseScopes(list) };
      return onAccount(account, async (db, accountId) => showIssuedKey(await issueKey(db, accountId, key, new Date())));
    },
  }),
  list: defineServiceCommand({
    summary: 'the keys of the account that are not revoked',
    description: 'Prints a table, without secrets.',
    options: ACCOUNT_OPTIONS,
    examples: ['--email ada@example.com', '--account 1 --json'],
    prepare: ({ values }) =>
      onAccount(chooseAccount(values), async (db, accountId) => {
        const keys = await allKeys(db, accountId);
        return { json: keys, text: formatTable(keys, COLUMNS) };
      }),
  }),
  find: defineServiceCommand({
    summary: 'whose a key is, revoked and expired ones included',
    description: 'KEY is a whole key, or its first characters, as lists of keys show them. Of its end nothing is stored.',
    positionals: ['KEY'],
    options: {},
    examples: ['psk_live_0aZ9'],
    prepare({ positionals: [key = ''] }) {
      if (!/^psk_live_[0-9A-Za-z]{4}/.test(key)) throw new UsageError('KEY must be a key, or its first 13 characters: psk_live_0aZ9');
      return async ({ db }) => {
        const found = await findKeys(db, key);
        if (found.length === 0) throw new Error(`no account has or had the key ${keyPrefix(key)}...`);
        return { json: found, text: formatTable(found, FOUND) };
      };
    },
  }),
  revoke: defineServiceCommand({
    summary: 'refuses a key at once, the last one of the account included',
    description: 'KEY is the id of a key.',
    positionals: ['KEY'],
    options: ACCOUNT_OPTIONS,
    examples: ['7 --email ada@example.com'],
    prepare({ values, positionals: [key] }) {
      const id = parseKeyId(key);
      return onAccount(chooseAccount(values), async (db, accountId) => {
        await revokeKey(db, accountId, id, new Date(), { allowLast: true });
        return { json: { id, revoked: true }, text: `key ${id} is revoked` };
      });
    },
  }),
  rotate: defineServiceCommand({
    summary: 'replaces a key and prints only the new one',
    description: 'KEY is the id of a key. It stays valid for a day, or for --grace.',
    positionals: ['KEY'],
    options: {
      ...ACCOUNT_OPTIONS,
      grace: {
        type: 'string',
        value: 'SECONDS',
        description: `how long the replaced key stays valid (at most ${MAX_GRACE_S}; 0 revokes it)`,
      },
    },
    examples: ['7 --email ada@example.com --grace 0'],
    prepare({ values, positionals: [key] }) {
      const { grace } = values;
      const account = chooseAccount(values);
      const id = parseKeyId(key);
      const seconds = grace === undefined ? DEFAULT_GRACE_S : parseInteger(grace, '--grace', 0, MAX_GRACE_S);
      return onAccount(account, async (db, accountId) => showIssuedKey(await rotateKey(db, accountId, id, seconds, new Date())));
    },
  }),
};
