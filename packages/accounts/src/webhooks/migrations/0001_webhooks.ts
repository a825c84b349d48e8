/** Webhooks, one for each account, and what is sent to them: the deliveries, which are the queue too. */
import type { Knex } from 'knex';

const WEBHOOKS = `
  CREATE TABLE webhooks (
    account_id bigint NOT NULL,
    url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
    -- As it is, not its hash: each delivery is signed with it.
    secret text NOT NULL CHECK (char_length(secret) <= 100),
    -- From a sequence, so that a webhook that was removed and set again never has a version that it had before.
    version bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
    created_at timestamptz NOT NULL,
    -- Deliveries that have failed since the last one that succeeded.
    failures integer NOT NULL DEFAULT 0,
    -- Until when nothing is sent to it.
    paused_until timestamptz,
    PRIMARY KEY (account_id)
  );`;

const DELIVERIES = `
  CREATE TABLE webhook_deliveries (
    account_id bigint NOT NULL,
    id text NOT NULL CHECK (char_length(id) BETWEEN 1 AND 100),
    -- Which webhook or callback of the contract it is.
    name text NOT NULL,
    -- The JSON as it is signed.
    body text NOT NULL,
    -- Of a callback. Without it the webhook of the account is what it is sent to.
    url text,
    secret text,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
    -- Deliveries that were tried and did not succeed.
    attempts integer NOT NULL DEFAULT 0,
    -- The status of the last response, and whether the contract declares it.
    answer integer,
    is_declared boolean,
    created_at timestamptz NOT NULL,
    -- The retention counts from it.
    ended_at timestamptz,
    -- While it was queued.
    webhook_deleted boolean NOT NULL DEFAULT false,
    -- Of the request that has sent it.
    traceparent text,
    lane text NOT NULL DEFAULT 'first' CHECK (lane IN ('first', 'retries')),
    -- Those of one transaction in the order in which it has sent them.
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- While it is under way.
    leased_by text,
    leased_until timestamptz,
    PRIMARY KEY (account_id, id),
    CHECK ((leased_by IS NULL) = (leased_until IS NULL))
  );
  -- One delivery of an account is under way in a lane, whichever server makes it.
  CREATE UNIQUE INDEX webhook_deliveries_leased ON webhook_deliveries (account_id, lane) WHERE leased_by IS NOT NULL;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (lane, due_at) INCLUDE (account_id) WHERE status = 'queued';
  CREATE INDEX webhook_deliveries_next ON webhook_deliveries (account_id, lane, due_at) WHERE status = 'queued';
  CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE status <> 'queued';`;

/** Accounts are those of the table `accounts`, if there is one: what is theirs is deleted with them. */
const ACCOUNTS = `
  DO $$
  BEGIN
    IF to_regclass('accounts') IS NULL THEN RETURN; END IF;
    ALTER TABLE webhooks ADD FOREIGN KEY (account_id) REFERENCES accounts ON DELETE CASCADE;
    ALTER TABLE webhook_deliveries ADD FOREIGN KEY (account_id) REFERENCES accounts ON DELETE CASCADE;
  END$$;`;

export async function up(knex: Knex): Promise<void> {
  for (const statements of [WEBHOOKS, DELIVERIES, ACCOUNTS]) await knex.raw(statements);
}
