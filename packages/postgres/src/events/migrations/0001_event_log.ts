/** The tables of event logs: events as they are committed, then with their ids for whoever follows them. */
import type { Knex } from 'knex';

/**
 * Every table's key begins with `account_id`, so that the same schema can be distributed by account.
 *
 * Events are `json`, not `jsonb`: they are written and read whole, as text.
 */
export async function createEventTables(knex: Knex, accounts: string | undefined): Promise<void> {
  const reference = accounts === undefined ? '' : knex.raw('REFERENCES ?? ON DELETE CASCADE', [accounts]).toQuery();
  await knex.raw(`
    CREATE TABLE event_log_last_ids (
      account_id bigint NOT NULL ${reference},
      log text NOT NULL,
      -- The id of the newest event, deleted ones included.
      last_id bigint NOT NULL,
      PRIMARY KEY (account_id, log)
    );

    CREATE TABLE event_log (
      account_id bigint NOT NULL ${reference},
      log text NOT NULL,
      id bigint NOT NULL,
      -- The id of the event before it, also after that one was deleted; 0 for the first.
      previous_id bigint NOT NULL,
      event json NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account_id, log, id)
    );
    CREATE INDEX event_log_by_time ON event_log (created_at);

    CREATE TABLE event_log_pending (
      -- Not a foreign key, whose check each write would pay for: what is left of an account that is gone is not published.
      account_id bigint NOT NULL,
      -- In the order of the commits, for transactions of which one had ended before the other wrote.
      position bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      log text NOT NULL,
      event json NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account_id, position)
    );
    -- Rows come and go: it is small, and must stay so.
    ALTER TABLE event_log_pending SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.5);
  `);
}
