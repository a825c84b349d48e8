/** Callers by their keys: cached while changes are received, with the last use of each key recorded. */
import { hash } from 'node:crypto';
import type { Database } from '@specwright/postgres';
import {
  type BoundedCache,
  type Log,
  type LookUpLimit,
  type MetricSource,
  byLabel,
  counter,
  gauge,
  checkPause,
  createBoundedCache,
  repeatInBackground,
} from '@specwright/server';
import { type Caller, lookUpCaller } from './find-caller.ts';
import {
  type InvalidationChannel,
  type InvalidationEvents,
  PARTITIONS,
  openInvalidationChannel,
  partitionOf,
  unheardChanges,
} from './invalidation-channel.ts';
import { isWellFormed } from './key-format.ts';
import { KEY_CLEANUP_INTERVAL_MS, KEY_RETENTION_DAYS, deleteEndedKeys } from './key-retention.ts';

/**
 * How long a caller is cached. It bounds how long a revoked key is accepted if the channel was lost without an error, as when
 * a network goes silent.
 */
const CACHE_TTL_MS = 5000;
/** Where changes are not listened for: so long a revoked key is accepted. */
const UNHEARD_TTL_MS = 1000;
/** How many callers are cached; those that have not been used for the longest time are dropped. */
const MAX_ENTRIES = 10_000;
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
  /**
   * `false` for a process that is frozen between requests: it neither listens for changes nor deletes keys beside requests, and a caller is cached
   * for 1000 ms if `ttlMs` is not given, so that a revoked key is accepted for as long.
   */
  readonly background?: boolean;
  /** How often the channel of changes is tested, in ms; 5000 if it is not given. It is lost after two tests without an answer. */
  readonly testIntervalMs?: number;
  /** How long keys are kept once they were revoked or have expired, in days; 90 if it is not given. */
  readonly keyRetentionDays?: number;
}

interface Entry {
  readonly caller: Caller;
  readonly partition: number;
  /** On the clock of `performance.now()`; 0 once the caller has to be looked up again. */
  expiresAt: number;
}

interface LookUp {
  readonly invalidated: Set<number | 'all'>;
  readonly hash: string;
  readonly found: Promise<Caller | undefined>;
}

/**
 * Opens a cache of callers, and listens for changes of accounts and keys by any server or the command line.
 *
 * A change of an account is answered only after every server has dropped the entries of that account, so a revoked key is
 * refused on its next request. Only valid keys are cached. While the channel is known to be lost nothing is cached: each request looks its key up.
 */
export const openCallerCache = (db: Database, options: CallerCacheOptions = {}): CallerCache => new CallerCache(db, options);

