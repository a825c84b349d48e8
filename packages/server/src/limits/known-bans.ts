/** The bans of API keys as this process knows them: read from the store when they have changed, and made by refusals that it is told of. */
import { inBackground } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import type { ApiKeyBan, ApiKeyRef, Ban, CounterStore } from './counters/counter-store.ts';

const POLL_INTERVAL_MS = 1000;

export interface KnownBansOptions {
  readonly store: Pick<CounterStore, 'bans' | 'recordRefusal'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
}

/** A refusal by the store. Moments of this process are on the clock of `performance.now()`, in ms; those of the store in ms since the epoch. */
interface StoreRefusal {
  readonly arrivedAt: number;
  /** When the client was certainly told of earlier refusals (`Refusal`). */
  readonly sentAfter: number | undefined;
  /** When the store was asked, and what its clock said. */
  readonly sentAt: number;
  readonly now: number;
  readonly retryAfter: number;
  readonly limit: number;
}

const nameOf = ({ accountId, keyId }: ApiKeyRef) => `${accountId}/${keyId}`;

export class KnownBans {
  /** By account and key. Empty on nearly every server, which is looked at before a key is. */
  active = new Map<string, Ban>();
  /** The number of changes when the bans were last read: another one in an answer of the store says that they have changed. */
  changes = -1;
  readonly #store: KnownBansOptions['store'];
  readonly #log: KnownBansOptions['log'];
  readonly #now: () => number;
  readonly #storeClock = createStoreClock();
  #readAt = -Infinity;
  #reading: Promise<void> | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #isClosed = false;

  constructor({ store, log, now }: KnownBansOptions) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
  }

  /** @param moment ms since the epoch. */
  of(key: ApiKeyRef | undefined, moment: number): Ban | undefined {
    const ban = key && this.active.get(nameOf(key));
    return ban !== undefined && ban.until > moment ? ban : undefined;
  }

  /** @param changes of an answer of the store; `undefined` says nothing. */
  async refreshIfChanged(changes: number | undefined): Promise<void> {
    if (changes === undefined || changes === this.changes) return;
    // A read that is under way may have begun before the change.
    await this.#reading;
    if (changes !== this.changes) await this.#readOnce();
  }

  /** Never rejects: a known ban stays in force while the store does not answer. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readAt > POLL_INTERVAL_MS) await this.#readOnce();
  }

  /** @returns the ban, if the key has one now. Never rejects: the request is refused anyway, and that it came early is not remembered. */
  async recordRefusal(key: ApiKeyRef, { arrivedAt, sentAfter, sentAt, now, retryAfter, limit }: StoreRefusal): Promise<Ban | undefined> {
    const clock = this.#storeClock;
    clock.observe(now, sentAt);
    const [arrived, sent] = [clock.at(arrivedAt), clock.at(sentAfter ?? arrivedAt)];
    const refusal = { arrivedAt: arrived, sentAfter: sent, refusedAt: now, retryAt: now + retryAfter * 1000, limit };
    try {
      const ban = await this.#store.recordRefusal(key, refusal);
      if (ban !== undefined) this.#add(ban);
      return ban;
    } catch (error) {
      this.#log.warn({ err: error }, 'a strike could not be stored');
      return undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #add(ban: ApiKeyBan): void {
    this.active.set(nameOf(ban), { until: ban.until });
    this.#schedulePoll();
  }

  #readOnce(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    try {
      const { changes, bans } = await this.#store.bans();
      this.changes = changes;
      this.#readAt = performance.now();
      this.active = new Map(bans.map((ban) => [nameOf(ban), { until: ban.until }]));
    } catch (error) {
      // The known bans stay in force. The fallback logs the outage, once.
      this.#log.warn({ err: error }, 'bans of API keys could not be read');
    }
    this.#schedulePoll();
  }

  /** Requests of banned keys do not reach the store, so lifted bans have to be polled. */
  #schedulePoll(): void {
    const now = this.#now();
    for (const [key, { until }] of this.active) if (until <= now) this.active.delete(key);
    if (this.active.size > 0 && !this.#isClosed) this.#timer ??= setTimeout(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  #poll(): void {
    this.#timer = undefined;
    inBackground(this.#readOnce(), this.#log);
  }
}

/** Moments of this process by the store's clock, so that those of several processes can be compared. */
function createStoreClock() {
  let offset: number | undefined;
  return {
    /**
     * Notes that the store's clock was `storeNow` (ms since the epoch) at some time between `sentAt`, on the clock of
     * `performance.now()`, and this moment.
     *
     * The offset is changed only as far as what is observed demands: two moments of this process keep their distance, and a
     * moment after an answer is never before what the store said then.
     */
    observe(storeNow: number, sentAt: number): void {
      const least = storeNow - performance.now();
      const most = storeNow - sentAt;
      offset = Math.min(Math.max(offset ?? least, least), most);
    },

    /** @param moment on the clock of `performance.now()`. @returns ms since the epoch. */
    at: (moment: number): number => moment + (offset ?? performance.timeOrigin),
  };
}
