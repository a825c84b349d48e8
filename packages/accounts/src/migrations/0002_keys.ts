/** Keys with a name, an expiry and a last use; accounts that can be suspended or have their own quota. */
import type { Knex } from 'knex';

/**
 * Enterprise accounts have agreed limits, and no others have: no account is unlimited. Existing ones get the limits of the
 * Business plan, the highest that is not agreed.
 *
 * The grace period of a key that was rotated ends at `expires_at`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE accounts
      ADD COLUMN suspended_at timestamptz,
      ADD COLUMN minute_limit integer CHECK (minute_limit BETWEEN 1 AND 1000000000),
      ADD COLUMN day_limit integer CHECK (day_limit BETWEEN 1 AND 1000000000);
    UPDATE accounts SET minute_limit = 1000, day_limit = 100000 WHERE plan = 'enterprise';
    ALTER TABLE accounts
      ADD CONSTRAINT accounts_quota CHECK (
        (plan = 'enterprise') = (minute_limit IS NOT NULL) AND (plan = 'enterprise') = (day_limit IS NOT NULL)
      );

    ALTER TABLE api_keys
      ADD COLUMN name text NOT NULL DEFAULT 'unnamed' CHECK (char_length(name) BETWEEN 1 AND 100),
      ADD COLUMN version bigint NOT NULL DEFAULT 1,
      ADD COLUMN expires_at timestamptz,
      ADD COLUMN revoked_at timestamptz,
      -- To the minute; written after the request that used the key.
      ADD COLUMN last_used_at timestamptz,
      -- The key of the same account that took its place.
      ADD COLUMN replaced_by bigint,
      -- What JSON's date-time can say: four digits of a year.
      ADD CONSTRAINT api_keys_expires_at_range CHECK (expires_at < '10000-01-01Z');
  `);
}
