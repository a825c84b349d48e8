/** Accounts and their keys. */
import type { Knex } from 'knex';

/**
 * Every table's key begins with `account_id`, so that the same schema can be distributed by account.
 *
 * Identifiers end at 2^53 - 1, the largest integer that every JSON reader keeps exactly. `version` counts the changes of
 * a row: it is the row's ETag.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE accounts (
      account_id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
      plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
      version bigint NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id)
    );
    CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

    CREATE TABLE api_keys (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      -- The first characters of the key, for people to tell keys apart; the key itself is kept nowhere.
      prefix text NOT NULL,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, id)
    );
    CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash) INCLUDE (account_id, id);
  `);
}
