/** Mutants of what is kept in PostgreSQL: counters, callers and keys, idempotency keys, pipelined reads. */
import type { MutatedFile } from './mutant.ts';

const COUNTER_TESTS = ['packages/accounts/test/counters.test.ts'];

const COUNTER_STATEMENTS: MutatedFile = {
  file: 'packages/accounts/src/limits/counter-statements.ts',
  tests: COUNTER_TESTS,
  mutants: [
    [
      'what was used in an ended window counts',
      'CASE WHEN c.${window}_ends > excluded.asked_at THEN c.${window}_used ELSE 0 END',
      'c.${window}_used',
    ],
    ['a window in which nothing was counted is open', 'excluded.asked_at AND c.${window}_used > 0', 'excluded.asked_at'],
    [
      'a request beyond the limit takes from what was counted',
      'greatest(0, least(excluded.asked_count',
      'greatest(-2147483648, least(excluded.asked_count',
    ],
    ['the limit of the day is ignored', "${fits('minute')}, ${fits('day')}))", "${fits('minute')}))"],
    ['the limit of the minute is ignored', "${fits('minute')}, ${fits('day')}))", "${fits('day')}))"],
    ['a cost counts as one request', '* excluded.asked_cost,', '* 1,'],
    ['a minute opened again is longer', "counted('minute', 60_000)", "counted('minute', 61_000)"],
    ['a minute opened first is longer', 'moment + 60000', 'moment + 61000'],
    [
      'a charge makes a window negative',
      'greatest(0, least(c.${window}_used::bigint',
      'greatest(-2147483648, least(c.${window}_used::bigint',
    ],
    ['a negative charge opens a window below zero', 'greatest(0, minute_used)', 'minute_used'],
    [
      'a charge is added to what was used in an ended minute',
      'WHEN ${isOpen(window)} THEN greatest',
      'WHEN c.${window}_used > 0 THEN greatest',
    ],
    [
      'a charge of an ended minute counts',
      'CASE WHEN excluded.${window}_ends = 0 THEN c.${window}_used',
      'CASE WHEN false THEN c.${window}_used',
    ],
    ['a charge of an ended minute counts in the next one', 'CASE WHEN minute_ends > moment THEN minute_ends ELSE 0 END', 'minute_ends'],
    ['a charge that overflows fails', ', 2147483647))::int', ', 2147483648))::int'],
    [
      'a commit waits for the disk',
      "set_config('synchronous_commit', 'off', true) = 'off'",
      "set_config('synchronous_commit', 'on', true) = 'on'",
    ],
    ['a setting stays with the session', "'off', true)", "'off', false)"],
  ],
};

const COUNTERS: MutatedFile = {
  file: 'packages/accounts/src/limits/counters.ts',
  tests: COUNTER_TESTS,
  mutants: [
    ['requests of different cost are decided as equal', 'a.cost === b.cost && ', ''],
    ['requests with different limits of a day are decided as equal', ' && a.quota.day === b.quota.day', ''],
    [
      'rows are locked in the order in which requests came',
      'return batches.sort((a, b) => (a.request.bucket < b.request.bucket ? -1 : 1));',
      'return batches;',
    ],
    ['one request more than granted is admitted', 'i < granted', 'i <= granted'],
    ['each request is told the count after all', 'Math.max(0, granted - 1 - i) * cost', '0'],
    ['an empty window is open', 'used > 0 ? { used, ends } : NOT_OPEN', 'used >= 0 ? { used, ends } : NOT_OPEN'],
    ['reading full windows is refused', 'cost === 0 || i < granted', 'i < granted'],
    [
      'one error decides the requests of all statements',
      'if (error !== null && error !== undefined) rejectAll(batches, error);',
      'if (error !== null && error !== undefined) resolveAll(batches, batches.map(({ request }) => [request.bucket, "9", "1", "9", "1", "9", "1", "0"]) as never, sentAt);',
    ],
  ],
};

const TAKE_QUERY: MutatedFile = {
  file: 'packages/accounts/src/limits/take-query.ts',
  tests: COUNTER_TESTS,
  mutants: [
    ['reading the windows counts', '(request.cost === 0 ? 0 : count)', 'count'],
    ['a new counter admits more than the day has', ', Math.floor(quota.day / cost)', ''],
    ['a new counter admits more than the minute has', ', Math.floor(quota.minute / cost)', ''],
    ['a quotation mark ends the name of a bucket', "text.replace(/[\"\\\\]/g, '\\\\$&')", 'text'],
  ],
};

const CALLER_CACHE: MutatedFile = {
  file: 'packages/accounts/src/keys/caller-cache.ts',
  tests: ['packages/accounts/test/caller-cache.test.ts'],
  mutants: [
    [
      'callers are used from the cache while changes are not received',
      'return valid.has(partitionOf(entry.caller.accountId)) ? entry.caller : undefined;',
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
    ['callers are cached while the channel is lost', "if (accountId === 'all') valid.clear();", "if (accountId === 'all') valid.size;"],
    ['callers are cached while their partition is changed', 'else valid.delete(partitionOf(accountId));', ''],
    ['a look-up during which something was changed is cached', 'for (const lookUp of lookUps) lookUp.invalidated.add(accountId);', ''],
    ['a look-up during which the channel was lost is cached', "!lookUp.invalidated.has('all') && ", ''],
    ['a look-up during which its account was changed is cached', ' && !lookUp.invalidated.has(caller.accountId)', ''],
    ['an expired key is used until its entry ends', 'Math.min(ttlMs, expiresInMs)', 'ttlMs'],
    [
      'a cached caller never ends',
      'if (entry.expiresAt <= performance.now()) return undefined;',
      'if (entry.expiresAt === 0) return undefined;',
    ],
    ['a key that is revoked is looked up without a bound', 'entries.delete(hash);', ''],
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
    [
      'a revoked key can be revoked again',
      'id, ...NOT_REVOKED });\n  const row = await query.forUpdate()',
      'id });\n  const row = await query.forUpdate()',
    ],
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
    ['bytes are replayed as JSON', 'JSON.stringify(Buffer.isBuffer(body) ?', 'JSON.stringify(false as boolean ?'],
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
      "reject(isAbandoned ? new AbandonedError('a statement before it took too long', { cause: error }) : error)",
      'reject(error)',
    ],
    ['a connection is left in the mode of a pipeline', 'connection.endPipeline();', ''],
    ['one read takes the connection of all', '.splice(0, MAX_STATEMENTS)', '.splice(0)'],
    ['reads beyond a group wait for ever', 'if (this.#waiting.length > 0) void this.#sendWaiting();', ''],
  ],
};

export const STORE: readonly MutatedFile[] = [
  COUNTER_STATEMENTS,
  COUNTERS,
  TAKE_QUERY,
  CALLER_CACHE,
  API_KEYS,
  IDEMPOTENCY_STORE,
  READ_PIPELINE,
];
