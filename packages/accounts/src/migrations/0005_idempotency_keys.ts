/** Idempotency keys: what requests with an `Idempotency-Key` were answered with. */
import type { Knex } from 'knex';

/**
 * Neither the key nor the response can be read here: `id` is made from the key by a one-way function, and `response` is
 * sealed with a secret that is made from the key, because it may hold an API key.
 *
 * `response` is null only until the transaction that has inserted the row ends. The row changes once, in its own page.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_keys (
      -- 0: of a request without credentials, whose address is part of the id. No foreign key: a row ends by its age.
      account_id bigint NOT NULL,
      id bytea NOT NULL CHECK (octet_length(id) = 32),
      fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
      response bytea,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, id)
    ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at);
  `);
}

/** It only adds a table. */
export const compatible = true;
