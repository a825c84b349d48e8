/** Callers by their keys: cached while changes are received, with the last use of each key recorded. */
import type { Database } from '@specwright/postgres';
import { setBounded, type Log } from '@specwright/server';
import { lookUpCaller, type Caller, type CallerLookup } from './find-caller.ts';
import { openInvalidationChannel } from './invalidation-channel.ts';
import { hashKey, isWellFormed } from './key-format.ts';
import { writeLastUse } from './last-use.ts';

/**
 * How long a caller is cached. It bounds how long a revoked key is accepted if the channel was lost without an error, as when
 * a network goes silent.
 */
const CACHE_TTL_MS = 5000;
/** How many callers are cached; the one that was cached first is dropped. */
const MAX_ENTRIES = 10_000;
/** How long uses of keys are collected before they are written. */
const WRITE_DELAY_MS = 1000;

export interface CallerCacheOptions {
  /** Gets a line when changes are received, when they no longer are, and when the last use of keys could not be written. */
  readonly log?: Pick<Log, 'info' | 'warn'>;
  /** How long a caller is cached, in ms; 5000 if it is not given. */
  readonly ttlMs?: number;
  /** How many callers are cached; 10,000 if it is not given. */
  readonly maxEntries?: number;
  /** How long uses of keys are collected before they are written, in ms; 1000 if it is not given. */
  readonly writeDelayMs?: number;
}

export interface CallerCache {
  /** As `findCaller`. @throws AppError service_unavailable if the caller is not cached and the database does not answer. */
  readonly find: (key: string) => Promise<Caller | undefined>;
  /** Writes the uses that were collected and closes the connection of the channel. Call it before the pool is closed. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a cache of callers, and listens for changes of accounts and keys by any server or the command line.
 *
 * A change is answered only after every server has cleared its cache, so a revoked key is refused on its next request. Only
 * valid keys are cached. While the channel is known to be lost nothing is cached: each request looks its key up.
 */
export function openCallerCache(db: Database, options: CallerCacheOptions = {}): CallerCache {
  const { log, ttlMs = CACHE_TTL_MS, maxEntries = MAX_ENTRIES, writeDelayMs = WRITE_DELAY_MS } = options;
  // By hash, so that no key stays in memory longer than its request.
  const entries = new Map<string, { caller: Caller; expiresAt: number }>();
  /** Key id -> account id. */
  const uses = new Map<number, number>();
  let cacheEnabled = false;
  // A look-up that began before an invalidation may have read what was changed: its result is not cached.
  let invalidations = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const channel = openInvalidationChannel(db, {
    onInvalidate() {
      cacheEnabled = false;
      invalidations++;
      entries.clear();
    },
    onValid: () => void (cacheEnabled = true),
    onListening: () => log?.info({}, 'listening for changes of keys'),
    onLost: (err) => log?.warn({ err }, 'changes of keys are not received: every key is looked up'),
  });

  function cache(hash: string, { caller, expiresInMs }: CallerLookup): void {
    setBounded(entries, hash, { caller, expiresAt: performance.now() + Math.min(ttlMs, expiresInMs) }, maxEntries);
  }

  async function write(): Promise<void> {
    const keys = [...uses];
    uses.clear();
    if (keys.length === 0) return;
    await writeLastUse(db, keys).catch((err: unknown) => log?.warn({ err }, 'the last use of keys could not be written'));
  }

  function recordUse({ keyId, accountId }: Caller): void {
    uses.set(keyId, accountId);
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = write();
    }, writeDelayMs).unref();
  }

  return {
    async find(key) {
      if (!isWellFormed(key)) return undefined;
      const hash = hashKey(key).toString('base64');
      const entry = entries.get(hash);
      if (entry !== undefined && entry.expiresAt > performance.now()) return entry.caller;
      const invalidationsBefore = invalidations;
      const began = performance.now();
      const lookup = await lookUpCaller(db, key);
      if (lookup === undefined) return undefined;
      if (!lookup.isUseRecorded) recordUse(lookup.caller);
      // Counted from the start of the look-up: the response may have taken long.
      const expiresInMs = lookup.expiresInMs - (performance.now() - began);
      if (cacheEnabled && invalidations === invalidationsBefore) cache(hash, { ...lookup, expiresInMs });
      return lookup.caller;
    },
    async close() {
      clearTimeout(timer);
      await channel.close();
      await writing;
      await write();
    },
  };
}
