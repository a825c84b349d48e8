/**
 * Identifies a migration by the statements that it makes, so that one which was edited after it had run is noticed. The source
 * would not do: compilers and formatters change it.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { remember } from '@specwright/contract/runtime';
import knex from 'knex';
import type { Migration } from './database-schema.ts';

/** A migration that waits for what a database without rows never has ends here. */
const MAX_STATEMENTS = 10_000;
const MAX_MS = 5000;

/**
 * SHA-256 of the statements in hex; space and comments in them do not count, and neither do bindings, which may be times.
 *
 * The migration runs without a database: each statement finds no rows. What it does after it has failed for that reason does
 * not count.
 *
 * @returns `undefined` for a migration that makes other statements each time.
 */
export const migrationDigest = ({ migration }: Migration): Promise<string | undefined> => digestOfModule(migration);

const digestOfModule = remember(async (migration: Migration['migration']) => {
  const [first, second] = [await digestOf(migration), await digestOf(migration)];
  return first === second ? first : undefined;
}, new WeakMap<Migration['migration'], Promise<string | undefined>>());

async function digestOf(migration: Migration['migration']): Promise<string> {
  const statements: string[] = [];
  const connection = {
    query({ text }: { text: string }, done: (error: Error | null, result?: object) => void) {
      if (statements.push(normalize(text)) > MAX_STATEMENTS) return done(new Error('too many statements'));
      done(null, { rows: [], fields: [], rowCount: 0, command: /^\w+/.exec(text.trim())?.[0].toUpperCase() });
    },
  };
  const db = knex({ client: 'pg' });
  Object.assign(db.client as object, { acquireConnection: async () => connection, releaseConnection: async () => undefined });
  const run = async (): Promise<void> => {
    await migration.up(db);
  };
  const abort = new AbortController();
  await Promise.race([run().catch(() => undefined), sleep(MAX_MS, undefined, { signal: abort.signal }).catch(() => undefined)]);
  abort.abort();
  return createHash('sha256').update(statements.join('\n')).digest('hex');
}

/** A moment in another year, month, day and hour, in ms since the epoch. */
const OTHER_TIME = Date.UTC(2001, 1, 3, 4, 5, 6, 7);

let lastStableDigest: Promise<unknown> = Promise.resolve();

/**
 * The digest of a migration whose statements depend neither on the date nor on the environment: only that can be compared later. The clock and
 * the environment of the process are others meanwhile, for some ms, so it is for the moment at which a migration is recorded.
 *
 * @returns `undefined` if the statements are others at another time or without variables, such as `CREATE TABLE events_${year}`.
 */
export function stableDigest(migration: Migration): Promise<string | undefined> {
  const digest = lastStableDigest.then(async () => {
    const now = await migrationDigest(migration);
    return now !== undefined && now === (await elsewhere(() => digestOf(migration.migration))) ? now : undefined;
  });
  // One after another: they share the clock of the process.
  lastStableDigest = digest.catch(() => undefined);
  return digest;
}

async function elsewhere<T>(run: () => Promise<T>): Promise<T> {
  const { Date: RealDate } = globalThis;
  const { env } = process;
  globalThis.Date = class extends RealDate {
    constructor(...values: [] | [number]) {
      if (values.length === 0) super(OTHER_TIME);
      else super(...values);
    }
    static override now = () => OTHER_TIME;
  } as DateConstructor;
  process.env = {};
  try {
    return await run();
  } finally {
    globalThis.Date = RealDate;
    process.env = env;
  }
}

const normalize = (sql: string): string =>
  sql
    .replace(/--[^\n]*/g, ' ')
    // eslint-disable-next-line specwright/linear-expression -- the migrations of the project
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),;]) ?/g, '$1')
    .trim();
