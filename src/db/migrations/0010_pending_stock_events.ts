/** Changes of stock as they are committed, until they get their numbers. */
import type { Knex } from 'knex';

// Not `compatible`: servers of the version before number their events themselves, ahead of those that wait here for their numbers.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE pending_stock_events (
      -- Not a foreign key, whose check each change of a stock would pay for: what is left of an account that is gone is taken out unnumbered.
      account_id bigint NOT NULL,
      pet_id bigint NOT NULL,
      -- The versions of the pet and of its inventory, added: each change raises one of them, and holds the lock of the inventory meanwhile, so
      -- the events of a pet are in the order of their commits. The largest of all if the pet was deleted.
      version bigint NOT NULL,
      quantity bigint,
      status text CHECK (status IN ('available', 'pending', 'sold')),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account_id, pet_id, version)
    );
    -- Rows come and go: it is small, and must stay so.
    ALTER TABLE pending_stock_events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.5);
  `);
}
