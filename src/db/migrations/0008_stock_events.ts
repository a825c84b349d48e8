/** Changes of stock in the order in which they were committed, for those who follow them. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE stock_event_counters (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      -- The id of the account's newest event.
      last_id bigint NOT NULL,
      PRIMARY KEY (account_id)
    );

    CREATE TABLE stock_events (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      -- Without gaps: where one is missing, it was deleted because it was old.
      id bigint NOT NULL,
      -- Not a foreign key: the pet may be gone.
      pet_id bigint NOT NULL,
      -- As the change left them; NULL if the pet was deleted.
      quantity bigint,
      status text CHECK (status IN ('available', 'pending', 'sold')),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account_id, id)
    );
    CREATE INDEX stock_events_by_time ON stock_events (created_at);
  `);
}
