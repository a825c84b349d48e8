/** `specwright schema` */
import type { Database } from '@specwright/postgres';
import { defineCommand } from '@specwright/server/command';
import { loadSchema, readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Runs the migrations on a new, embedded database, and writes the schema that they make: schema.sql, to be read,\ndatabase.ts, the types of the tables, and schema-digests.json, by which edits of these are noticed.',
  options: { check: { type: 'boolean', description: 'compares with the committed files only' } },
  examples: ['specwright schema', 'specwright schema --check'],
  failure: 'a migration failed, or with --check a file differs',
  async run({ values }) {
    const { dumpSchema, readTables } = await import('@specwright/postgres');
    const { findStale, writeGenerated } = await import('../generate/generated-files.ts');
    const { withMigratedDatabase } = await import('../database/migrated-database.ts');
    const { schemaFiles } = await import('../database/schema-files.ts');
    const project = readProject();
    const files = await withMigratedDatabase(project, await loadSchema(project), async (db: Database) =>
      schemaFiles(project, await dumpSchema(db), await readTables(db)),
    );
    if (!values.check) {
      for (const path of writeGenerated('.', files)) console.log(`wrote ${path}`);
      return;
    }
    const stale = findStale('.', files).map(({ path, committed = '', generated }) => {
      const have = committed.split('\n');
      const index = generated.split('\n').findIndex((line, i) => line !== have[i]);
      return `${path}:${index + 1} differs from what the migrations make: run \`npm run schema\` and commit the result`;
    });
    if (stale.length > 0) throw new Error(stale.join('\n'));
    console.log(`${[...files.keys()].join(' and ')} are what the migrations make`);
  },
});
