/** Invalidates the caches of all servers: a change of an account or a key is answered only after they have dropped its entries. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  afterCommit,
  notify,
  openNotificationChannel,
  type Database,
  type NotificationEvents,
  type NotificationSession,
  type Transaction,
} from '@specwright/postgres';
import { transaction } from '../store.ts';
import { inBackground, onPause } from '@specwright/server';

/** PostgreSQL has separate channels for each database. */
const CHANNEL = 'account_keys';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The advisory locks that a server holds in shared mode for as long as its cache is enabled: one for each partition of the
 * accounts, so that a change of one account suspends the cache of few other accounts. PostgreSQL's lock table has to hold them for all
 * servers: by default it has room for those of a hundred.
 */
const CACHE_LOCK = 730_587_100;
export const PARTITIONS = 64;
const ALL_PARTITIONS = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** The partition of the cache that an account belongs to. */
export const partitionOf = (accountId: number): number => accountId % PARTITIONS;

/** How long a notified server waits before it locks again, in ms: the writers of changes are waiting for the lock by then. */
const RELOCK_DELAY_MS = 100;
/** How long the writer of a change waits for the lock before it notifies again, in ms, and how often. */
const LOCK_TIMEOUT_MS = 250;
const MAX_ATTEMPTS = 4;

/**
 * Runs `work`, which changes who may call for an account or how much, in a transaction. Resolves after every server has dropped
 * the entries of the account, or after a second if one does not respond: its entries expire soon. In a transaction of the
 * caller's, its end waits for that.
 *
 * @throws AppError as `transaction` does.
 */
export async function withInvalidation<T>(db: Database, accountId: number, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (trx) => {
    const value = await work(trx);
    // PostgreSQL delivers it if and when the transaction commits.
    await announce(trx, accountId);
    afterCommit(trx, (pool) => waitForCaches(pool, accountId));
    return value;
  });
}

const announce = (db: Database, accountId: number) => notify(db, CHANNEL, String(accountId));

async function waitForCaches(db: Database, accountId: number): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      await db.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        // Servers that were notified release it, and wait for it behind this transaction.
        await trx.raw('SELECT pg_advisory_xact_lock(?::int, ?::int)', [CACHE_LOCK, partitionOf(accountId)]);
      });
      return;
    } catch (error) {
      // The change is committed and the servers are notified: a failure to wait for them is not a failure of the change. A
      // server that locked again before this transaction waited for the lock is notified once more.
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) return;
      await announce(db, accountId).catch(() => undefined);
    }
  }
}

export interface InvalidationEvents {
  /** Drop the entries of an account, or of all. Until `onValid` use and cache nothing of its partition, or of any. */
  readonly onInvalidate: (accountId: number | 'all') => void;
  /** What is looked up from now on may be cached, and what is cached may be used, in this partition. */
  readonly onValid: (partition: number) => void;
  readonly onListening: () => void;
  /** The channel has been lost. Called once, not for each attempt to open it again. */
  readonly onLost: (error: unknown) => void;
}

export interface InvalidationChannel {
  close(): Promise<void>;
}

/**
 * Listens on a separate connection, not one of the pool; see `openNotificationChannel`. Returns at once: a database that does not answer
 * yet is tried again.
 *
 * @param testIntervalMs how often a test notification is sent; see `openNotificationChannel`.
 */
export const openInvalidationChannel = (db: Database, events: InvalidationEvents, testIntervalMs?: number): InvalidationChannel =>
  new LockedChannel(db, events, testIntervalMs);

/** In the place of a channel where nothing is listened for: what is cached is valid as long as it is kept, and not after a pause of the process. */
export function unheardChanges({ onInvalidate, onValid }: InvalidationEvents): InvalidationChannel {
  ALL_PARTITIONS.forEach(onValid);
  const end = onPause(() => {
    onInvalidate('all');
    ALL_PARTITIONS.forEach(onValid);
  });
  return { close: async () => end() };
}

const noneLocked = () => new Map(ALL_PARTITIONS.map((partition) => [partition, false]));

class LockedChannel implements InvalidationChannel {
  readonly #events: InvalidationEvents;
  readonly #channel: InvalidationChannel;
  /** The partitions that are not locked; `true` if a notification came after the current attempt to lock began. */
  #unlocked: Map<number, boolean> = noneLocked();

  constructor(db: Database, events: InvalidationEvents, testIntervalMs: number | undefined) {
    this.#events = events;
    const handlers: NotificationEvents = {
      onNotification: (payload, session) => inBackground(this.#invalidate(session, parseAccountId(payload))),
      onOpen: () => events.onInvalidate('all'),
      // Not before notifications are known to arrive: without a session the locks would stay with the next client of the pooler's connection.
      onListening: async (session) => {
        await this.#lock(session, ALL_PARTITIONS);
        if (session.isOpen()) events.onListening();
      },
      // Writers wait for a second: what they announced to a process that was paused is not received yet.
      onPaused: (session) => this.#invalidate(session, 'all'),
      onLost: (error, isFirst) => {
        this.#unlocked = noneLocked();
        events.onInvalidate('all');
        if (isFirst) events.onLost(error);
      },
    };
    this.#channel = openNotificationChannel(db, CHANNEL, handlers, testIntervalMs);
  }

  async close(): Promise<void> {
    this.#events.onInvalidate('all');
    await this.#channel.close();
  }

  /** Unlocks, and locks again behind the writers that wait for it. Nothing of the partition is used in between. */
  async #invalidate(session: NotificationSession, accountId: number | 'all'): Promise<void> {
    this.#events.onInvalidate(accountId);
    const affected = accountId === 'all' ? ALL_PARTITIONS : [partitionOf(accountId)];
    const locked = affected.filter((partition) => !this.#unlocked.has(partition));
    for (const partition of affected) this.#unlocked.set(partition, !locked.includes(partition));
    if (locked.length > 0) await this.#unlock(session, locked);
  }

  async #unlock(session: NotificationSession, partitions: readonly number[]): Promise<void> {
    try {
      await session.run('SELECT pg_advisory_unlock_shared(?, p) FROM unnest(?::int[]) p', [CACHE_LOCK, [...partitions]]);
      await sleep(RELOCK_DELAY_MS, undefined, { ref: false });
      await this.#lock(session, partitions);
    } catch (error) {
      session.giveUp(error);
    }
  }

  async #lock(session: NotificationSession, partitions: readonly number[]): Promise<void> {
    if (!session.isOpen()) return;
    // PostgreSQL sends the notifications of those who had the lock before it says that it is ours, so they are handled by
    // then: the entries of other accounts, which were kept, are valid.
    await session.run('SELECT pg_advisory_lock_shared(?, p) FROM unnest(?::int[]) p', [CACHE_LOCK, [...partitions]]);
    if (!session.isOpen()) return;
    // A notification that came meanwhile may have been sent after the lock was taken: its writer waits for the lock.
    const again = partitions.filter((partition) => this.#unlocked.get(partition));
    for (const partition of partitions) {
      if (this.#unlocked.get(partition) === true) this.#unlocked.set(partition, false);
      else if (this.#unlocked.delete(partition)) this.#events.onValid(partition);
    }
    if (again.length > 0) await this.#unlock(session, again);
  }
}

/** The account that a notification names. What is no id, as a server of another version may send it, is a change of all. */
function parseAccountId(payload: string | undefined): number | 'all' {
  const id = Number(payload);
  return Number.isSafeInteger(id) && id > 0 ? id : 'all';
}
