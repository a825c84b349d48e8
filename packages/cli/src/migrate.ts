/** `npm run migrate`: brings the database at `DATABASE_URL`, or the embedded one, to this program's schema. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_VARIABLES, migrate, openDatabase } from '@specwright/postgres';
import { readEnvironment } from '@specwright/server';
import { loadSchema, readProjectConfig } from './project-config.ts';
import { runScript } from './run.ts';

async function main(): Promise<void> {
  parseArgs({ options: {} });
  const project = readProjectConfig();
  const config = readEnvironment(DATABASE_VARIABLES);
  const database = await openDatabase({ ...config, name: project.name, dataDir: resolve(config.dataDir) });
  try {
    const names = await migrate(database.db, await loadSchema(project));
    console.log(names.length === 0 ? 'the schema is up to date' : names.map((name) => `ran ${name}`).join('\n'));
  } finally {
    await database.close();
  }
}

await runScript(import.meta.url, 'usage: npm run migrate', main);
