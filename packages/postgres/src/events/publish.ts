/** Publishes events once they are committed: gives them their ids, in their order. One server at a time, any of them. */
import type { Database } from '../connection/connect.ts';
import { read, transaction } from './read-events.ts';

/** Its notifications name logs and accounts, as `keyOf` does, separated by commas. PostgreSQL has separate channels for each database. */
export const CHANNEL = 'event_log';

/** The log of an account. */
export const keyOf = (log: string, accountId: number): string => `${log}:${accountId}`;

/** Of the advisory locks: `first` of all, and the two that there are. Whoever publishes has one; servers with streams share the other. */
const LOCKS = { first: 0x57_0c_4e, publishing: 1, listening: 2 };

/** The most events that are published in one transaction. */
const BATCH = 2000;
/** As many keys as fit into the 8000 bytes of a notification. */
const KEYS_IN_NOTIFICATION = 130;
const NOT_SUPPORTED = '0A000';

/**
 * Published is what is committed, in one statement. What was answered before another transaction appended is committed in each snapshot that has
 * the other, and has the lower position: it is in the same batch before it, or in an earlier one. Ids are given behind the commits, so a reader
 * that has seen one never finds another before it; those of a sequence are taken in one order and committed in another.
 *
 * Ids are times, in microseconds since 1970, or follow the last id where that is later: a database that is restored to an earlier moment gives none
 * again that it had given after that moment. So an id that is followed is either in the log, or no event has it as `previous_id`.
 */
const publishQuery = (owner: Owner | undefined) => `
  WITH taken AS (
         DELETE FROM event_log_pending WHERE account_id = ANY (:ids::bigint[]) AND (account_id, position) IN (
           SELECT account_id, position FROM event_log_pending WHERE account_id = ANY (:ids::bigint[]) ORDER BY account_id, position LIMIT ${BATCH})
         RETURNING account_id, log, position, event),
       kept AS (SELECT taken.* FROM taken ${owner === undefined ? '' : `JOIN ${owner.table} owner ON owner.${owner.column} = taken.account_id`}),
       batch AS (
         SELECT kept.account_id, kept.log, count(*) AS events, coalesce(max(head.last_id), 0) AS last_id,
                greatest(max(head.last_id), (extract(epoch FROM statement_timestamp()) * 1000000)::bigint) AS base
           FROM kept LEFT JOIN event_log_last_ids head ON head.account_id = kept.account_id AND head.log = kept.log
          GROUP BY kept.account_id, kept.log),
       heads AS (
         INSERT INTO event_log_last_ids (account_id, log, last_id) SELECT account_id, log, base + events FROM batch ORDER BY account_id, log
         ON CONFLICT (account_id, log) DO UPDATE SET last_id = excluded.last_id),
       published AS (
         INSERT INTO event_log (account_id, log, id, previous_id, event)
         SELECT batch.account_id, batch.log, base + n, CASE n WHEN 1 THEN last_id ELSE base + n - 1 END, event
           FROM (SELECT kept.*, row_number() OVER (PARTITION BY account_id, log ORDER BY position) AS n FROM kept) numbered
           JOIN batch ON batch.account_id = numbered.account_id AND batch.log = numbered.log)
  SELECT account_id AS "accountId", log, count(*) AS events FROM taken GROUP BY account_id, log`;

/** The table and column that `eventMigrations` was told of, as SQL. */
interface Owner {
  readonly table: string;
  readonly column: string;
}

async function findOwner(db: Database): Promise<Owner | undefined> {
  const { rows } = await read(
    db.raw<{ rows: Owner[] }>(
      `SELECT confrelid::regclass::text AS "table", quote_ident(attname) AS "column"
         FROM pg_constraint JOIN pg_attribute ON attrelid = confrelid AND attnum = confkey[1]
        WHERE conrelid = 'event_log'::regclass AND contype = 'f'`,
    ),
  );
  return rows[0];
}

interface Published {
  /** The logs that have new events. */
  readonly keys: readonly string[];
  readonly events: number;
  readonly isListenedTo: boolean;
  /** Whether there is more. */
  readonly isFull: boolean;
}

type Batch = { rows: { accountId: number; log: string; events: number }[] };

/** What publishes the events of a database, over a pool. */
export class EventPublication {
  readonly #db: Database;
  #query: Promise<string> | undefined = undefined;
  /** Whether tables are distributed: a statement is about one account then. */
  #isDistributed = false;
  /** How many events were published here. */
  published = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Publishes all events that are committed, and wakes the streams of their accounts. @returns whether anybody has a stream. */
  async publish(): Promise<boolean> {
    for (;;) {
      const { keys, events, isListenedTo, isFull } = await this.#publishBatch().catch((error: unknown) => {
        const { code } = ((error as Error).cause ?? error) as { code?: string };
        if (code !== NOT_SUPPORTED || this.#isDistributed) throw error;
        this.#isDistributed = true;
        return { keys: [], events: 0, isListenedTo: true, isFull: true };
      });
      this.published += events;
      // Not in the transaction itself, which must not fail with a queue of notifications that is full: streams look for what was not notified.
      if (isListenedTo)
        for (let n = 0; n < keys.length; n += KEYS_IN_NOTIFICATION)
          await this.#notify(keys.slice(n, n + KEYS_IN_NOTIFICATION)).catch(() => undefined);
      if (!isFull) return isListenedTo;
    }
  }

  /** Two servers that do it at the same time do it one after the other. */
  async #publishBatch(): Promise<Published> {
    const query = await (this.#query ??= this.#prepare());
    return transaction(this.#db, async (trx) => {
      // Separate statements: the second one has to see what the previous holder of the lock has committed.
      const [, { rows }] = await Promise.all([
        trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [LOCKS.first, LOCKS.publishing]),
        trx.raw<{ rows: { id: number }[] }>(
          `SELECT DISTINCT account_id AS id FROM (SELECT account_id FROM event_log_pending LIMIT ${BATCH}) pending`,
        ),
      ]);
      const ids = rows.map(({ id }) => id);
      const taken = this.#isDistributed ? ids.slice(0, 1) : ids;
      const [batch, listening] = await Promise.all([
        ids.length > 0 ? trx.raw<Batch>(query, { ids: taken }) : { rows: [] },
        trx.raw<{ rows: { nobody: boolean }[] }>('SELECT pg_try_advisory_xact_lock(?, ?) AS nobody', [LOCKS.first, LOCKS.listening]),
      ]);
      const events = batch.rows.reduce((sum, row) => sum + row.events, 0);
      return {
        keys: batch.rows.map(({ log, accountId }) => keyOf(log, accountId)),
        events,
        isListenedTo: listening.rows[0]?.nobody === false,
        isFull: taken.length < ids.length || events >= BATCH,
      };
    });
  }

  #prepare(): Promise<string> {
    const query = findOwner(this.#db).then(publishQuery);
    query.catch(() => (this.#query = undefined));
    return query;
  }

  #notify(keys: readonly string[]): Promise<unknown> {
    return read(this.#db.raw('SELECT pg_notify(?, ?)', [CHANNEL, keys.join()]));
  }
}

/** What the session that listens says to those who publish: that somebody has a stream, or that nobody has any more. */
export const announceStreams = (some: boolean): [sql: string, bindings: number[]] => [
  some ? 'SELECT pg_advisory_lock_shared(?, ?)' : 'SELECT pg_advisory_unlock_shared(?, ?)',
  [LOCKS.first, LOCKS.listening],
];
