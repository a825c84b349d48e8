/** Columns and constraints are found in the dump and the migrations, whatever their names are made of. */
import { expect, test } from '@jest/globals';
import { formatDatabaseLocation } from '../../src/schema/database-locations.ts';

const dump = {
  file: 'schema.sql',
  text: `TABLE pets (
  id bigint,
  "position" bigint
);

TABLE "UserAccounts" (
  "a(b" text,
  "order" bigint,
  CONSTRAINT "UserAccounts_order_check" CHECK (("order" > 0))
);
`,
};
const migrations = [{ file: '1.ts', text: 'CREATE TABLE "UserAccounts" (\n  "a(b" text,\n  "order" bigint CHECK ("order" > 0)\n);\n' }];

test.each([
  ['pets', 'position', 'schema.sql:3'],
  ['UserAccounts', undefined, 'schema.sql:6 (1.ts:1)'],
  ['UserAccounts', 'a(b', 'schema.sql:7 (1.ts:2)'],
  ['UserAccounts', 'order', 'schema.sql:8 (1.ts:3)'],
  ['UserAccounts', 'UserAccounts_order_check', 'schema.sql:9'],
])('%s %s', (table, name, location) => {
  expect(formatDatabaseLocation({ dump, migrations }, table, name)).toBe(location);
});
