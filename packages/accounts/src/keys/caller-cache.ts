/** Callers by their keys: cached while changes are received, with the last use of each key recorded. */
import type { Database } from '@specwright/postgres';
import { type Log, type LookUpLimit, type MetricSource, byLabel, createBoundedCache, inBackground } from '@specwright/server';
import { type Caller, lookUpCaller } from './find-caller.ts';
import { type InvalidationEvents, PARTITIONS, openInvalidationChannel, partitionOf } from './invalidation-channel.ts';
import { hashKeyAsText, isWellFormed } from './key-format.ts';
import { KEY_CLEANUP_INTERVAL_MS, KEY_RETENTION_DAYS, deleteEndedKeys } from './key-retention.ts';

/**
 * How long a caller is cached. It bounds how long a revoked key is accepted if the channel was lost without an error, as when
 * a network goes silent.
 */
const CACHE_TTL_MS = 5000;
/** How many callers are cached; those that have not been used for the longest time are dropped. */
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
  /** How often the channel of changes is tested, in ms; 5000 if it is not given. It is lost after two tests without an answer. */
  readonly testIntervalMs?: number;
  /** How long keys are kept once they were revoked or have expired, in days; 90 if it is not given. */
  readonly keyRetentionDays?: number;
}

export interface CallerCache {
  /**
   * As `findCaller`; a promise only if the caller is not cached.
   *
   * @param limit bounds look-ups of keys that have not been valid before: what an authenticator is given.
   * @throws AppError service_unavailable if the caller is not cached and the database does not answer.
   */
  readonly find: (key: string, limit?: LookUpLimit) => Caller | undefined | Promise<Caller | undefined>;
  /** For `metricSources` of `createServer`. */
  readonly metrics: MetricSource;
  /** Writes the uses that were collected and closes the connection of the channel. Call it before the pool is closed. */
  readonly close: () => Promise<void>;
}

interface Entry {
  readonly caller: Caller;
  /** On the clock of `performance.now()`; 0 once the caller has to be looked up again. */
  expiresAt: number;
}

interface LookUp {
  /** The accounts that were changed while it was under way. */
  readonly invalidated: Set<number | 'all'>;
}

/**
 * Opens a cache of callers, and listens for changes of accounts and keys by any server or the command line.
 *
 * A change of an account is answered only after every server has dropped the entries of that account, so a revoked key is
 * refused on its next request. Only valid keys are cached. While the channel is known to be lost nothing is cached: each request looks its key up.
 */
export function openCallerCache(db: Database, options: CallerCacheOptions = {}): CallerCache {
  const { log, ttlMs = CACHE_TTL_MS, maxEntries = MAX_ENTRIES, writeDelayMs = WRITE_DELAY_MS, testIntervalMs } = options;
  const { keyRetentionDays = KEY_RETENTION_DAYS } = options;
  const entries = createBoundedCache<Entry>(maxEntries);
  /** Key id -> account id. */
  const uses = new Map<number, number>();
  /** The partitions of accounts whose changes are received. */
  const valid = new Set<number>();
  /** Look-ups under way: one during which its account was changed may have read what was changed, so it is not cached. */
  const lookUps = new Set<LookUp>();
  const counts = { hit: 0, miss: 0 };
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const events: InvalidationEvents = {
    onInvalidate(accountId) {
      if (accountId === 'all') valid.clear();
      else valid.delete(partitionOf(accountId));
      for (const lookUp of lookUps) lookUp.invalidated.add(accountId);
      // An entry stays, as that of a key which was valid before, and has to be looked up again.
      entries.forEach((entry) => {
        if (accountId === 'all' || entry.caller.accountId === accountId) entry.expiresAt = 0;
      });
    },
    onValid: (partition) => void valid.add(partition),
    onListening: () => log?.info({}, 'listening for changes of keys'),
    onLost: (err) => log?.warn({ err }, 'changes of keys are not received: every key is looked up'),
  };
  const channel = openInvalidationChannel(db, events, testIntervalMs);

  function callerOf(entry: Entry): Caller | undefined {
    if (entry.expiresAt <= performance.now()) return undefined;
    return valid.has(partitionOf(entry.caller.accountId)) ? entry.caller : undefined;
  }

  async function lookUpAndCache(key: string, hash: string): Promise<Caller | undefined> {
    const began = performance.now();
    const lookUp: LookUp = { invalidated: new Set() };
    lookUps.add(lookUp);
    try {
      const found = await lookUpCaller(db, key);
      if (found === undefined) {
        entries.delete(hash);
        return undefined;
      }
      const { caller, expiresInMs, isUseRecorded } = found;
      if (!isUseRecorded) recordUse(caller);
      const isCurrent =
        valid.has(partitionOf(caller.accountId)) && !lookUp.invalidated.has('all') && !lookUp.invalidated.has(caller.accountId);
      // Counted from the start of the look-up: the response may have taken long.
      entries.set(hash, { caller, expiresAt: isCurrent ? began + Math.min(ttlMs, expiresInMs) : 0 });
      return caller;
    } finally {
      lookUps.delete(lookUp);
    }
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

  const cleanUp = () =>
    deleteEndedKeys(db, keyRetentionDays).catch((err: unknown) => log?.warn({ err }, 'keys that have ended could not be removed'));
  // Jitter, so that not all servers do it at once.
  const cleanup = setInterval(() => inBackground(cleanUp()), KEY_CLEANUP_INTERVAL_MS * (0.75 + Math.random() / 2)).unref();

  return {
    find(key, limit) {
      if (!isWellFormed(key)) return undefined;
      const hash = hashKeyAsText(key);
      const entry = entries.get(hash);
      const caller = entry && callerOf(entry);
      counts[caller === undefined ? 'miss' : 'hit']++;
      if (caller !== undefined) return caller;
      // A key that was valid a moment ago is no guess.
      if (entry === undefined && limit !== undefined) return limit.lookUp(() => lookUpAndCache(key, hash));
      return lookUpAndCache(key, hash);
    },
    metrics: () => [
      {
        name: 'api_key_cache_requests_total',
        help: 'Look-ups of callers by their keys: answered by the cache, or by the database.',
        type: 'counter',
        values: byLabel('result', counts),
      },
      {
        name: 'api_key_cache_receiving_changes',
        help: 'Share of accounts whose changes are received: what is not is not cached.',
        type: 'gauge',
        values: [{ value: valid.size / PARTITIONS }],
      },
    ],
    async close() {
      clearInterval(cleanup);
      clearTimeout(timer);
      await channel.close();
      await writing;
      await write();
    },
  };
}

/**
 * Records that keys were used now: at most once a minute for each, however many servers see it used. A key that another
 * transaction is changing is skipped. It is no change of the key: `version`, its ETag, stays.
 */
async function writeLastUse(db: Database, keys: readonly (readonly [keyId: number, accountId: number])[]): Promise<void> {
  await db.raw(
    // Not with a CTE: Citus (13.0) reads its rows back in another format than it has written them (22P02).
    `UPDATE api_keys SET last_used_at = now()
      WHERE (account_id, id) IN (
        SELECT k.account_id, k.id
          FROM api_keys k JOIN unnest(?::bigint[], ?::bigint[]) AS u(account_id, id) ON (k.account_id, k.id) = (u.account_id, u.id)
         WHERE k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute'
           FOR UPDATE OF k SKIP LOCKED)`,
    [keys.map(([, accountId]) => accountId), keys.map(([keyId]) => keyId)],
  );
}
