/** The statements of the counters: one decides requests, one counts what was admitted without it. */
import { hash } from 'node:crypto';
import pg from 'pg';

/** A window in which nothing was counted is not open, even if its end is in the future. */
const isOpen = (window: 'minute' | 'day') => `c.${window}_ends > excluded.asked_at AND c.${window}_used > 0`;
const usedNow = (window: 'minute' | 'day') => `CASE WHEN c.${window}_ends > excluded.asked_at THEN c.${window}_used ELSE 0 END`;
const fits = (window: 'minute' | 'day') => `(excluded.${window}_limit - ${usedNow(window)}) / excluded.asked_cost`;
const GRANTED = `greatest(0, least(excluded.asked_count, ${fits('minute')}, ${fits('day')}))`;
const counted = (window: 'minute' | 'day', length: number) => `
    ${window}_used = ${usedNow(window)} + ${GRANTED} * excluded.asked_cost,
    ${window}_ends = CASE WHEN ${isOpen(window)} THEN least(c.${window}_ends, excluded.asked_at + ${length}) ELSE excluded.asked_at + ${length} END`;

/** The setting is for the transaction of the statement alone, and within it, so that it costs no round trip. In the start-up message
 * a pooler would refuse it, and as a setting of the session give it to the next client. It is volatile, so it is evaluated. */
const NOW = `(SELECT date_part('epoch', statement_timestamp()) * 1000 + $7::double precision
                   WHERE set_config('synchronous_commit', 'off', true) = 'off')`;

/**
 * $1 buckets, each once and in their order; $2 costs, none 0; $3 numbers of requests; $4 and $5 limits; $6 how many of the requests
 * a new counter admits; $7 how far a test has moved the clock, in ms.
 *
 * Rows are locked in the order of the buckets, which all servers sort alike, so they cannot deadlock. A row that another server is
 * changing is waited for, and read after the change. `unnest` gives elements in their order (PostgreSQL, 9.19), in a list of
 * columns without storing them first, and RETURNING gives rows as they were inserted.
 *
 * A window that would end later than a full length from now was opened before the clock was set back: it ends then.
 *
 * Every part of it is short on purpose: PostgreSQL prepares its expressions for each execution anew, which is a third of its work
 * for one row.
 */
const TAKE = `
  INSERT INTO rate_limit_counters AS c
    (bucket, minute_used, minute_ends, day_used, day_ends, asked_at, asked_cost, asked_count, minute_limit, day_limit, granted)
  SELECT bucket, granted * cost, moment + 60000, granted * cost, moment + 86400000,
         moment, cost, count, minute_limit, day_limit, granted
    FROM (SELECT ${NOW} AS moment,
                 unnest($1::text[]) AS bucket, unnest($2::int[]) AS cost, unnest($3::int[]) AS count,
                 unnest($4::int[]) AS minute_limit, unnest($5::int[]) AS day_limit, unnest($6::int[]) AS granted) asked
  ON CONFLICT (bucket) DO UPDATE SET ${counted('minute', 60_000)}, ${counted('day', 86_400_000)},
    asked_at = excluded.asked_at, asked_cost = excluded.asked_cost, asked_count = excluded.asked_count,
    minute_limit = excluded.minute_limit, day_limit = excluded.day_limit, granted = ${GRANTED}
  RETURNING bucket, granted, minute_used, minute_ends, day_used, day_ends, asked_at, (SELECT changes FROM api_key_ban_changes)`;

/** What is added may be negative, so it is in `asked_cost` and `asked_count`. */
const charged = (window: 'minute' | 'day', delta: 'asked_cost' | 'asked_count') => `
    ${window}_used = CASE WHEN excluded.${window}_ends = 0 THEN c.${window}_used
      WHEN ${isOpen(window)} THEN greatest(0, least(c.${window}_used::bigint + excluded.${delta}, 2147483647))::int
      ELSE excluded.${window}_used END,
    ${window}_ends = CASE WHEN excluded.${window}_ends = 0 OR ${isOpen(window)} THEN c.${window}_ends
      ELSE excluded.${window}_ends END`;

/** Only a window of $3 or $5 that has not ended counts; no limit applies. */
export const CHARGE = `
  INSERT INTO rate_limit_counters AS c
    (bucket, minute_used, minute_ends, day_used, day_ends, asked_at, asked_cost, asked_count, minute_limit, day_limit, granted)
  SELECT bucket,
         CASE WHEN minute_ends > moment THEN greatest(0, minute_used) ELSE 0 END, CASE WHEN minute_ends > moment THEN minute_ends ELSE 0 END,
         CASE WHEN day_ends > moment THEN greatest(0, day_used) ELSE 0 END, CASE WHEN day_ends > moment THEN day_ends ELSE 0 END,
         moment, minute_used, day_used, 0, 0, 0
    FROM (SELECT a.*, (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $6::double precision AS moment
            FROM unnest($1::text[], $2::int[], $3::float8[], $4::int[], $5::float8[])
                 AS a (bucket, minute_used, minute_ends, day_used, day_ends)) charges
   ORDER BY bucket COLLATE "C"
  ON CONFLICT (bucket) DO UPDATE SET ${charged('minute', 'asked_cost')}, ${charged('day', 'asked_count')}, asked_at = excluded.asked_at`;

export type CounterRow = readonly [
  bucket: string,
  granted: number,
  minuteUsed: number,
  minuteEnds: number,
  dayUsed: number,
  dayEnds: number,
  now: number,
  changes: number,
];

const { TEXT, INT4, INT8, FLOAT8 } = pg.types.builtins;

/** The parsers of these tables' types. Every bigint of theirs is at most 2^53 - 1. */
export const PARSERS = new Map<number, (text: string) => unknown>([
  [TEXT, String],
  [INT4, Number],
  [INT8, Number],
  [FLOAT8, Number],
]);

/** The statement without its values. Its rows are `CounterRow`s. */
export const TAKE_STATEMENT: pg.QueryArrayConfig = {
  // Of this text alone: a pooler may have statements of another version of this package.
  name: `limits.take ${hash('sha256', TAKE, 'base64url').slice(0, 12)}`,
  text: TAKE,
  rowMode: 'array',
  // `pg` asks for the parser of each column with every answer.
  types: { getTypeParser: PARSERS.get.bind(PARSERS) as typeof pg.types.getTypeParser },
};
