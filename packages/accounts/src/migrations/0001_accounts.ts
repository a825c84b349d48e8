/** Accounts, their API keys, the counters and bans of their rate limits, and what requests with an `Idempotency-Key` were answered with. */
import type { Knex } from 'knex';

/**
 * Every table's key begins with `account_id`, so that the same schema can be distributed by account.
 *
 * Identifiers end at 2^53 - 1, the largest integer that every JSON reader keeps exactly. `version` counts the changes of
 * a row: it is the row's ETag. Enterprise accounts have agreed limits, and no others have: no account is unlimited.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE accounts (
      account_id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
      plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
      version bigint NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      suspended_at timestamptz,
      minute_limit integer CHECK (minute_limit BETWEEN 1 AND 1000000000),
      day_limit integer CHECK (day_limit BETWEEN 1 AND 1000000000),
      PRIMARY KEY (account_id),
      CONSTRAINT accounts_quota CHECK (
        (plan = 'enterprise') = (minute_limit IS NOT NULL) AND (plan = 'enterprise') = (day_limit IS NOT NULL)
      )
    );
    CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

    CREATE TABLE api_keys (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      -- The first characters of the key, for people to tell keys apart; the key itself is kept nowhere.
      prefix text NOT NULL CHECK (char_length(prefix) <= 13),
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      created_at timestamptz NOT NULL,
      name text NOT NULL DEFAULT 'unnamed' CHECK (char_length(name) BETWEEN 1 AND 100),
      version bigint NOT NULL DEFAULT 1,
      -- The grace period of a key that was rotated ends then, too.
      expires_at timestamptz,
      revoked_at timestamptz,
      -- To the minute; written after the request that used the key.
      last_used_at timestamptz,
      -- The key of the same account that took its place. No foreign key: it may be gone.
      replaced_by bigint CHECK (replaced_by BETWEEN 1 AND 9007199254740991),
      -- A key without a list may do everything.
      scopes text[] CHECK (cardinality(scopes) <= 100 AND array_position(scopes, NULL) IS NULL),
      PRIMARY KEY (account_id, id),
      -- What JSON's date-time can say: four digits of a year.
      CONSTRAINT api_keys_expires_at_range CHECK (expires_at < '10000-01-01Z')
    );
    CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash) INCLUDE (account_id, id);
  `);
  await createRateLimits(knex);
  await createIdempotencyKeys(knex);
}

/**
 * Times are in ms since the epoch with fractions, as in the program: the order of requests can depend on less than 1 ms.
 *
 * `asked_*`, the limits and `granted` are input and result of the last statement: ON CONFLICT can use only the row that would
 * have been inserted, and RETURNING only the row.
 */
async function createRateLimits(knex: Knex): Promise<void> {
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

/**
 * Neither the key nor the response can be read here: `id` is made from the key by a one-way function, and `response` is
 * sealed with a secret that is made from the key, because it may hold an API key.
 *
 * `response` is null only until the transaction that has inserted the row ends. The row changes once, in its own page.
 */
async function createIdempotencyKeys(knex: Knex): Promise<void> {
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
