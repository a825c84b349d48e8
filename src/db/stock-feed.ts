/** Follows the stock events of accounts: one connection that listens, one poll and one read of what is new, for all streams of a process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotificationChannel, type Database, type NotificationChannel, type NotificationSession } from '@specwright/postgres';
import { inBackground, type Log } from '@specwright/server';
import type { Schemas } from '../../generated/contract.ts';
import { onStockEvents, readLastIds, readStockEvents, type EventPage, type StockEvent } from './stock-events.ts';
import { announceStreams, connectForEvents, STOCK_CHANNEL, StockNumbering } from './stock-numbers.ts';

/** How often events of servers that were killed get their numbers, and newest ids are read, in ms: what was lost, and while nothing is received. */
const POLL_INTERVAL_MS = { listening: 5000, deaf: 1000 };
/** How many events a stream has in memory at most; those of one account share them. */
const PAGE_SIZE = 100;
/** How long a stream waits for a database that does not answer, in ms, with jitter. */
const RETRY_MS = 2000;

/** As a client gets it. */
export type InventoryEvent = Schemas['InventoryEvent'];

export interface StockFeed {
  /**
   * The events of an account from now on, or after one, without an end. A stream that is given no event, or one whose successors are not
   * kept any more, begins with a `reset`; so does what is read so slowly that events are deleted before.
   *
   * @param after the id of the last event that was seen.
   */
  readonly follow: (accountId: number, after?: number) => AsyncIterableIterator<InventoryEvent>;
  /** Gives numbers to the events that were committed and have none. */
  readonly flush: () => Promise<void>;
  /** Ends all streams, and closes the connections. */
  readonly close: () => Promise<void>;
}

export interface StockFeedOptions {
  readonly log?: Pick<Log, 'info' | 'warn'>;
  readonly pollIntervalMs?: typeof POLL_INTERVAL_MS;
  /** `false` for a process that is frozen between requests: nothing is listened for, streams poll, and only `flush` gives numbers. */
  readonly background?: boolean;
  /** The connections of streams and numbers, which the feed closes; if it is not given, the feed opens a few. */
  readonly pool?: Database;
}

/** Opens a feed, and gives numbers to the events that are committed over `db`. Nothing connects before the first of them, or the first stream. */
export const openStockFeed = (db: Database, options: StockFeedOptions = {}): StockFeed => new Feed(db, options);

class Feed implements StockFeed {
  readonly #db: Database;
  readonly #numbering: StockNumbering;
  readonly #log: StockFeedOptions['log'];
  readonly #pollIntervalMs: typeof POLL_INTERVAL_MS;
  readonly #background: boolean;
  readonly #streams = new Map<number, Set<StockStream>>();
  /** What was read since the last event of an account, by what it follows: streams that are equally far share it. */
  readonly #pages = new Map<number, Map<number, Promise<EventPage>>>();
  #channel: NotificationChannel | undefined = undefined;
  #session: NotificationSession | undefined = undefined;
  #isAnnounced = false;
  #timer: NodeJS.Timeout | undefined = undefined;
  readonly #endWaking: () => void;

  constructor(db: Database, { log, pollIntervalMs = POLL_INTERVAL_MS, background = true, pool }: StockFeedOptions) {
    this.#db = pool ?? connectForEvents(db, background ? 2 : 1);
    this.#background = background;
    this.#numbering = new StockNumbering(this.#db, background);
    this.#log = log;
    this.#pollIntervalMs = pollIntervalMs;
    this.#endWaking = onStockEvents(db, () => this.#numbering.wake());
  }

  follow(accountId: number, after?: number): AsyncIterableIterator<InventoryEvent> {
    return new StockStream(this, accountId, after);
  }

  readonly flush = (): Promise<void> => this.#numbering.settle();

