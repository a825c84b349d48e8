/** What spans call statements: operation and table, whatever the statement's form. */
import { expect, test } from '@jest/globals';
import { summarizeStatement } from '../src/connection/traced-client.ts';

test.each([
  ['select "id", "name" from "pets" where "id" = $1', 'SELECT', 'pets'],
  ['insert into "audit"."jobs" ("id") values ($1)', 'INSERT', 'audit.jobs'],
  ['update "orders" set "version" = version + 1', 'UPDATE', 'orders'],
  ['INSERT INTO a (b) VALUES ($1) ON CONFLICT DO UPDATE SET b = $1', 'INSERT', 'a'],
  ['select 1 from "pets" for update skip locked', 'SELECT', 'pets'],
  ['WITH a AS (SELECT 1 FROM b FOR UPDATE OF b), d AS (DELETE FROM c RETURNING 1) SELECT 1', 'DELETE', 'b'],
  ['SELECT extract(epoch from now()) FROM windows', 'SELECT', 'windows'],
  ['SELECT (extract(epoch FROM expires_at - now()) * 1000) FROM api_keys WHERE x', 'SELECT', 'api_keys'],
  ["SELECT substring(a FROM 2), trim(both ')(from' FROM b), (SELECT 1 FROM c) FROM d", 'SELECT', 'c'],
  ['SELECT a IS DISTINCT FROM b, count(*) FILTER (WHERE a) FROM c', 'SELECT', 'c'],
  ['WITH a AS (INSERT INTO b SELECT extract(day FROM c) FROM d RETURNING 1) SELECT 1', 'INSERT', 'b'],
  ['BEGIN; SET LOCAL lock_timeout = 500;', 'BEGIN', undefined],
  ['SELECT audit.add_job($1)', 'SELECT', undefined],
  ['COPY pets FROM STDIN', 'COPY', undefined],
])('%s', (text, operation, table) => {
  expect(summarizeStatement(text)).toEqual({ operation, ...(table === undefined ? {} : { table }) });
});
