/** The statements of docs/citus.sql leave the schema as it was, and distribute every table that belongs to accounts. */
import { expect, test } from '@jest/globals';
import { dumpSchema } from '@specwright/postgres';
import { withDatabase } from 'specwright/testing';
import { readDistribution } from '../support/service/distribution.ts';

const database = withDatabase();

/**
 * In the place of Citus' functions: they refuse a table as it does, and record the others. Citus would refuse a foreign key to a table
 * that is not distributed yet, and keep one between tables that are.
 */
const CITUS = `
  CREATE TABLE distributed (name text PRIMARY KEY, kind text);
  CREATE FUNCTION distribute(relation text, kind text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND relation::regclass IN (conrelid, confrelid)) THEN
      RAISE EXCEPTION '% has a foreign key', relation;
    END IF;
    INSERT INTO distributed VALUES (relation, kind);
  END$$;
  CREATE FUNCTION create_reference_table(relation text) RETURNS void LANGUAGE sql AS $$SELECT distribute(relation, 'reference')$$;
  CREATE FUNCTION create_distributed_table(relation text, key text, colocate_with text DEFAULT '') RETURNS void LANGUAGE sql
    AS $$SELECT distribute(relation, key)$$`;

const REMOVE = `DROP TABLE distributed; DROP FUNCTION create_reference_table, create_distributed_table, distribute`;

test('the foreign keys are put back as they were, and every table with an account is distributed', async () => {
  const before = await dumpSchema(database.db);
  await database.db.raw(CITUS);
  await database.db.raw(readDistribution());
  const distributed = await database.db('distributed').orderBy('name').pluck<string[]>('name');
  const owned = await database
    .db('information_schema.columns')
    .where({ column_name: 'account_id', table_schema: 'public' })
    .orderBy('table_name')
    .pluck<string[]>('table_name');
  expect(distributed).toEqual(owned);
  await database.db.raw(REMOVE);
  expect(await dumpSchema(database.db)).toEqual(before);
});
