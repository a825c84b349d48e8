/** The bans that hold, in memory: a banned key is refused without asking the store. */
import type { Log } from './counter-fallback.ts';
import type { Ban } from './decision.ts';
import type { ApiKeyBan, ApiKeyRef, CounterStore } from './counter-store.ts';

/** While there are bans, how often it is looked whether one was lifted, in ms. */
const POLL_INTERVAL_MS = 1000;

export interface BanCache {
  /** The ban of a key at a moment (ms since the epoch). */
  of(key: ApiKeyRef, now: number): Ban | undefined;
  add(ban: ApiKeyBan): void;
  /** Reads the bans if they have changed since they were last read. */
  refreshIfChanged(changes: number | undefined): Promise<void>;
  close(): void;
}

const cacheKey = ({ accountId, keyId }: ApiKeyRef) => `${accountId}/${keyId}`;

export function createBanCache(store: Pick<CounterStore, 'bans'>, log: Log, now: () => number): BanCache {
  let held = new Map<string, Ban>();
  let known = -1;
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function read(): Promise<void> {
    try {
      const { changes, bans } = await store.bans();
      known = changes;
      held = new Map(bans.map((ban) => [cacheKey(ban), { until: ban.until }]));
    } catch (error) {
      // What is known goes on to hold. The fallback tells of the store, once.
      log.warn({ err: error }, 'bans of API keys could not be read');
    }
    watch();
  }

  /** Banned requests ask nobody, so that a ban was lifted has to be looked for. */
  function watch(): void {
    for (const [name, { until }] of held) if (until <= now()) held.delete(name);
    if (held.size > 0 && !closed) timer ??= setTimeout(look, POLL_INTERVAL_MS).unref();
  }

  function look(): void {
    timer = undefined;
    void readOnce();
  }

  const readOnce = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)));

  return {
    of(key, moment) {
      const ban = held.get(cacheKey(key));
      return ban !== undefined && ban.until > moment ? ban : undefined;
    },
    add(ban) {
      held.set(cacheKey(ban), { until: ban.until });
      watch();
    },
    async refreshIfChanged(changes) {
      if (changes === undefined || changes === known) return;
      // A reading that is under way may have begun before the change.
      await reading;
      if (changes !== known) await readOnce();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
