/** How servers that remember callers are told to forget, so surely that a change is answered only once they have. */
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database, Transaction } from '@specwright/postgres';
import { transaction } from './store.ts';

/** PostgreSQL keeps the channels of its databases apart. */
const CHANNEL = 'account_keys';
const TELL = `SELECT pg_notify('${CHANNEL}', '')`;
const LOCK_NOT_AVAILABLE = '55P03';

/** The advisory lock that a server holds, shared, for as long as it believes what it remembers. */
const BELIEF = 7_305_871_005;

/** How long a server that has heard stays in doubt before it stands in the queue, in ms: until those who told wait there. */
const DOUBT = 100;
/** How long who made a change waits for the others before it tells them again, in ms, and how often it does. */
const PATIENCE = 250;
const MAX_TIMES = 4;

/** How long to wait before the channel is opened again, in ms: doubled from the first to the last while it fails. */
const FIRST_WAIT = 100;
const LAST_WAIT = 5000;

/**
 * Runs `work` in a transaction that changes who may call, or how much. Returns once no server believes what was so before;
 * after a second at the most, for one may have gone silent: what it remembers ends soon.
 *
 * @throws AppError as `transaction` does.
 */
export async function announced<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const result = await transaction(db, async (trx) => {
    const done = await work(trx);
    // PostgreSQL sends it when the transaction commits, and only then.
    await trx.raw(TELL);
    return done;
  });
  for (let times = 1; times <= MAX_TIMES; times++) {
    try {
      await db.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${PATIENCE}`);
        // Servers that have heard let go of it; those that take it again stand behind this in the queue.
        await trx.raw('SELECT pg_advisory_xact_lock(?)', [BELIEF]);
      });
      break;
    } catch (error) {
      // It is done, and told: if it cannot be waited for, that is no failure. A server that was quick to hear, and has
      // taken the lock again before this stood in the queue, is told once more.
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) break;
      await db.raw(TELL).catch(() => undefined);
    }
  }
  return result;
}

export interface ChannelEvents {
  /** From now on nothing that was remembered is to be believed, and nothing to be remembered. @param error why, if the channel is lost. */
  readonly onDoubt: (error?: unknown) => void;
  /** From now on what is looked up may be remembered. */
  readonly onBelief: () => void;
  /** The channel stands, or is lost: told once, not at each attempt. @param error why, if it is known. */
  readonly onListening: (isListening: boolean, error?: unknown) => void;
}

export interface Channel {
  /** Closes the connection and opens no other. */
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, outside the pool, and opens another whenever that one is lost. Returns at once:
 * a database that is not there yet is waited for.
 */
export function openChannel(db: Database, { onDoubt, onBelief, onListening }: ChannelEvents): Channel {
  const client = db.client as Knex.Client;
  let connection: EventEmitter | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wait = FIRST_WAIT;
  let isClosed = false;
  let isLossTold = false;
  let isRenewing = false;
  let isHeardAgain = false;

  async function open(): Promise<void> {
    let opened: EventEmitter | undefined;
    try {
      opened = (await client.acquireRawConnection()) as EventEmitter;
      const current = opened;
      connection = current;
      isRenewing = isHeardAgain = false;
      // An error comes before the end, or instead of it.
      for (const event of ['error', 'end']) current.on(event, (error: unknown) => lost(current, error));
      current.on('notification', () => void renew(current));
      await db.raw(`LISTEN ${CHANNEL}`).connection(current);
      if (isClosed) return void discard(current);
      await renew(current);
      if (connection !== current) return;
      wait = FIRST_WAIT;
      isLossTold = false;
      onListening(true);
    } catch (error) {
      lost(opened, error);
    }
  }

  /** Lets go of the lock, and takes it again behind whoever waits for that. Until then nothing is believed. */
  async function renew(current: EventEmitter): Promise<void> {
    if (connection !== current) return;
    onDoubt();
    isHeardAgain = isRenewing;
    if (isRenewing) return;
    isRenewing = true;
    try {
      do {
        isHeardAgain = false;
        await db.raw('SELECT pg_advisory_unlock_all()').connection(current);
        await sleep(DOUBT, undefined, { ref: false });
        await db.raw('SELECT pg_advisory_lock_shared(?)', [BELIEF]).connection(current);
        // One that was heard meanwhile may have come after the lock was taken: its sender waits for it.
      } while (isHeardAgain as boolean);
      isRenewing = false;
      if (connection === current) onBelief();
    } catch (error) {
      lost(current, error);
    }
  }

  function lost(which: EventEmitter | undefined, error: unknown): void {
    if (connection !== which) return;
    connection = undefined;
    onDoubt();
    if (which !== undefined) void discard(which);
    if (isClosed) return;
    if (!isLossTold) onListening(false, error);
    isLossTold = true;
    clearTimeout(timer);
    // Jitter, so that not all servers come back in the same moment.
    timer = setTimeout(() => void open(), wait * (0.5 + Math.random() / 2)).unref();
    wait = Math.min(wait * 2, LAST_WAIT);
  }

  const discard = async (which: EventEmitter) => {
    try {
      await client.destroyRawConnection(which);
    } catch {
      // It was lost: there is nobody to say goodbye to.
    }
  };

  void open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      onDoubt();
      // One that is only being opened is closed once it is: a database that does not answer holds nobody up.
      const last = connection;
      connection = undefined;
      if (last !== undefined) await discard(last);
    },
  };
}
