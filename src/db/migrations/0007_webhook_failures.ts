/** What the worker knows of a receiver, and an index for the messages whose time is over. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE webhooks
      -- Deliveries that have failed since the last one that succeeded.
      ADD COLUMN failures integer NOT NULL DEFAULT 0,
      -- Until when nothing is sent to it.
      ADD COLUMN paused_until timestamptz;
    CREATE INDEX messages_ended ON messages (created_at) WHERE status <> 'queued';
  `);
}
