/** Gives the events of the stock their numbers, once they are committed: one server at a time, any of them. */
import { commitWith, connect, connectOptions, type Database } from '@specwright/postgres';
import { inBackground } from '@specwright/server';
import { read, transaction } from './store.ts';

/** Its notifications name the accounts, separated by commas. PostgreSQL has separate channels for each database. */
export const STOCK_CHANNEL = 'stock_events';

/** Of the advisory locks: `first` of all, and the two that there are. Whoever gives numbers has one; servers with streams share the other. */
const LOCKS = { first: 0x57_0c_4e, numbering: 1, listening: 2 };

/** The most events that get numbers in one transaction. */
const BATCH = 2000;
/** As many ids as fit into the 8000 bytes of a notification. */
const ACCOUNTS_IN_NOTIFICATION = 400;
/** The least time from one batch to the next, in ms: while somebody has a stream, and while nobody has. */
const INTERVAL_MS = { listened: 20, unheard: 1000 };
const RETRY_MS = 500;
const NOT_SUPPORTED = '0A000';

/**
 * A number is given to what is committed, in one statement, to the rows of a pet in the order of their versions, which is that of their commits.
 * So a reader that has seen a number never finds another before it; numbers from a sequence are taken in one order and committed in another,
 * and a snapshot's `xmin` waits for the oldest transaction of the whole server. Numbers of an account have no gaps.
 */
const GIVE_NUMBERS = `
  WITH taken AS (
         DELETE FROM pending_stock_events WHERE account_id = ANY (?::bigint[]) AND (account_id, pet_id, version) IN (
           SELECT account_id, pet_id, version FROM pending_stock_events WHERE account_id = ANY (?::bigint[])
            ORDER BY account_id, pet_id, version LIMIT ${BATCH})
         RETURNING account_id, pet_id, version, quantity, status, created_at),
       kept AS (SELECT taken.* FROM taken JOIN accounts ON accounts.account_id = taken.account_id),
       counter AS (
         INSERT INTO stock_event_counters AS c (account_id, last_id) SELECT account_id, count(*) FROM kept GROUP BY account_id ORDER BY account_id
         ON CONFLICT (account_id) DO UPDATE SET last_id = c.last_id + excluded.last_id RETURNING account_id, last_id)
  INSERT INTO stock_events (account_id, id, pet_id, quantity, status, created_at)
  SELECT account_id, counter.last_id + 1 - row_number() OVER (PARTITION BY account_id ORDER BY kept.pet_id DESC, kept.version DESC),
         kept.pet_id, kept.quantity, kept.status, kept.created_at
    FROM kept JOIN counter USING (account_id)`;

/** Databases whose tables are distributed: a statement is about one account there. */
const distributed = new WeakSet<Database>();

interface Numbered {
  /** Accounts that have new numbers. */
  readonly accountIds: readonly number[];
  readonly isListenedTo: boolean;
  /** Whether there is more. */
  readonly isFull: boolean;
}

/** One batch. Two servers that do it at the same time do it one after the other. */
async function numberBatch(db: Database): Promise<Numbered> {
  return transaction(db, async (trx) => {
    // Separate statements: the second one has to see what the previous holder of the lock has committed.
    const [, { rows }] = await Promise.all([
      trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [LOCKS.first, LOCKS.numbering]),
      trx.raw<{ rows: { id: number }[] }>(
        `SELECT DISTINCT account_id AS id FROM (SELECT account_id FROM pending_stock_events LIMIT ${BATCH}) pending`,
      ),
    ]);
    const ids = rows.map(({ id }) => id);
    const accountIds = distributed.has(db) ? ids.slice(0, 1) : ids;
    return commitWith(
      [
        ids.length > 0 && (async () => trx.raw<{ rowCount: number }>(GIVE_NUMBERS, [accountIds, accountIds])),
        () => trx.raw<{ rows: { nobody: boolean }[] }>('SELECT pg_try_advisory_xact_lock(?, ?) AS nobody', [LOCKS.first, LOCKS.listening]),
      ],
      ([given, { rows: free }]) => {
        const isFull = accountIds.length < ids.length || (given?.rowCount ?? 0) >= BATCH;
        return { accountIds, isListenedTo: free[0]?.nobody === false, isFull };
      },
    );
  });
}

