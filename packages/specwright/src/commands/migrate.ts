/** `specwright migrate` */
import { resolve } from 'node:path';
import { defineCommand, print } from '@specwright/server/command';
import { loadSchema, readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Runs the migrations that the database at DATABASE_URL, or the embedded one, does not have yet. Those that stop servers of the version\nbefore are refused while such servers are connected.',
  options: {
    plan: { type: 'boolean', description: 'runs nothing: lists the migrations, and says whether the release can be rolled' },
    'allow-outage': { type: 'boolean', description: 'runs all of them, though connected servers answer 503 from then on' },
  },
  examples: ['DATABASE_URL=postgres://owner:secret@localhost/pets specwright migrate', 'specwright migrate --plan'],
  failure: 'the database cannot be reached, a migration failed, or servers would have to be stopped before',
  async run({ values }) {
    const { formatPlan, migrate, openDatabase, planMigration } = await import('@specwright/postgres');
    const { DATABASE_VARIABLES } = await import('@specwright/postgres/environment');
    const { readEnvironment } = await import('@specwright/server/environment');
    const project = readProject();
    const config = readEnvironment(DATABASE_VARIABLES);
    const database = await openDatabase({ ...config, name: project.name, dataDir: resolve(config.dataDir) });
    try {
      const schema = await loadSchema(project);
      if (values.plan) return print(formatPlan(await planMigration(database.db, schema)).join('\n'));
      const names = await migrate(database.db, schema, { allowOutage: values['allow-outage'] });
      print(names.length === 0 ? 'the schema is up to date' : names.map((name) => `ran ${name}`).join('\n'));
    } finally {
      await database.close();
    }
  },
});
