/** A cache of the bans in force, so that a banned key is refused without asking the store. */
import type { Log } from '../ops/log/logger.ts';
import type { Ban } from './decision.ts';
import type { ApiKeyBan, ApiKeyRef, CounterStore } from './counters/counter-store.ts';
import { inBackground } from '@specwright/contract';

/** How often the store is asked whether a ban was lifted, while there are bans. */
const POLL_INTERVAL_MS = 1000;

export interface BanCache {
  /** The ban of a key at a moment (ms since the epoch). */
  get(key: ApiKeyRef, now: number): Ban | undefined;
  add(ban: ApiKeyBan): void;
  /** Whether `changes` is the number that was last read; `undefined` says nothing. */
  isCurrent(changes: number | undefined): boolean;
  /** Reads the bans again if `changes` is not the number that was last read. */
  refreshIfChanged(changes: number | undefined): Promise<void>;
  close(): void;
}

const cacheKey = ({ accountId, keyId }: ApiKeyRef) => `${accountId}/${keyId}`;

export function createBanCache(store: Pick<CounterStore, 'bans'>, log: Pick<Log, 'warn' | 'error'>, now: () => number): BanCache {
  let cache = new Map<string, Ban>();
  let lastChanges = -1;
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function read(): Promise<void> {
    try {
      const { changes, bans } = await store.bans();
      lastChanges = changes;
      cache = new Map(bans.map((ban) => [cacheKey(ban), { until: ban.until }]));
    } catch (error) {
      // The cached bans stay in force. The fallback logs the outage, once.
      log.warn({ err: error }, 'bans of API keys could not be read');
    }
    schedulePoll();
  }

  /** Requests of banned keys do not reach the store, so lifted bans have to be polled. */
  function schedulePoll(): void {
    for (const [key, { until }] of cache) if (until <= now()) cache.delete(key);
    if (cache.size > 0 && !closed) timer ??= setTimeout(poll, POLL_INTERVAL_MS).unref();
  }

  function poll(): void {
    timer = undefined;
    inBackground(readOnce(), log);
  }

  const readOnce = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)));

  return {
    get(key, moment) {
      if (cache.size === 0) return undefined;
      const ban = cache.get(cacheKey(key));
      return ban !== undefined && ban.until > moment ? ban : undefined;
    },
    add(ban) {
      cache.set(cacheKey(ban), { until: ban.until });
      schedulePoll();
    },
    isCurrent: (changes) => changes === undefined || changes === lastChanges,
    async refreshIfChanged(changes) {
      if (changes === undefined || changes === lastChanges) return;
      // A read that is under way may have begun before the change.
      await reading;
      if (changes !== lastChanges) await readOnce();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
