/** Follows the stock events of accounts: one connection that listens, and one poll, for all streams of a process. */
import { openNotificationChannel, type Database, type NotificationChannel } from '@specwright/postgres';
import { inBackground, type Log } from '@specwright/server';
import type { Schemas } from '../../generated/contract.ts';
import { readLastIds, readStockEvents, STOCK_CHANNEL, type StockEvent } from './stock-events.ts';

/** How often the newest ids of the accounts with streams are read, in ms: in case a notification was lost, and while none are received. */
const POLL_INTERVAL_MS = { listening: 10_000, deaf: 1000 };
/** How many events a stream has in memory at most. */
const PAGE_SIZE = 100;

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
  /** Ends all streams, and closes the connection. */
  readonly close: () => Promise<void>;
}

export interface StockFeedOptions {
  readonly log?: Pick<Log, 'info' | 'warn'>;
  readonly pollIntervalMs?: typeof POLL_INTERVAL_MS;
}

/** Opens a feed. Nothing connects before the first stream. */
export function openStockFeed(db: Database, options: StockFeedOptions = {}): StockFeed {
  const { log, pollIntervalMs = POLL_INTERVAL_MS } = options;
  const streams = new Map<number, Set<StockStream>>();
  let channel: NotificationChannel | undefined;
  let isListening = false;
  let timer: NodeJS.Timeout | undefined;

  /** Wakes the streams that have not seen the newest event. What fails is done again soon. */
  async function poll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (streams.size === 0) return;
    for (const { accountId, lastId } of await readLastIds(db, [...streams.keys()]).catch(() => []))
      for (const stream of streams.get(accountId) ?? []) if (stream.position < lastId) stream.wake();
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => inBackground(poll()), isListening ? pollIntervalMs.listening : pollIntervalMs.deaf).unref();
  }

  const listen = () =>
    openNotificationChannel(db, STOCK_CHANNEL, {
      onNotification(accountId) {
        for (const stream of streams.get(Number(accountId)) ?? []) stream.wake();
      },
      onListening() {
        isListening = true;
        log?.info({}, 'listening for stock events');
        // What was committed before is not notified.
        inBackground(poll());
      },
      onLost(err, isFirst) {
        isListening = false;
        if (isFirst) log?.warn({ err }, 'stock events are not notified: they are polled');
        inBackground(poll());
      },
    });

  function add(stream: StockStream): void {
    const others = streams.get(stream.accountId);
    if (others === undefined) streams.set(stream.accountId, new Set([stream]));
    else others.add(stream);
    channel ??= listen();
    schedule();
  }

  function remove(stream: StockStream): void {
    const others = streams.get(stream.accountId);
    if (others?.delete(stream) === true && others.size === 0) streams.delete(stream.accountId);
  }

  return {
    follow: (accountId, after) => new StockStream(db, accountId, after, { add, remove }),
    async close() {
      clearTimeout(timer);
      await Promise.all([...streams.values()].flatMap((ofAccount) => Array.from(ofAccount, (stream) => stream.return())));
      await channel?.close();
    },
  };
}

function toEvent({ id, petId, quantity, status }: StockEvent): InventoryEvent {
  if (quantity === null || status === null) return { id: String(id), event: 'removed', data: { petId } };
  return { id: String(id), event: 'changed', data: { petId, quantity, status } };
}

interface Streams {
  readonly add: (stream: StockStream) => void;
  readonly remove: (stream: StockStream) => void;
}

/** The events of an account. While nothing happens it is a promise, without a timer or a query. */
class StockStream implements AsyncIterableIterator<InventoryEvent> {
  readonly accountId: number;
  readonly #db: Database;
  readonly #streams: Streams;
  /** The last event that was read. */
  #after: number | undefined;
  #page: InventoryEvent[] = [];
  /** Whether there may be events that were not read. */
  #isBehind = true;
  #isOpen = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(db: Database, accountId: number, after: number | undefined, streams: Streams) {
    this.#db = db;
    this.accountId = accountId;
    this.#after = after;
    this.#streams = streams;
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
    if (!this.#isOpen && !this.#isClosed) this.#streams.add(this);
    this.#isOpen = true;
    while (!this.#isClosed) {
      const value = this.#page.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#isBehind) await this.#read();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return { done: true, value: undefined };
  }

  /** Ends it, also while `next` waits. */
  async return(): Promise<IteratorResult<InventoryEvent, undefined>> {
    this.#isClosed = true;
    this.#streams.remove(this);
    this.#wake();
    return { done: true, value: undefined };
  }

  async #read(): Promise<void> {
    this.#isBehind = false;
    const after = this.#after ?? Number.MAX_SAFE_INTEGER;
    const { lastId, events } = await readStockEvents(this.#db, this.accountId, after, PAGE_SIZE);
    // Ids have no gaps: what is missing is deleted. An id that was not given yet is of a database as it was before it was restored.
    const next = events[0]?.id ?? lastId + 1;
    if (next !== after + 1) {
      this.#page = [{ id: String(lastId), event: 'reset', data: { reason: this.#after === undefined ? 'started' : 'expired' } }];
      this.#after = lastId;
      return;
    }
    this.#page = events.map(toEvent);
    this.#after = events.at(-1)?.id ?? after;
    this.#isBehind ||= events.length === PAGE_SIZE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
