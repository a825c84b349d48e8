/** `npm run keys`: administration of API keys from the command line, on the same database as the server. */
import { findAccount } from '../administration.ts';
import { issueKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedKey } from '../api-keys.ts';
import type { Database, OpenDatabase } from '@specwright/postgres';
import { required, table, UsageError, wholeNumber, type Command, type Program, type Options, type Outcome } from './program.ts';

const USAGE = `usage: npm run -s keys -- COMMAND --account ACCOUNT [--json]

  create --name NAME [--expires MOMENT]   makes a key and prints it, alone, on standard output
  list                                    the keys of the account that are not revoked
  revoke KEY                              ends a key at once, also the last one
  rotate KEY [--grace SECONDS]            makes a key in the place of another, which stays valid for a day, or for SECONDS
                                          (at most 604800; 0 ends it at once); prints the new one, alone

ACCOUNT is an id or an email address, KEY the id of a key, MOMENT a time such as 2027-12-31T00:00:00Z. The database is
that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of the output.`;

const COLUMNS = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'expiresAt', 'replacedBy'] as const;
const PAGE = 100;

/** A command on the keys of the account that `--account` names. */
function ofAccount(options: Options, work: (db: Database, accountId: number) => Promise<Outcome>) {
  const which = required(options, 'account');
  return async ({ db }: OpenDatabase) => work(db, (await findAccount(db, which)).id);
}

const idOf = (text = '') => wholeNumber(text, 'KEY', 1, Number.MAX_SAFE_INTEGER);

const issued = ({ record, apiKey }: IssuedKey): Outcome => ({
  secret: apiKey,
  json: { ...record, apiKey },
  text: `key ${record.id}: ${record.name}${record.expiresAt === undefined ? '' : `, until ${record.expiresAt}`}`,
});

/** @throws UsageError unless it is a moment with its offset, in the future. */
function momentOf(text: string): string {
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime()))
    throw new UsageError(`--expires must be a time such as 2027-12-31T00:00:00Z, not ${text}`);
  if (moment <= new Date()) throw new UsageError(`--expires must be in the future, not ${text}`);
  return moment.toISOString();
}

async function allKeys(db: Database, accountId: number): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await listKeys(db, accountId, { after: keys.at(-1)?.id ?? 0, limit: PAGE });
    keys.push(...page);
    if (page.length < PAGE) return keys;
  }
}

const COMMANDS: Record<string, Command> = {
  create: {
    operands: [],
    values: ['account', 'name', 'expires'],
    prepare(_, options) {
      const name = required(options, 'name');
      // The contract's own check is in the request line, which this does not pass through.
      if (Array.from(name).length > 100 || /\p{Cc}/u.test(name))
        throw new UsageError('--name must have at most 100 characters and no control characters');
      const expiresAt = options['expires'] === undefined ? undefined : momentOf(required(options, 'expires'));
      return ofAccount(options, async (db, accountId) => issued(await issueKey(db, accountId, { name, expiresAt }, new Date())));
    },
  },
  list: {
    operands: [],
    values: ['account'],
    prepare: (_, options) =>
      ofAccount(options, async (db, accountId) => {
        const keys = await allKeys(db, accountId);
        return { json: keys, text: table(keys, COLUMNS) };
      }),
  },
  revoke: {
    operands: ['KEY'],
    values: ['account'],
    prepare([key], options) {
      const id = idOf(key);
      return ofAccount(options, async (db, accountId) => {
        await revokeKey(db, accountId, id, new Date(), { evenLast: true });
        return { json: { id, revoked: true }, text: `key ${id} is revoked` };
      });
    },
  },
  rotate: {
    operands: ['KEY'],
    values: ['account', 'grace'],
    prepare([key], options) {
      const id = idOf(key);
      const grace = options['grace'] === undefined ? 86_400 : wholeNumber(required(options, 'grace'), '--grace', 0, 604_800);
      return ofAccount(options, async (db, accountId) => issued(await rotateKey(db, accountId, id, grace, new Date())));
    },
  },
};

export const keyCommands: Program = { usage: USAGE, commands: COMMANDS };
