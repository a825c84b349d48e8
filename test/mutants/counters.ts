/** Mutants of the counters in PostgreSQL: their statements, and the requests that are decided together. */
import type { MutatedFile } from './mutant.ts';

const TESTS = ['packages/accounts/test/counter-charges.test.ts', 'packages/accounts/test/counters.test.ts'];

const STATEMENTS: MutatedFile = {
  file: 'packages/accounts/src/limits/take-query.ts',
  tests: TESTS,
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

const BATCHES: MutatedFile = {
  file: 'packages/accounts/src/limits/counters.ts',
  tests: TESTS,
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
  tests: TESTS,
  mutants: [
    ['reading the windows counts', '(request.cost === 0 ? 0 : count)', 'count'],
    ['a new counter admits more than the day has', ', Math.floor(quota.day / cost)', ''],
    ['a new counter admits more than the minute has', ', Math.floor(quota.minute / cost)', ''],
    ['a quotation mark ends the name of a bucket', "text.replace(/[\"\\\\]/g, '\\\\$&')", 'text'],
  ],
};

export const COUNTERS: readonly MutatedFile[] = [STATEMENTS, BATCHES, TAKE_QUERY];
