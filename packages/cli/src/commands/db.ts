/** `specwright db` */
import { resolve } from 'node:path';
import { defineCommand, UsageError } from '@specwright/server/command';
import { readProject } from '../project-config.ts';

const ACTIONS = ['psql', 'reset', 'url'];

export const command = defineCommand({
  description:
    'psql opens a prompt on the database that npm start uses: the embedded one, which it starts if it does not run, or that of\nDATABASE_URL. reset drops the embedded one and all its data; the next start makes it again. url prints where it is, if it runs.',
  positionals: ['ACTION'],
  options: {
    command: { type: 'string', value: 'SQL', description: 'psql: runs this and ends' },
    yes: { type: 'boolean', description: 'reset: does not ask' },
  },
  examples: ["specwright db psql --command 'SELECT count(*) FROM pets'", 'specwright db reset --yes'],
  failure: 'the database cannot be reached, does not run (url), is not the embedded one (reset), or psql failed or is missing',
  async run({ positionals: [action = ''], values }) {
    if (!ACTIONS.includes(action)) throw new UsageError(`unknown action ${action}; there are ${ACTIONS.join(', ')}`);
    const { DATABASE_VARIABLES } = await import('@specwright/postgres');
    const { findEmbedded, startEmbedded } = await import('@specwright/embedded-postgres');
    const { readEnvironment } = await import('@specwright/server');
    const project = readProject();
    const config = readEnvironment(DATABASE_VARIABLES);
    const { databaseUrl } = config;
    const dataDir = resolve(config.dataDir);
    if (action === 'url') {
      const url = databaseUrl ?? (await findEmbedded({ dataDir, database: project.name }));
      if (url === undefined)
        throw new Error(
          'the embedded database does not run: start it with `npm run dev` or `npm start`; `npm run db -- psql` starts it itself',
        );
      console.log(url);
      return;
    }
    if (action === 'reset') {
      const { resetDatabase } = await import('../database/reset-database.ts');
      const question = `drop the embedded database ${project.name} in ${dataDir}, with all its data?`;
      if (!values.yes && !(await confirm(question))) throw new Error('nothing was dropped: npm run db -- reset --yes');
      await resetDatabase({ project, dataDir, databaseUrl });
      console.log('dropped. The next start makes it again; `npm run dev` starts its server again now, `npm start` has to be restarted');
      return;
    }
    const { runPsql } = await import('../database/run-psql.ts');
    if (databaseUrl !== undefined) return runPsql(databaseUrl, values.command);
    const embedded = await startEmbedded({ dataDir, database: project.name });
    await runPsql(embedded.url, values.command).finally(() => embedded.stop());
  },
});

/** Asks in a terminal; without one the answer is no. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} (yes/no) `).finally(() => terminal.close());
  return /^y(es)?$/i.test(answer.trim());
}
