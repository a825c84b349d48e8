/** `specwright db` */
import { resolve } from 'node:path';
import { defineCommand, UsageError, print } from '@specwright/server/command';
import { readProject, type Project } from '../project-config.ts';

interface Values {
  readonly command: string | undefined;
  readonly yes: boolean;
}

type Action = (project: Project, values: Values) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  psql: openPsql,
  reset,
  url: printUrl,
};

export const command = defineCommand({
  description:
    'psql opens a prompt on the database that npm start uses: the embedded one, which it starts if it does not run, or that of\nDATABASE_URL. reset drops the embedded one and all its data; the next start makes it again. url prints where it is, if it runs.\nBackups: pg_dump and pg_restore.',
  positionals: ['ACTION'],
  options: {
    command: { type: 'string', value: 'SQL', description: 'psql: runs this and ends' },
    yes: { type: 'boolean', description: 'reset: does not ask' },
  },
  examples: ["specwright db psql --command 'SELECT count(*) FROM pets'", 'specwright db reset --yes'],
  failure: 'the database cannot be reached, does not run (url), is not the embedded one (reset), or psql failed or is missing',
  async run({ positionals: [name = ''], values }) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) throw new UsageError(`unknown action ${name}; there are ${Object.keys(ACTIONS).join(', ')}`);
    await action(readProject(), values);
  },
});

/** Where the database of the project is: the URL if it is not embedded, and the folder of the embedded one. */
async function readLocation() {
  const { DATABASE_VARIABLES } = await import('@specwright/postgres/environment');
  const { readEnvironment } = await import('@specwright/server/environment');
  const { databaseUrl, dataDir } = readEnvironment(DATABASE_VARIABLES);
  return { databaseUrl, dataDir: resolve(dataDir) };
}

async function openPsql({ name }: Project, { command }: Values): Promise<void> {
  const { databaseUrl, dataDir } = await readLocation();
  const { runPsql } = await import('../database/commands.ts');
  if (databaseUrl !== undefined) return runPsql(databaseUrl, command);
  const { startEmbedded } = await import('@specwright/embedded-postgres');
  const embedded = await startEmbedded({ dataDir, database: name });
  await runPsql(embedded.url, command).finally(() => embedded.stop());
}

async function printUrl({ name }: Project): Promise<void> {
  const { databaseUrl, dataDir } = await readLocation();
  const { findEmbedded } = await import('@specwright/embedded-postgres');
  const url = databaseUrl ?? (await findEmbedded({ dataDir, database: name }));
  if (url === undefined)
    throw new Error(
      'the embedded database does not run: start it with `npm run dev` or `npm start`; `npx specwright db psql` starts it itself',
    );
  print(url);
}

async function reset(project: Project, { yes }: Values): Promise<void> {
  const { databaseUrl, dataDir } = await readLocation();
  const { resetDatabase } = await import('../database/commands.ts');
  const question = `drop the embedded database ${project.name} in ${dataDir}, with all its data?`;
  if (!yes && !(await confirm(question))) throw new Error('nothing was dropped: npx specwright db reset --yes');
  await resetDatabase(project, dataDir, databaseUrl);
  print('dropped. The next start makes it again; `npm run dev` starts its server again now, `npm start` has to be restarted');
}

/** Asks in a terminal; without one the answer is no. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} (yes/no) `).finally(() => terminal.close());
  return /^y(es)?$/i.test(answer.trim());
}
