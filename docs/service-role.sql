-- The role that the running service needs, and everything that it needs. Run it as the owner of the database, in the database, after
-- `npm run migrate`, and again after each migration that makes a table: GRANT can be repeated.
--
-- The owner migrates (DATABASE_URL of `npm run migrate`), the service connects as this role. Such a server is started without --migrate.

-- CREATE ROLE petstore_service LOGIN PASSWORD '...';

-- PostgreSQL before version 15 lets everybody make tables in the schema public.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

GRANT USAGE ON SCHEMA public TO petstore_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO petstore_service;
-- Which migrations have run is only read.
REVOKE INSERT, UPDATE, DELETE ON migrations, migrations_lock FROM petstore_service;

-- The job queue: adding a message calls a function that writes these tables, and delivering it reads and writes them.
GRANT USAGE ON SCHEMA graphile_worker TO petstore_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO petstore_service;
REVOKE INSERT, DELETE ON graphile_worker.migrations FROM petstore_service;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA graphile_worker TO petstore_service;

-- Its tables have row-level security without a policy, so whoever does not own them sees no rows: POST /messages would be a 500.
DO $$
DECLARE
  job_table regclass;
BEGIN
  FOR job_table IN
    SELECT oid FROM pg_class WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind = 'r' AND relrowsecurity
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS service ON %s', job_table);
    EXECUTE format('CREATE POLICY service ON %s TO petstore_service USING (true) WITH CHECK (true)', job_table);
  END LOOP;
END
$$;

-- Behind a pooler these reach the statements outside of transactions too.
ALTER ROLE petstore_service SET statement_timeout = '1500ms';
ALTER ROLE petstore_service SET lock_timeout = '500ms';
ALTER ROLE petstore_service SET idle_in_transaction_session_timeout = '3s';
