/** Migrates the database at DATABASE_URL, and ends: what a release runs once before its servers start. `--plan` says what it would do. */
import { formatPlan, migrate, openDatabase, planMigration } from '@specwright/postgres';
import { formatFatalError, readFlags } from '@specwright/server';
import { NAME, readConfig } from './config.ts';
import { schema } from './db/migrations/index.ts';

try {
  const flags = readFlags(['plan', 'allow-outage']);
  const database = await openDatabase({ ...readConfig(), name: NAME });
  try {
    if (flags.plan) console.log(formatPlan(await planMigration(database.db, schema)).join('\n'));
    else {
      const ran = await migrate(database.db, schema, { allowOutage: flags['allow-outage'] });
      console.log(ran.length === 0 ? 'nothing to migrate: the schema is up to date' : ran.map((name) => `ran ${name}`).join('\n'));
    }
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(formatFatalError(error));
  process.exitCode = 1;
}
