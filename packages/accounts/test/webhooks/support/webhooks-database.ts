/** A database with the schema of this package alone. */
import { migrate, type DatabaseSchema } from '@specwright/postgres';
import { createDatabase, withFixture, type TestDatabase } from 'specwright/testing';
import { WEBHOOK_MIGRATIONS } from '@specwright/accounts/webhooks';

export const schema: DatabaseSchema = { migrations: WEBHOOK_MIGRATIONS };

/** A database for the tests of the current file, dropped after them. */
export const withWebhooksDatabase = (): TestDatabase =>
  withFixture(
    async () => {
      const database = await createDatabase({ schema: 'empty' });
      await migrate(database.db, schema);
      return database;
    },
    (database) => database.drop(),
  );

let accounts = 0;

/** An account that no other test has. */
export const newAccount = (): number => ++accounts;