  async close(): Promise<void> {
    this.#endWaking();
    clearTimeout(this.#timer);
    await Promise.all([...this.#streams.values()].flatMap((ofAccount) => Array.from(ofAccount, (stream) => stream.return())));
    await Promise.all([this.#channel?.close(), this.#numbering.close()]);
    await this.#db.destroy();
  }

  add(stream: StockStream): void {
    const others = this.#streams.get(stream.accountId);
    if (others === undefined) this.#streams.set(stream.accountId, new Set([stream]));
    else others.add(stream);
    if (this.#background) this.#channel ??= this.#listen();
    inBackground(this.#announce());
    this.#schedule();
  }

  remove(stream: StockStream): void {
    const others = this.#streams.get(stream.accountId);
    if (others?.delete(stream) !== true || others.size > 0) return;
    this.#streams.delete(stream.accountId);
    this.#pages.delete(stream.accountId);
    inBackground(this.#announce());
  }

  /** A stream that begins: what was committed before has a number then. */
  async begin(accountId: number): Promise<EventPage> {
    await this.#numbering.run();
    return readStockEvents(this.#db, accountId, Number.MAX_SAFE_INTEGER, 1);
  }

  /** A page of events after one, read once for all streams that are as far. */
  read(accountId: number, after: number): Promise<EventPage> {
    const pages = this.#pages.get(accountId) ?? new Map<number, Promise<EventPage>>();
    this.#pages.set(accountId, pages);
    let page = pages.get(after);
    if (page === undefined) {
      page = readStockEvents(this.#db, accountId, after, PAGE_SIZE);
      // The streams that are the furthest behind read for themselves.
      if (pages.size >= PAGE_SIZE) pages.clear();
      pages.set(after, page);
      page.catch(() => pages.delete(after));
    }
    return page;
  }

  #wake(accountId: number, isBehind: (stream: StockStream) => boolean = () => true): void {
    const behind = [...(this.#streams.get(accountId) ?? [])].filter(isBehind);
    if (behind.length > 0) this.#pages.delete(accountId);
    for (const stream of behind) stream.wake();
  }

  /** Numbers what a server that was killed has left, and wakes the streams that have not seen the newest event. What fails is done again soon. */
  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#streams.size === 0) return;
    await this.#numbering.run().catch(() => undefined);
    for (const { accountId, lastId } of await readLastIds(this.#db, [...this.#streams.keys()]).catch(() => []))
      this.#wake(accountId, (stream) => stream.position < lastId);
    this.#schedule();
  }

  #schedule(): void {
    const interval = this.#session === undefined ? this.#pollIntervalMs.deaf : this.#pollIntervalMs.listening;
    this.#timer ??= setTimeout(() => inBackground(this.#poll()), interval).unref();
  }

  #listen(): NotificationChannel {
    return openNotificationChannel(this.#db, STOCK_CHANNEL, {
      onNotification: (accountIds) => {
        for (const accountId of accountIds.split(',')) this.#wake(Number(accountId));
      },
      onListening: async (session) => {
        this.#isAnnounced = false;
        this.#session = session;
        await this.#announce();
        this.#log?.info({}, 'listening for stock events');
      },
      onLost: (err, isFirst) => {
        this.#session = undefined;
        if (isFirst) this.#log?.warn({ err }, 'stock events are not notified: they are polled');
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

function toEvent({ id, petId, quantity, status }: StockEvent): InventoryEvent {
  if (quantity === null || status === null) return { id: String(id), event: 'removed', data: { petId } };
  return { id: String(id), event: 'changed', data: { petId, quantity, status } };
}

/** The events of an account. While nothing happens it is a promise, without a timer or a query. */
class StockStream implements AsyncIterableIterator<InventoryEvent> {
  readonly accountId: number;
  readonly #feed: Feed;
  /** The last event that was read. */
  #after: number | undefined;
  #page: readonly StockEvent[] = [];
  /** How many events of the page were given to the client. */
  #given = 0;
  #reset: InventoryEvent | undefined = undefined;
  /** Whether there may be events that were not read. */
  #isBehind = true;
  #isOpen = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(feed: Feed, accountId: number, after: number | undefined) {
    this.#feed = feed;
    this.accountId = accountId;
    this.#after = after;
  }

  get position(): number {
    return this.#after ?? 0;
  }

  wake(): void {
    this.#isBehind = true;
    this.#wake();
  }

  async next(): Promise<IteratorResult<InventoryEvent, undefined>> {
    // Before the first read, so that no event is between the two.
    const isFirst = !this.#isOpen;
    if (isFirst && !this.#isClosed) this.#feed.add(this);
    this.#isOpen = true;
    while (!this.#isClosed) {
      const value = this.#take();
      if (value !== undefined) return { done: false, value };
      if (this.#isBehind) await this.#readOn(isFirst);
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return { done: true, value: undefined };
  }

  /** Ends it, also while `next` waits. */
  async return(): Promise<IteratorResult<InventoryEvent, undefined>> {
    this.#isClosed = true;
    this.#feed.remove(this);
    this.#wake();
    return { done: true, value: undefined };
  }

  #take(): InventoryEvent | undefined {
    const reset = this.#reset;
    this.#reset = undefined;
    if (reset !== undefined) return reset;
    const event = this.#page[this.#given];
    this.#given += 1;
    return event === undefined ? undefined : toEvent(event);
  }

  /** A database that does not answer for a while cuts no stream that has begun. */
  async #readOn(isFirst: boolean): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      if (isFirst || (error as { code?: string }).code !== 'service_unavailable') throw error;
      this.#isBehind = true;
      await sleep(RETRY_MS * (0.5 + Math.random()), undefined, { ref: false });
    }
  }

  async #read(): Promise<void> {
    this.#isBehind = false;
    this.#page = [];
    this.#given = 0;
    if (this.#after === undefined) return this.#restart('started', (await this.#feed.begin(this.accountId)).lastId);
    const { lastId, events } = await this.#feed.read(this.accountId, this.#after);
    // Ids have no gaps: what is missing is deleted, or of a database as it was before it was restored.
    const after = this.#after;
    const gap = events.findIndex(({ id }, n) => id !== after + 1 + n);
    if (gap === 0 || (events.length === 0 && lastId !== after)) return this.#restart('expired', lastId);
    this.#page = gap === -1 ? events : events.slice(0, gap);
    this.#after = this.#page.at(-1)?.id ?? after;
    this.#isBehind ||= gap > 0 || events.length === PAGE_SIZE;
  }

  #restart(reason: 'started' | 'expired', lastId: number): void {
    this.#reset = { id: String(lastId), event: 'reset', data: { reason } };
    this.#after = lastId;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
