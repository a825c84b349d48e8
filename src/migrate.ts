/** Migrates the database at DATABASE_URL, and ends: what a release runs once before its servers start. */
import { migrate, openDatabase } from '@specwright/postgres';
import { formatFatalError } from '@specwright/server';
import { NAME, readConfig } from './config.ts';
import { schema } from './db/migrations/index.ts';

try {
  const database = await openDatabase({ ...readConfig(), name: NAME });
  try {
    for (const name of await migrate(database.db, schema)) console.log(`ran ${name}`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(formatFatalError(error));
  process.exitCode = 1;
}
