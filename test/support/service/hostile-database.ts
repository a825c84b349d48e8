/** Makes the databases of tests with defaults that no session of ours may have (`TEST_DATABASE_MODULE`). */
import { connect, connectOptions } from '@specwright/postgres';
import { createDatabase as createUsual, type TestDatabase, type TestDatabaseOptions } from 'specwright/testing';

const DEFAULTS: Readonly<Record<string, string>> = {
  DateStyle: `'SQL', 'DMY'`,
  IntervalStyle: `'sql_standard'`,
  TimeZone: `'Asia/Kathmandu'`,
  bytea_output: `'escape'`,
  extra_float_digits: '-15',
  client_encoding: `'LATIN1'`,
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  default_transaction_isolation: `'serializable'`,
  default_transaction_deferrable: 'on',
  statement_timeout: '1',
  lock_timeout: '1',
};

/** Without the variable that names this module, which would be asked again. */
export async function createDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_DATABASE_MODULE: module } = process.env;
  delete process.env['TEST_DATABASE_MODULE'];
  try {
    const database = await createUsual(options);
    const name = new URL(database.url).pathname.slice(1);
    for (const [setting, value] of Object.entries(DEFAULTS)) await database.db.raw(`ALTER DATABASE "${name}" SET ${setting} TO ${value}`);
    // The connections that were made before have other settings.
    const db = connect(connectOptions(database.db));
    await database.db.destroy();
    return {
      ...database,
      db,
      async drop() {
        await db.destroy();
        await database.drop();
      },
    };
  } finally {
    if (module !== undefined) process.env['TEST_DATABASE_MODULE'] = module;
  }
}
