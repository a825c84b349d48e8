/** Rate limits: the counters of every bucket, and the strikes and bans of keys. */
import type { Knex } from 'knex';

/**
 * Times are in ms since the epoch with fractions, as in the program: the order of requests can depend on less than 1 ms.
 *
 * `asked_*`, the limits and `granted` are input and result of the last statement: ON CONFLICT can use only the row that would
 * have been inserted, and RETURNING only the row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE rate_limit_counters (
      -- An account or an address. Compared by bytes: that is the order in which rows are locked, by every instance.
      bucket text COLLATE "C" NOT NULL,
      minute_used integer NOT NULL,
      minute_ends double precision NOT NULL,
      day_used integer NOT NULL,
      day_ends double precision NOT NULL,
      asked_at double precision NOT NULL,
      asked_cost integer NOT NULL,
      asked_count integer NOT NULL,
      minute_limit integer NOT NULL,
      day_limit integer NOT NULL,
      granted integer NOT NULL,
      PRIMARY KEY (bucket)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX rate_limit_counters_by_end ON rate_limit_counters (day_ends);

    CREATE TABLE api_key_bans (
      account_id bigint NOT NULL,
      key_id bigint NOT NULL,
      refused_at double precision NOT NULL DEFAULT 0,
      retry_at double precision NOT NULL DEFAULT 0,
      strikes integer NOT NULL DEFAULT 0,
      strikes_end double precision NOT NULL DEFAULT 0,
      bans integer NOT NULL DEFAULT 0,
      banned_until double precision NOT NULL DEFAULT 0,
      PRIMARY KEY (account_id, key_id),
      CONSTRAINT api_key_bans_key FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id) ON DELETE CASCADE
    );
    CREATE INDEX api_key_bans_by_end ON api_key_bans (banned_until) WHERE banned_until > 0;

    -- One row: how often a ban was made or lifted. Every instance sees it with its next statement.
    CREATE TABLE api_key_ban_changes (
      only_row boolean NOT NULL DEFAULT true CHECK (only_row),
      changes bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (only_row)
    );
    INSERT INTO api_key_ban_changes DEFAULT VALUES;
  `);
}
