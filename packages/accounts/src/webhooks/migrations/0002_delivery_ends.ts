/** When a delivery has ended, from which its retention counts; and whether the webhook that it waited for was deleted. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE webhook_deliveries
      ADD COLUMN ended_at timestamptz,
      -- While it was queued.
      ADD COLUMN webhook_deleted boolean NOT NULL DEFAULT false;
    DROP INDEX webhook_deliveries_ended;
    -- What a server of the version before ends has no time of its end.
    CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (coalesce(ended_at, created_at)) WHERE status <> 'queued';
  `);
}

/** Servers of the version before go on without the columns. */
export const compatible = true;
