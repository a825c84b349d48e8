/** Differences that a migration makes are reported with their locations in contract, dump and migration. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTables, dumpSchema } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from 'specwright/testing';
import { compare, FILES } from '../../support/service/schema-map.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test.each<[name: string, sql: string, says: RegExp]>([
  [
    'a length',
    'ALTER TABLE pets DROP CONSTRAINT pets_name_check, ADD CONSTRAINT pets_name_check CHECK (char_length(name) BETWEEN 1 AND 50)',
    /maxLength of NewPet\.name is 100, and pets\.name .* has 50/,
  ],
  [
    'a length of a type',
    'ALTER TABLE pets ALTER COLUMN name TYPE varchar(50)',
    /maxLength of NewPet\.name is 100, and pets\.name .* has 50/,
  ],
  [
    'a length that is gone',
    'ALTER TABLE pets DROP CONSTRAINT pets_name_check',
    /maxLength of Pet\.name is 100, and pets\.name .* has none/,
  ],
  [
    'a list of values',
    "ALTER TABLE accounts DROP CONSTRAINT accounts_plan_check, ADD CONSTRAINT accounts_plan_check CHECK (plan IN ('free', 'pro'))",
    /enum of \w+\.plan is free, pro, business, enterprise, and accounts\.plan .* has free, pro:/,
  ],
  [
    'a list of one value',
    "ALTER TABLE accounts DROP CONSTRAINT accounts_plan_check, ADD CONSTRAINT accounts_plan_check CHECK (plan = 'free')",
    /accounts\.plan .* has free:/,
  ],
  [
    'an enumerated type',
    "DROP INDEX messages_ended; CREATE TYPE kind AS ENUM ('queued', 'sent'); ALTER TABLE messages DROP CONSTRAINT messages_status_check, ALTER COLUMN status DROP DEFAULT, ALTER COLUMN status TYPE kind USING status::kind",
    /messages\.status .* has queued, sent:/,
  ],
  [
    'a range',
    'ALTER TABLE orders DROP CONSTRAINT orders_quantity_check, ADD CONSTRAINT orders_quantity_check CHECK (quantity > 1 AND 500 >= quantity)',
    /maximum of NewOrder\.quantity is 1000000, and orders\.quantity .* has 500/,
  ],
  [
    'a range of a type',
    'ALTER TABLE orders ALTER COLUMN quantity TYPE smallint',
    /maximum of NewOrder\.quantity is 1000000, and orders\.quantity .* has 32767/,
  ],
  [
    'nullability',
    'ALTER TABLE pets ALTER COLUMN category_id DROP NOT NULL',
    /required of Pet\.categoryId is required, and pets\.category_id .* has NULL/,
  ],
  [
    'what is not nullable any more',
    'ALTER TABLE categories ALTER COLUMN description SET NOT NULL',
    /nullable of CategoryPatch\.description is optional, nullable, and categories\.description .* has NOT NULL/,
  ],
  [
    'a default',
    'ALTER TABLE pets ALTER COLUMN status SET DEFAULT $$sold$$',
    /default of NewPet\.status is "available", and pets\.status .* has "sold"/,
  ],
  [
    'a pattern',
    "ALTER TABLE api_keys ADD CONSTRAINT form CHECK (prefix ~ '^psk_test_')",
    /pattern of ApiKey\.prefix is .*, and api_keys\.prefix .* has "\^psk_test_"/,
  ],
  [
    'a type',
    'ALTER TABLE categories ALTER COLUMN description TYPE boolean USING true, DROP CONSTRAINT categories_description_check',
    /type of Category\.description is string, and categories\.description .* has boolean/,
  ],
  [
    'a type that no schema has',
    'ALTER TABLE orders ALTER COLUMN ship_date TYPE interval USING NULL, DROP CONSTRAINT orders_ship_date_range',
    /type interval of orders\.ship_date is not supported by check-schema/,
  ],
  ['a column', 'ALTER TABLE pets ADD COLUMN colour text', /column pets\.colour is not in \.config\/schema-map\.yaml: map it/],
  ['a table', 'CREATE TABLE toys (id bigint)', /table toys is not in \.config\/schema-map\.yaml: map it/],
  [
    'a condition that no schema can say',
    'ALTER TABLE pets ADD CONSTRAINT rex CHECK (lower(name) <> $$rex$$)',
    /constraint rex cannot be compared with a schema: CHECK .*lower/,
  ],
])('reports %s that a migration changes, with its line in the dump and in the migration', async (_, sql, says) => {
  const migration = { file: 'src/db/migrations/0006_change.ts', text: `await knex.raw(\`\n${sql};\n\`);` };
  let problems: string[] = [];
  await database.db.transaction(async (trx) => {
    await trx.raw(sql);
    const dump = { file: 'generated/schema.sql', text: await dumpSchema(trx) };
    problems = compare(await readTables(trx), { files: { dump, migrations: [...FILES.migrations, migration] } });
    await trx.rollback();
  });
  const found = problems.find((problem) => says.test(problem)) ?? problems.join('\n');
  expect(found).toMatch(says);
  // What a migration only removes was last said by the one that made it.
  const migrated = /^ALTER TABLE pets DROP CONSTRAINT \w+$/.test(sql) ? '0001_pet_store.ts:25' : '0006_change.ts:2';
  expect(found).toMatch(new RegExp(`generated/schema\\.sql:\\d+ \\(src/db/migrations/${migrated}\\)`));
  expect(found).toMatch(/^(spec\/petstore\.yaml:\d+:\d+ |generated\/schema\.sql:\d+ )/);
});
