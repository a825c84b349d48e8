/** Follows the event logs of accounts: one connection that listens, one poll and one read of what is new, for all streams of a process. */
import { counter, gauge, inBackground, repeatInBackground, type Metric } from '@specwright/contract/runtime';
import { connect, connectOptions, type Database } from '../connection/connect.ts';
import { openNotificationChannel, type NotificationChannel, type NotificationSession } from '../connection/notification-channel.ts';
import type { EventItem } from './event-item.ts';
import { EventStream, PAGE_SIZE, type EventSource } from './event-stream.ts';
import { addFeed, type OpenFeed } from './open-feeds.ts';
import { announceStreams, CHANNEL, EventPublication, keyOf } from './publish.ts';
import { EventPublisher } from './publisher.ts';
import { deleteOldEvents, readEvents, readLastIds, readPendingAge, type EventPage } from './read-events.ts';

/** How often events of servers that were killed are published, and newest ids are read, in ms: what was lost, and while nothing is received. */
const POLL_INTERVAL_MS = { listening: 5000, polling: 1000 };
const RETENTION_HOURS = 24;
const HOUR_MS = 3_600_000;

/** One of `createServer`'s parts. */
export interface EventFeed {
  readonly metrics: () => Promise<Metric[]>;
  /** Publishes the events that were committed and are not published: for a process that is frozen between requests. */
  readonly flush: () => Promise<void>;
  /** Ends all streams, and closes the connections. */
  readonly close: () => Promise<void>;
}

export interface EventFeedOptions {
  readonly log?: {
    readonly info: (fields: object, message: string) => void;
    readonly warn: (fields: object, message: string) => void;
  };
  /** How long events are kept for clients that connect again, in hours; 24 if it is not given. */
  readonly retentionHours?: number;
  /** `false` for a process that is frozen between requests: nothing is listened for or deleted, streams poll, and only `flush` publishes. */
  readonly background?: boolean;
  /** For tests. */
  readonly pollIntervalMs?: typeof POLL_INTERVAL_MS;
  /** The connections of the feed, which it closes; if it is not given, it opens one or two. */
  readonly pool?: Database;
}

/**
 * Opens the feed of a pool: it publishes the events that are appended over `db`, by any log, and is what `follow` of the logs reads. Nothing
 * connects before the first of them, or the first stream.
 */
export const openEventFeed = (db: Database, options: EventFeedOptions = {}): EventFeed => new Feed(db, options);

/** A pool for streams and publishing, so that neither requests wait for them nor they for requests. */
export const connectForEvents = (db: Database, size: number): Database => {
  const { name = 'specwright', ...options } = connectOptions(db);
  return connect({ ...options, name: `${name} events`, pool: size });
};

/** Publishes, once, what is committed by now: for commands and tests. @throws AppError service_unavailable. */
export async function publishEvents(db: Database): Promise<void> {
  await new EventPublication(db).publish();
}

class Feed implements EventFeed, EventSource, OpenFeed {
  readonly #db: Database;
  readonly publisher: EventPublisher;
  readonly #log: EventFeedOptions['log'];
  readonly #pollIntervalMs: typeof POLL_INTERVAL_MS;
  readonly #background: boolean;
  /** By `keyOf`. */
  readonly #streams = new Map<string, Set<EventStream>>();
  /** How many streams each log has. */
  readonly #counts = new Map<string, number>();
  /** What was read since the last event of a log of an account, by what it follows: streams that are equally far share it. */
  readonly #pages = new Map<string, Map<number, Promise<EventPage>>>();
  #channel: NotificationChannel | undefined = undefined;
  #session: NotificationSession | undefined = undefined;
  #isAnnounced = false;
  #timer: NodeJS.Timeout | undefined = undefined;
  readonly #endCleaning: (() => void) | undefined;
  readonly #endWaking: () => void;

