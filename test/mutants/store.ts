/** Mutants of what is kept in PostgreSQL beside the counters: callers and keys, idempotency keys, pipelined reads. */
import type { MutatedFile } from './mutant.ts';

const CALLER_CACHE: MutatedFile = {
  file: 'packages/accounts/src/keys/caller-cache.ts',
  tests: ['packages/accounts/test/caller-cache.test.ts'],
  mutants: [
    [
      'callers are used from the cache while changes are not received',
      'return this.#valid.has(partitionOf(entry.caller.accountId)) ? entry.caller : undefined;',
      'return entry.caller;',
    ],
    [
      'callers of before a loss are used when the channel is open again',
      "if (accountId === 'all' || entry.caller.accountId === accountId)",
      'if (entry.caller.accountId === accountId)',
    ],
    [
      'a change of one account leaves its callers',
      "if (accountId === 'all' || entry.caller.accountId === accountId)",
      "if (accountId === 'all')",
    ],
    [
      'callers are cached while the channel is lost',
      "if (accountId === 'all') this.#valid.clear();",
      "if (accountId === 'all') this.#valid.size;",
    ],
    ['callers are cached while their partition is changed', 'else this.#valid.delete(partitionOf(accountId));', ''],
    [
      'a look-up during which something was changed is cached',
      'for (const lookUp of this.#lookUps) lookUp.invalidated.add(accountId);',
      '',
    ],
    ['a look-up joins another one while changes are not received', 'this.#valid.size === PARTITIONS', 'true'],
    ['a look-up during which the channel was lost is cached', "!invalidated.has('all') && ", ''],
    ['a look-up during which its account was changed is cached', ' && !invalidated.has(accountId)', ''],
    ['an expired key is used until its entry ends', 'Math.min(this.#ttlMs, expiresInMs)', 'this.#ttlMs'],
    [
      'a cached caller never ends',
      'if (entry.expiresAt <= performance.now()) return undefined;',
      'if (entry.expiresAt === 0) return undefined;',
    ],
    ['a key that is revoked is looked up without a bound', 'this.#entries.delete(hash);', ''],
    ['a key that was valid is bounded as a guess', 'if (entry === undefined && limit !== undefined)', 'if (limit !== undefined)'],
    [
      'unknown keys are looked up without a bound',
      'if (entry === undefined && limit !== undefined)',
      'if (entry !== undefined && limit !== undefined)',
    ],
  ],
};

const API_KEYS: MutatedFile = {
  file: 'packages/accounts/src/keys/api-keys.ts',
  tests: ['packages/accounts/test/api-keys.test.ts'],
  mutants: [
    [
      'revoked keys count for the limit of 100',
      ".where({ account_id: accountId }).whereRaw(IS_VALID).select('id')",
      ".where({ account_id: accountId }).select('id')",
    ],
    ['there may be 101 keys', '>= MAX_VALID_KEYS', '> MAX_VALID_KEYS'],
    [
      'a rotated key counts as the last valid one',
      '.where({ account_id: accountId, replaced_by: null })',
      '.where({ account_id: accountId })',
    ],
    [
      'a rotation without a grace period needs room for another key',
      'if (gracePeriod > 0) await requireUnderLimit',
      'await requireUnderLimit',
    ],
    ['a rotation prolongs a key', 'least(expires_at, now() + make_interval(secs => ?))', 'now() + make_interval(secs => ?)'],
    ['expired keys are valid', 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())', 'revoked_at IS NULL'],
    ['revoked keys are valid', 'revoked_at IS NULL AND (expires_at', '(expires_at'],
    ['a revoked key can be revoked again', 'id, ...NOT_REVOKED });\n  const [, row]', 'id });\n  const [, row]'],
  ],
};

const IDEMPOTENCY_STORE: MutatedFile = {
  file: 'packages/accounts/src/idempotency/idempotency-store.ts',
  tests: ['packages/accounts/test/idempotency-store.test.ts'],
  mutants: [
    ['a key is good for another request', '!row.fingerprint.equals(secrets.mac(fingerprint))', 'false'],
    ['a key of another address is the same key', 'caller === undefined ? address :', "caller === undefined ? '' :"],
    ['a response that was stored is overwritten', '\n    WHERE idempotency_keys.expires_at <= excluded.created_at', ''],
    ['a response is kept for 23 hours', "const RETENTION = '24 hours'", "const RETENTION = '23 hours'"],
    [
      'requests that wait hold connections',
      "return takeTurn(`${accountId} ${secrets.id.toString('base64')}`, () => runOnce(accountId, secrets, fingerprint, work));",
      'return runOnce(accountId, secrets, fingerprint, work);',
    ],
    ['a row that was taken over is removed', ' WHERE expires_at <= now() AND (account_id, id) IN (', ' WHERE (account_id, id) IN ('],
    ['only some of what has expired is removed', 'rows === MAX_CLEANUP_ROWS; removed', 'removed === 0; removed'],
    ['a request that waits in vain fails', '=== LOCK_NOT_AVAILABLE ? inUse(error) : error', '=== LOCK_NOT_AVAILABLE ? error : error'],
    ['bytes are replayed as JSON', 'if (Buffer.isBuffer(body))', 'if (false as boolean)'],
    ['a replay passes for a first response', 'isReplay: true };', 'isReplay: false };'],
  ],
};

const READ_PIPELINE: MutatedFile = {
  file: 'packages/postgres/src/statements/pipeline.ts',
  tests: ['packages/postgres/test/pipeline.test.ts'],
  mutants: [
    ['a lock time-out does not abandon its connection', '/^(57014|55P03)$/', '/^(57014)$/'],
    ['a statement time-out does not abandon its connection', '/^(57014|55P03)$/', '/^(55P03)$/'],
    [
      'those behind one that took too long fail with it',
      "reject(new AbandonedError('a statement before it failed with its connection', { cause: error }))",
      'reject(error)',
    ],
    ['an answer out of step is believed', 'result?.command !== null', 'true'],
    ['a read that comes late waits for the rest of the first', 'since > began', 'since > Infinity'],
    ['one read takes the connection of all', '.splice(0, MAX_STATEMENTS)', '.splice(0)'],
    ['reads beyond a group wait for ever', 'if (this.#waiting.length > 0) inBackground(this.#sendWaiting());', ''],
  ],
};

const CONNECTION: MutatedFile = {
  file: 'packages/postgres/src/connection/bounded-client.ts',
  tests: ['packages/postgres/test/pipeline.test.ts', 'packages/postgres/test/commit-with.test.ts'],
  mutants: [
    [
      'a connection is left in the mode of a pipeline',
      'this.#deadlines?.end(this);\n      this.pipeline = false;',
      'this.#deadlines?.end(this);',
    ],
    ['who waits for a batch is told of what followed its failure', 'Object.assign(error, { code, constraint, message });', ''],
    ['a statement after COMMIT is sent', "if (this.#transaction.is === 'committing')", 'if (false as boolean)'],
  ],
};

export const STORE: readonly MutatedFile[] = [CALLER_CACHE, API_KEYS, IDEMPOTENCY_STORE, READ_PIPELINE, CONNECTION];
