-- The role of people on call: it looks at what all roles do, ends their sessions, and reads no table but those of the queue. Run it as a superuser, or
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

-- Whose messages wait, and why.
GRANT USAGE ON SCHEMA graphile_worker TO petstore_operator;
GRANT SELECT ON ALL TABLES IN SCHEMA graphile_worker TO petstore_operator;
DO $$
DECLARE
  job_table regclass;
BEGIN
  FOR job_table IN
    SELECT oid FROM pg_class WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind = 'r' AND relrowsecurity
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS operator ON %s', job_table);
    EXECUTE format('CREATE POLICY operator ON %s FOR SELECT TO petstore_operator USING (true)', job_table);
  END LOOP;
END
$$;
