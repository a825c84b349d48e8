/** Invalidates the caches of all servers: a change of an account or a key is answered only after they have been cleared. */
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterCommit, type Database, type Transaction } from '@specwright/postgres';
import { transaction } from './store.ts';

/** PostgreSQL has separate channels for each database. */
const CHANNEL = 'account_keys';
const NOTIFY = `SELECT pg_notify('${CHANNEL}', '')`;
const LOCK_NOT_AVAILABLE = '55P03';

/** The advisory lock that a server holds in shared mode for as long as its cache is enabled. */
const CACHE_LOCK = 7_305_871_005;

/** How long a notified server waits before it locks again, in ms: the writers of changes are waiting for the lock by then. */
const RELOCK_DELAY_MS = 100;
/** How long the writer of a change waits for the lock before it notifies again, in ms, and how often. */
const LOCK_TIMEOUT_MS = 250;
const MAX_ATTEMPTS = 4;

/** How long to wait before a lost channel is opened again, in ms: doubled with each failure. */
const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5000;

/**
 * Runs `work`, which changes who may call or how much, in a transaction. Resolves after every server has cleared its cache, or
 * after a second if one does not respond: its entries expire soon. In a transaction of the caller's, its end waits for that.
 *
 * @throws AppError as `transaction` does.
 */
export async function withInvalidation<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return transaction(db, async (trx) => {
    const value = await work(trx);
    // PostgreSQL delivers it if and when the transaction commits.
    await trx.raw(NOTIFY);
    afterCommit(trx, waitForCaches);
    return value;
  });
}

async function waitForCaches(db: Database): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      await db.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        // Servers that were notified release it, and wait for it behind this transaction.
        await trx.raw('SELECT pg_advisory_xact_lock(?)', [CACHE_LOCK]);
      });
      return;
    } catch (error) {
      // The change is committed and the servers are notified: a failure to wait for them is not a failure of the change. A
      // server that locked again before this transaction waited for the lock is notified once more.
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) return;
      await db.raw(NOTIFY).catch(() => undefined);
    }
  }
}

export interface InvalidationEvents {
  /** Clear the cache, and cache nothing until `onValid`. */
  readonly onInvalidate: () => void;
  /** What is looked up from now on may be cached. */
  readonly onValid: () => void;
  /** The channel has been opened. */
  readonly onListening: () => void;
  /** The channel has been lost. Called once, not for each attempt to open it again. */
  readonly onLost: (error: unknown) => void;
}

export interface InvalidationChannel {
  /** Closes the connection and opens no other. */
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, not one of the pool, and opens another one when it is lost. Returns at once: a
 * database that does not answer yet is tried again.
 */
export function openInvalidationChannel(db: Database, events: InvalidationEvents): InvalidationChannel {
  const { onInvalidate, onValid, onListening, onLost } = events;
  const client = db.client as Knex.Client;
  let connection: EventEmitter | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reconnectDelay = MIN_RECONNECT_DELAY_MS;
  let isClosed = false;
  let isLossReported = false;
  let isInvalidating = false;
  let isNotifiedAgain = false;

  async function open(): Promise<void> {
    let opened: EventEmitter | undefined;
    try {
      opened = (await client.acquireRawConnection()) as EventEmitter;
      const current = opened;
      connection = current;
      isInvalidating = isNotifiedAgain = false;
      // An error comes before the end, or instead of it.
      for (const event of ['error', 'end']) current.on(event, (error: unknown) => handleLoss(current, error));
      current.on('notification', () => void invalidate(current));
      await db.raw(`LISTEN ${CHANNEL}`).connection(current);
      if (isClosed) return void discard(current);
      await invalidate(current);
      if (connection !== current) return;
      reconnectDelay = MIN_RECONNECT_DELAY_MS;
      isLossReported = false;
      onListening();
    } catch (error) {
      handleLoss(opened, error);
    }
  }

  /** Unlocks, and locks again behind the writers that wait for it. Nothing is cached in between. */
  async function invalidate(current: EventEmitter): Promise<void> {
    if (connection !== current) return;
    onInvalidate();
    isNotifiedAgain = isInvalidating;
    if (isInvalidating) return;
    isInvalidating = true;
    try {
      do {
        isNotifiedAgain = false;
        await db.raw('SELECT pg_advisory_unlock_all()').connection(current);
        await sleep(RELOCK_DELAY_MS, undefined, { ref: false });
        await db.raw('SELECT pg_advisory_lock_shared(?)', [CACHE_LOCK]).connection(current);
        // A notification that came meanwhile may have been sent after the lock was taken: its writer waits for the lock.
      } while (isNotifiedAgain as boolean);
      isInvalidating = false;
      if (connection === current) onValid();
    } catch (error) {
      handleLoss(current, error);
    }
  }

  function handleLoss(lost: EventEmitter | undefined, error: unknown): void {
    if (connection !== lost) return;
    connection = undefined;
    onInvalidate();
    if (lost !== undefined) void discard(lost);
    if (isClosed) return;
    if (!isLossReported) onLost(error);
    isLossReported = true;
    clearTimeout(timer);
    // Jitter, so that not all servers reconnect at the same moment.
    timer = setTimeout(() => void open(), reconnectDelay * (0.5 + Math.random() / 2)).unref();
    reconnectDelay = Math.min(reconnectDelay * 2, MAX_RECONNECT_DELAY_MS);
  }

  const discard = async (lost: EventEmitter) => {
    try {
      await client.destroyRawConnection(lost);
    } catch {
      // It was lost already.
    }
  };

  void open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      onInvalidate();
      // A connection that is still being opened is closed once it is open: a database that does not answer delays nothing.
      const last = connection;
      connection = undefined;
      if (last !== undefined) await discard(last);
    },
  };
}