/** Numbers all events that are committed, and wakes the streams of their accounts. @returns whether anybody has a stream. */
export async function numberStockEvents(db: Database): Promise<boolean> {
  for (;;) {
    const { accountIds, isListenedTo, isFull } = await numberBatch(db).catch((error: unknown) => {
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      if (code !== NOT_SUPPORTED || distributed.has(db)) throw error;
      distributed.add(db);
      return { accountIds: [], isListenedTo: true, isFull: true };
    });
    // Not in the transaction itself, which must not fail with a queue of notifications that is full: streams look for what was not notified.
    if (isListenedTo)
      for (let n = 0; n < accountIds.length; n += ACCOUNTS_IN_NOTIFICATION)
        await notify(db, accountIds.slice(n, n + ACCOUNTS_IN_NOTIFICATION)).catch(() => undefined);
    if (!isFull) return isListenedTo;
  }
}

const notify = (db: Database, accountIds: readonly number[]) => read(db.raw('SELECT pg_notify(?, ?)', [STOCK_CHANNEL, accountIds.join()]));

/** What the session that listens says to those who number: that somebody has a stream, or that nobody has any more. */
export const announceStreams = (some: boolean): [sql: string, bindings: number[]] => [
  some ? 'SELECT pg_advisory_lock_shared(?, ?)' : 'SELECT pg_advisory_unlock_shared(?, ?)',
  [LOCKS.first, LOCKS.listening],
];

/** A pool for streams and numbers, so that neither requests wait for them nor they for requests. */
export const connectForEvents = (db: Database, size = 2): Database => {
  const { name = 'petstore', ...options } = connectOptions(db);
  return connect({ ...options, name: `${name} events`, pool: size });
};

/** Has events numbered by this process, soon after it is woken, in batches. */
export class StockNumbering {
  readonly #db: Database;
  #timer: NodeJS.Timeout | undefined = undefined;
  #running: Promise<boolean> | undefined = undefined;
  readonly #background: boolean;
  #isDue = false;
  #isClosed = false;
  #isListenedTo = false;
  #began = -Infinity;

  /** @param background `false`: only `run` and `settle` give numbers. */
  constructor(db: Database, background = true) {
    this.#db = db;
    this.#background = background;
  }

  /** There are events that have no number yet. */
  wake(): void {
    this.#isDue = true;
    if (this.#background && this.#running === undefined) this.#schedule(this.#isListenedTo ? INTERVAL_MS.listened : INTERVAL_MS.unheard);
  }

  /** Numbers what is committed by now. @throws AppError service_unavailable. */
  async run(): Promise<void> {
    // One that is under way may have looked before.
    await this.#running?.catch(() => undefined);
    await (this.#running ?? this.#number());
  }

  /** Numbers what this process was woken for. What fails is left to others. */
  async settle(): Promise<void> {
    if (this.#isDue) await this.run().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  #schedule(interval: number): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    const runDue = () => {
      this.#timer = undefined;
      inBackground(this.run().catch(() => undefined));
    };
    this.#timer = setTimeout(runDue, Math.max(0, this.#began + interval - performance.now())).unref();
  }

  async #number(): Promise<void> {
    this.#isDue = false;
    this.#began = performance.now();
    this.#running = numberStockEvents(this.#db);
    try {
      this.#isListenedTo = await this.#running;
    } catch (error) {
      this.#isDue = true;
      this.#began += RETRY_MS;
      throw error;
    } finally {
      this.#running = undefined;
      if (this.#isDue) this.wake();
    }
  }
}
