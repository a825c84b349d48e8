/** A database with the schema of this package alone, and accounts in it. */
import { ACCOUNT_MIGRATIONS, createAccount, type Plan } from '@specwright/accounts';
import { migrate, type Database } from '@specwright/postgres';
import { createDatabase, withFixture, type TestDatabase } from 'specwright/testing';

/** A database for the tests of the current file, dropped after them. */
export const withAccountsDatabase = (): TestDatabase =>
  withFixture(
    async () => {
      const database = await createDatabase({ schema: 'empty' });
      await migrate(database.db, { migrations: ACCOUNT_MIGRATIONS });
      return database;
    },
    (database) => database.drop(),
  );

let accounts = 0;

/** A new account of the plan free and its first key. */
export async function newAccount(db: Database, plan: Plan = 'free'): Promise<{ accountId: number; key: string }> {
  const { record, apiKey } = await createAccount(db, { email: `test-${process.pid}-${++accounts}@example.com`, plan }, new Date());
  return { accountId: record.id, key: apiKey };
}
