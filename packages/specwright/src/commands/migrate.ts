/** `specwright migrate` */
import { resolve } from 'node:path';
import { defineCommand } from '@specwright/server/command';
import { loadSchema, readProject } from '../project-config.ts';

export const command = defineCommand({
  description: 'Runs the migrations that the database at DATABASE_URL, or the embedded one, does not have yet.',
  options: {},
  examples: ['DATABASE_URL=postgres://owner:secret@localhost/pets specwright migrate'],
  failure: 'the database cannot be reached, or a migration failed',
  async run() {
    const { DATABASE_VARIABLES, migrate, openDatabase } = await import('@specwright/postgres');
    const { readEnvironment } = await import('@specwright/server');
    const project = readProject();
    const config = readEnvironment(DATABASE_VARIABLES);
    const database = await openDatabase({ ...config, name: project.name, dataDir: resolve(config.dataDir) });
    try {
      const names = await migrate(database.db, await loadSchema(project));
      console.log(names.length === 0 ? 'the schema is up to date' : names.map((name) => `ran ${name}`).join('\n'));
    } finally {
      await database.close();
    }
  },
});