export class CallerCache {
  readonly #db: Database;
  readonly #options: CallerCacheOptions;
  readonly #entries: BoundedCache<Entry>;
  /** Key id -> account id. */
  readonly #uses = new Map<number, number>();
  readonly #valid = new Set<number>();
  /** Look-ups under way: one during which its account was changed may have read what was changed, so it is not cached. */
  readonly #lookUps = new Set<LookUp>();
  readonly #counts = { hit: 0, miss: 0 };
  readonly #ttlMs: number;
  readonly #channel: InvalidationChannel;
  readonly #endCleaning: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Database, options: CallerCacheOptions) {
    this.#db = db;
    this.#options = options;
    this.#entries = createBoundedCache<Entry>(options.maxEntries ?? MAX_ENTRIES);
    const { log, background = true } = options;
    this.#ttlMs = options.ttlMs ?? (background ? CACHE_TTL_MS : UNHEARD_TTL_MS);
    const events: InvalidationEvents = {
      onInvalidate: (accountId) => this.#invalidate(accountId),
      onValid: (partition) => void this.#valid.add(partition),
      onListening: () => log?.info({}, 'listening for changes of keys'),
      onLost: (err) => log?.warn({ err }, 'changes of keys are not received: every key is looked up'),
    };
    this.#channel = background ? openInvalidationChannel(db, events, options.testIntervalMs) : unheardChanges(events);
    this.#endCleaning = background ? repeatInBackground(() => this.#cleanUp(), KEY_CLEANUP_INTERVAL_MS) : undefined;
  }

  /**
   * As `findCaller`; a promise only if the caller is not cached.
   *
   * @param limit bounds look-ups of keys that have not been valid before: what an authenticator is given.
   * @throws AppError service_unavailable if the caller is not cached and the database does not answer.
   */
  readonly find = (key: string, limit?: LookUpLimit): Caller | undefined | Promise<Caller | undefined> => {
    // Changes that were announced during a pause of this process were not waited for.
    checkPause();
    // By its hash no key stays in memory longer than its request.
    const name = hash('sha256', key, 'base64');
    const entry = this.#entries.get(name);
    if (entry !== undefined && entry.expiresAt > performance.now() && this.#valid.has(entry.partition)) {
      this.#counts.hit += 1;
      return entry.caller;
    }
    // A key that was valid before is well-formed, and its look-up is not limited.
    if (entry === undefined && !isWellFormed(key)) return undefined;
    this.#counts.miss += 1;
    if (entry === undefined && limit !== undefined) return limit.lookUp(() => this.#lookUpAndCache(key, name));
    return this.#lookUpAndCache(key, name);
  };

  readonly metrics: MetricSource = () => [
    counter(
      'api_key_cache_requests_total',
      'Look-ups of callers by their keys: answered by the cache, or by the database.',
      byLabel('result', this.#counts),
    ),
    gauge(
      'api_key_cache_receiving_changes',
      'Share of accounts whose changes are received: what is not is not cached.',
      this.#valid.size / PARTITIONS,
    ),
  ];

  /** Writes the uses that were collected and closes the connection of the channel. Call it before the pool is closed. */
  readonly close = async (): Promise<void> => {
    this.#endCleaning?.();
    await this.#channel.close();
    await this.flush();
  };

  /** Writes the uses that were collected. */
  readonly flush = async (): Promise<void> => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    await this.#write();
  };

  #invalidate(accountId: number | 'all'): void {
    if (accountId === 'all') this.#valid.clear();
    else this.#valid.delete(partitionOf(accountId));
    for (const lookUp of this.#lookUps) lookUp.invalidated.add(accountId);
    // An entry stays, as that of a key which was valid before, and has to be looked up again.
    this.#entries.forEach((entry) => {
      if (accountId === 'all' || entry.caller.accountId === accountId) entry.expiresAt = 0;
    });
  }

  /**
   * Streams of one key are looked up together. A look-up that began before a change says nothing of what is after it, so while changes are
   * not received nobody joins another one.
   */
  #lookUpAndCache(key: string, hash: string): Promise<Caller | undefined> {
    if (this.#valid.size === PARTITIONS)
      for (const lookUp of this.#lookUps) if (lookUp.hash === hash && lookUp.invalidated.size === 0) return lookUp.found;
    const invalidated: LookUp['invalidated'] = new Set();
    const lookUp = { hash, invalidated, found: this.#findAndCache(key, hash, invalidated) };
    this.#lookUps.add(lookUp);
    return lookUp.found.finally(() => this.#lookUps.delete(lookUp));
  }

  async #findAndCache(key: string, hash: string, invalidated: LookUp['invalidated']): Promise<Caller | undefined> {
    const began = performance.now();
    const found = await lookUpCaller(this.#db, key);
    if (found === undefined) {
      this.#entries.delete(hash);
      return undefined;
    }
    const { caller, expiresInMs, isUseRecorded } = found;
    if (!isUseRecorded) this.#recordUse(caller);
    const { accountId } = caller;
    const partition = partitionOf(accountId);
    const isCurrent = this.#valid.has(partition) && !invalidated.has('all') && !invalidated.has(accountId);
    // Counted from the start of the look-up: the response may have taken long.
    this.#entries.set(hash, { caller, partition, expiresAt: isCurrent ? began + Math.min(this.#ttlMs, expiresInMs) : 0 });
    return caller;
  }

  #recordUse({ keyId, accountId }: Caller): void {
    this.#uses.set(keyId, accountId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write();
    }, this.#options.writeDelayMs ?? WRITE_DELAY_MS).unref();
  }

  async #write(): Promise<void> {
    const keys = [...this.#uses];
    this.#uses.clear();
    if (keys.length === 0) return;
    await writeLastUse(this.#db, keys).catch((err: unknown) =>
      this.#options.log?.warn({ err }, 'the last use of keys could not be written'),
    );
  }

  async #cleanUp(): Promise<void> {
    const { keyRetentionDays = KEY_RETENTION_DAYS, log } = this.#options;
    await deleteEndedKeys(this.#db, keyRetentionDays).catch((err: unknown) =>
      log?.warn({ err }, 'keys that have ended could not be removed'),
    );
  }
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
