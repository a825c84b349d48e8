/** An event log: what a service writes into it in its transactions, and what the streams of an account read. */
import type { Database, Transaction } from '../connection/connect.ts';
import { afterCommit } from '../store/store-access.ts';
import type { EventItem, EventOf, ResetEvent } from './event-item.ts';
import { lastFeed, wakeFeeds } from './open-feeds.ts';

/** A stream may begin with a `reset`, so the item schema has to declare it. */
type NameFor<Item extends EventItem> = [ResetEvent] extends [Item]
  ? string
  : { error: 'the item schema has no event `reset` (ResetEvent)' };

export interface EventLog<Item extends EventItem = EventItem> {
  readonly name: string;
  /**
   * Adds events of an account, which are published when the transaction has committed. For events of one record to be in the order of its changes,
   * the transaction has locked or changed the record before.
   *
   * @param trx from `transaction`: only its commit is observed. Events of another one are published with those that follow, or polled.
   */
  readonly append: (trx: Database, accountId: number, ...events: readonly EventOf<Item>[]) => Promise<void>;
  /** Has events published that a statement of the service has inserted into `event_log_pending`. @param db the pool, or its transaction. */
  readonly publish: (db: Database) => void;
  /**
   * The events of an account from now on, or after one, without an end. What a stream begins with, and what it goes on with where events were
   * deleted or the database was restored, is a `reset`.
   *
   * @param db the pool of `openEventFeed`, which ends the stream when it is closed. @param after the id of the last event that was received.
   * @throws Error if no feed is open for `db`; AppError service_unavailable from the first `next` if the database does not answer.
   */
  readonly follow: (db: Database, accountId: number, after?: number | string) => AsyncIterableIterator<Item>;
}

/** Names are part of notifications, which are short. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * Defines a log. Nothing is connected.
 *
 * @param name of the log in the tables of `eventMigrations`: up to 40 lower-case letters, digits and `_`.
 */
export function defineEventLog<Item extends EventItem>(name: NameFor<Item>): EventLog<Item> {
  const log = name as string;
  if (!NAME.test(log)) throw new Error(`an event log cannot be called ${log}: use up to 40 lower-case letters, digits and _`);
  return {
    name: log,
    async append(trx, accountId, ...events) {
      if (events.length === 0) return;
      await trx.raw(
        `INSERT INTO event_log_pending (account_id, log, event) VALUES ${events.map(() => '(?, ?, ?)').join(', ')}`,
        events.flatMap((event) => [accountId, log, JSON.stringify(event)]),
      );
      publishSoon(trx);
    },
    publish: publishSoon,
    follow(db, accountId, after) {
      const feed = lastFeed(db);
      if (feed === undefined) throw new Error('no event feed is open for this database: call openEventFeed(db) when the service starts');
      return feed.follow(log, accountId, after === undefined ? undefined : toId(after)) as AsyncIterableIterator<Item>;
    },
  };
}

/** @returns -1, which is no event's, for what is not an id. */
function toId(after: number | string): number {
  const id = Number(after);
  return Number.isSafeInteger(id) ? id : -1;
}

/** Has events published, once what was appended is committed. */
function publishSoon(db: Database): void {
  if (db.isTransaction === true) afterCommit(db as Transaction, wakeFeeds);
  else wakeFeeds(db);
}
