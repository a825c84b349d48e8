/** `npm run migrate`: brings the database at `DATABASE_URL`, or the embedded one, to this program's schema. */
import { parseArgs } from 'node:util';
import { readConfig } from '../../../src/config.ts';
import { migrate } from '@specwright/postgres';
import { openDatabase } from '@specwright/postgres';
import { runScript } from './run.ts';

async function main(): Promise<void> {
  parseArgs({ options: {} });
  const database = await openDatabase(readConfig());
  try {
    const names = await migrate(database.db);
    console.log(names.length === 0 ? 'the schema is up to date' : names.map((name) => `ran ${name}`).join('\n'));
  } finally {
    await database.close();
  }
}

await runScript(import.meta.url, 'usage: npm run migrate', main);
