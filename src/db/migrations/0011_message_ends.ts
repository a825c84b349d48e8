/** When a message was sent or has failed, from which its retention counts. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE messages ADD COLUMN ended_at timestamptz;
    DROP INDEX messages_ended;
    -- What a server of the version before ends has no time of its end.
    CREATE INDEX messages_ended ON messages (coalesce(ended_at, created_at)) WHERE status <> 'queued';
  `);
}

/** Servers of the version before go on without the column. */
export const compatible = true;
