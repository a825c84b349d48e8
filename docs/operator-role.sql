-- The role of people on call: it looks at what all roles do, ends their sessions, and reads no table but that of deliveries. Run it as a superuser, or
-- as who may grant these roles, in the database, after `npm run migrate`. `SET reserved_connections = 3` in postgresql.conf (PostgreSQL 16 and
-- later) keeps connections for it when the others are used up.

-- CREATE ROLE petstore_operator LOGIN PASSWORD '...';

-- What runs, waits and is locked, of every role; and the end of a session, of every role but superusers.
GRANT pg_monitor, pg_signal_backend TO petstore_operator;

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    EXECUTE 'GRANT pg_use_reserved_connections TO petstore_operator';
  END IF;
END
$$;

-- Whose messages wait, and why: without what they say, and where they go.
GRANT SELECT (account_id, id, name, status, attempts, answer, created_at, ended_at, lane, due_at, leased_by, leased_until)
  ON webhook_deliveries TO petstore_operator;
