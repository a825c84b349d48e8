-- The role that the running service needs, and everything that it needs. Run it as the owner of the database, in the database, after
-- `npm run migrate`, and again after each migration that makes a table: GRANT can be repeated.
--
-- The first and the last lines make and change a role, for which the owner needs CREATEROLE (ALTER ROLE owner CREATEROLE, by a superuser); else a
-- superuser runs the file, and on a managed database the administrator that it came with.
--
-- The owner migrates (DATABASE_URL of `npm run migrate`), the service connects as this role. Such a server is started without --migrate.

-- CREATE ROLE petstore_service LOGIN PASSWORD '...';

-- PostgreSQL before version 15 lets everybody make tables in the schema public.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

GRANT USAGE ON SCHEMA public TO petstore_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO petstore_service;
-- Which migrations have run is only read.
REVOKE INSERT, UPDATE, DELETE ON migrations, migrations_lock FROM petstore_service;

-- Behind a pooler these reach the statements outside of transactions too.
ALTER ROLE petstore_service SET statement_timeout = '1500ms';
ALTER ROLE petstore_service SET lock_timeout = '500ms';
ALTER ROLE petstore_service SET idle_in_transaction_session_timeout = '3s';
