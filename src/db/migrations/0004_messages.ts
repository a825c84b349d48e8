/** Messages, and the webhook of an account that they are delivered to. The queue's own tables are in a schema of their own. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE webhooks (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
      -- As it is, not its hash: each delivery is signed with it.
      secret text NOT NULL,
      -- From a sequence, so that a webhook that was removed and set again never has a version that it had before.
      version bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id)
    );

    CREATE TABLE messages (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id text NOT NULL CHECK (char_length(id) = 40),
      message text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 4096),
      status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
      -- Deliveries that were tried and did not succeed.
      attempts integer NOT NULL DEFAULT 0,
      version bigint NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, id)
    );
  `);
}
