/** The events of an account's log, for one client. While nothing happens it is a promise, without a timer or a query. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventItem, ResetEvent } from './event-item.ts';
import type { EventPage, PublishedEvent } from './read-events.ts';

/** How many events a stream has in memory at most; those of one log of an account share them. */
export const PAGE_SIZE = 100;
/** How long a stream waits for a database that does not answer, in ms, with jitter. */
const RETRY_MS = 2000;

/** What a stream reads. */
export interface EventSource {
  readonly add: (stream: EventStream) => void;
  readonly remove: (stream: EventStream) => void;
  /** The id of the newest event, once all that are committed are published. */
  readonly begin: (stream: EventStream) => Promise<number>;
  /** A page of events after one. */
  readonly read: (stream: EventStream, after: number) => Promise<EventPage>;
}

export class EventStream implements AsyncIterableIterator<EventItem> {
  readonly log: string;
  readonly accountId: number;
  readonly #source: EventSource;
  /** The last event that was read. */
  #after: number | undefined;
  #page: readonly PublishedEvent[] = [];
  /** How many events of the page were given to the client. */
  #given = 0;
  #reset: ResetEvent | undefined = undefined;
  /** Whether there may be events that were not read. */
  #isBehind = true;
  #isOpen = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(source: EventSource, log: string, accountId: number, after: number | undefined) {
    this.#source = source;
    this.log = log;
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

  async next(): Promise<IteratorResult<EventItem, undefined>> {
    // Before the first read, so that no event is between the two.
    const isFirst = !this.#isOpen;
    if (isFirst && !this.#isClosed) this.#source.add(this);
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
  async return(): Promise<IteratorResult<EventItem, undefined>> {
    this.#isClosed = true;
    this.#source.remove(this);
    this.#wake();
    return { done: true, value: undefined };
  }

  #take(): EventItem | undefined {
    const reset = this.#reset;
    this.#reset = undefined;
    if (reset !== undefined) return reset;
    const next = this.#page[this.#given];
    this.#given += 1;
    // A copy: streams share the page.
    return next === undefined ? undefined : ({ id: String(next.id), ...next.event } as EventItem);
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
    if (this.#after === undefined) return this.#restart('started', await this.#source.begin(this));
    const { lastId, events } = await this.#source.read(this, this.#after);
    // Each event names the one before it: what is missing is deleted, or of a database as it was before it was restored.
    let after = this.#after;
    const gap = events.findIndex(({ id, previousId }) => {
      const isNext = previousId === after;
      if (isNext) after = id;
      return !isNext;
    });
    if (gap === 0 || (events.length === 0 && lastId !== after)) return this.#restart('expired', lastId);
    this.#page = gap === -1 ? events : events.slice(0, gap);
    this.#after = after;
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