  constructor(db: Database, options: EventFeedOptions) {
    const { log, pollIntervalMs = POLL_INTERVAL_MS, background = true, pool, retentionHours = RETENTION_HOURS } = options;
    this.#db = pool ?? connectForEvents(db, background ? 2 : 1);
    this.#background = background;
    this.publisher = new EventPublisher(this.#db, background);
    this.#log = log;
    this.#pollIntervalMs = pollIntervalMs;
    this.#endCleaning = background ? this.#startCleaning(retentionHours) : undefined;
    this.#endWaking = addFeed(db, this);
  }

  follow(log: string, accountId: number, after: number | undefined): AsyncIterableIterator<EventItem> {
    return new EventStream(this, log, accountId, after);
  }

  readonly flush = (): Promise<void> => this.publisher.flush();

  readonly metrics = async (): Promise<Metric[]> => [
    gauge(
      'event_log_streams',
      'Streams of this process that follow an event log.',
      Array.from(this.#counts, ([log, value]) => ({ labels: { log }, value })),
    ),
    gauge(
      'event_log_listening',
      'Whether notifications of new events arrive: 0 if streams poll, or if there are none.',
      Number(this.#session !== undefined),
    ),
    counter('event_log_published_total', 'Events that this process has published.', this.publisher.published),
    gauge(
      'event_log_pending_age_seconds',
      'How long the oldest committed event has waited to be published.',
      await readPendingAge(this.#db),
    ),
  ];

  async close(): Promise<void> {
    this.#endWaking();
    clearTimeout(this.#timer);
    this.#endCleaning?.();
    await Promise.all([...this.#streams.values()].flatMap((ofKey) => Array.from(ofKey, (stream) => stream.return())));
    await Promise.all([this.#channel?.close(), this.publisher.close()]);
    await this.#db.destroy();
  }

  add(stream: EventStream): void {
    const key = keyOf(stream.log, stream.accountId);
    const others = this.#streams.get(key);
    this.#count(stream, 1);
    if (others === undefined) this.#streams.set(key, new Set([stream]));
    else others.add(stream);
    if (this.#background) this.#channel ??= this.#listen();
    inBackground(this.#announce());
    this.#schedule();
  }

  remove(stream: EventStream): void {
    const key = keyOf(stream.log, stream.accountId);
    const others = this.#streams.get(key);
    if (others?.delete(stream) !== true) return;
    this.#count(stream, -1);
    if (others.size > 0) return;
    this.#streams.delete(key);
    this.#pages.delete(key);
    inBackground(this.#announce());
  }

  #count({ log }: EventStream, change: number): void {
    this.#counts.set(log, (this.#counts.get(log) ?? 0) + change);
  }

  async begin({ log, accountId }: EventStream): Promise<number> {
    await this.publisher.run();
    return (await readEvents(this.#db, log, accountId, Number.MAX_SAFE_INTEGER, 1)).lastId;
  }

  /** Read once for all streams that are as far. */
  read({ log, accountId }: EventStream, after: number): Promise<EventPage> {
    const key = keyOf(log, accountId);
    const pages = this.#pages.get(key) ?? new Map<number, Promise<EventPage>>();
    this.#pages.set(key, pages);
    let page = pages.get(after);
    if (page === undefined) {
      page = readEvents(this.#db, log, accountId, after, PAGE_SIZE);
      // The streams that are the furthest behind read for themselves.
      if (pages.size >= PAGE_SIZE) pages.clear();
      pages.set(after, page);
      page.catch(() => pages.delete(after));
    }
    return page;
  }

  #wake(key: string, isBehind: (stream: EventStream) => boolean = () => true): void {
    const behind = [...(this.#streams.get(key) ?? [])].filter(isBehind);
    if (behind.length > 0) this.#pages.delete(key);
    for (const stream of behind) stream.wake();
  }

  /**
   * Publishes what a server that was killed has left, and wakes the streams that are not at the newest event: of a database that was restored
   * they may be behind it. What fails is done again soon.
   */
  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#streams.size === 0) return;
    await this.publisher.run().catch(() => undefined);
    const accountIds = new Set([...this.#streams.values()].flatMap((ofKey) => Array.from(ofKey, ({ accountId }) => accountId)));
    const found = await readLastIds(this.#db, [...accountIds]).catch(() => undefined);
    if (found !== undefined) {
      const lastIds = new Map(found.map(({ log, accountId, lastId }) => [keyOf(log, accountId), lastId]));
      for (const key of this.#streams.keys()) this.#wake(key, ({ position }) => position !== (lastIds.get(key) ?? 0));
    }
    this.#schedule();
  }

  #schedule(): void {
    const interval = this.#session === undefined ? this.#pollIntervalMs.polling : this.#pollIntervalMs.listening;
    this.#timer ??= setTimeout(() => inBackground(this.#poll()), interval).unref();
  }

  #startCleaning(hours: number): () => void {
    const warn = (err: unknown) => this.#log?.warn({ err }, 'old events could not be deleted');
    return repeatInBackground(() => deleteOldEvents(this.#db, hours).catch(warn), HOUR_MS);
  }

  #listen(): NotificationChannel {
    return openNotificationChannel(this.#db, CHANNEL, {
      onNotification: (keys) => keys.split(',').forEach((key) => this.#wake(key)),
      onListening: async (session) => {
        this.#isAnnounced = false;
        this.#session = session;
        await this.#announce();
        this.#log?.info({}, 'listening for events');
      },
      onLost: (err, isFirst) => {
        this.#session = undefined;
        if (isFirst) this.#log?.warn({ err }, 'events are not notified: they are polled');
        inBackground(this.#poll());
      },
    });
  }

  /** Servers notify while somebody has a stream. */
  async #announce(): Promise<void> {
    const session = this.#session;
    const some = this.#streams.size > 0;
    if (session === undefined || this.#isAnnounced === some) return;
    this.#isAnnounced = some;
    await session.run(...announceStreams(some)).catch((error: unknown) => session.giveUp(error));
    // What was committed before is not notified.
    if (some) inBackground(this.#poll());
  }
}
