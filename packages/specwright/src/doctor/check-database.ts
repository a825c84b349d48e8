/** Checks the database that the project would use: the one at DATABASE_URL, or the embedded one; and its migrations. */
import { resolve } from 'node:path';
import {
  addressOf,
  connectionProblem,
  DATABASE_VARIABLES,
  inspectDatabase,
  type DatabaseSchema,
  type DatabaseState,
} from '@specwright/postgres';
import { inspectEmbedded } from '@specwright/embedded-postgres';
import { readEnvironment } from '@specwright/server';
import { loadSchema, type Project } from '../project-config.ts';
import { problem, problemOf, ok, warning, type Check, type CheckResult } from './checks.ts';

/** The time for a database to answer, in ms. */
const TIMEOUT_MS = 1000;

/** @returns checks that share one connection. */
export function databaseChecks(project: Project, environment: NodeJS.ProcessEnv = process.env): Check[] {
  const schema = loadSchema(project);
  // Each check that needs it reports it.
  schema.catch(() => undefined);
  let variables;
  try {
    variables = readEnvironment(DATABASE_VARIABLES, environment);
  } catch (error) {
    return [{ name: 'database', run: () => problemOf(error) }];
  }
  const { databaseUrl, databaseDirectUrl, dataDir } = variables;
  if (databaseUrl !== undefined) {
    const state = look(databaseUrl, schema);
    return [
      { name: 'database', run: async () => describe(addressOf(databaseUrl), databaseUrl, await state) },
      { name: 'pooler', run: async () => describePooler(await state, databaseDirectUrl) },
      { name: 'migrations', run: async () => describeMigrations(await schema, await state) },
    ];
  }
  const embedded = inspectEmbedded({ dataDir: resolve(project.root, dataDir), database: project.name });
  embedded.catch(() => undefined);
  const state = embedded.then(({ url }) => (url === undefined ? undefined : look(url, schema)));
  state.catch(() => undefined);
  return [
    {
      name: 'database',
      async run() {
        const { major, exists, url } = await embedded;
        const what = `embedded PostgreSQL ${major} in ${dataDir}`;
        if (url !== undefined) return describe(what, url, await state);
        return ok(exists ? `${what} can be started` : `${what} can be made by the first start`);
      },
    },
    { name: 'migrations', run: async () => describeMigrations(await schema, await state.catch(() => undefined)) },
  ];
}

type Looked = DatabaseState | { readonly error: unknown };

const look = (url: string, schema: Promise<DatabaseSchema>): Promise<Looked> =>
  schema
    .catch(() => undefined)
    .then((known) => inspectDatabase(url, known, TIMEOUT_MS))
    .catch((error: unknown) => ({ error }));

function describe(what: string, url: string, state: Looked | undefined): CheckResult {
  if (state === undefined) return ok(what);
  if ('error' in state) {
    const { message, fix } = connectionProblem(state.error, url);
    return problem(`${what} cannot be used: ${message}`, fix);
  }
  if (!state.isSupported) return problem(`${what} is PostgreSQL ${state.version}`, 'use PostgreSQL 14 or later');
  if (state.standby) return warning(`${what} is a standby, which takes no writes`, 'name the primary in DATABASE_URL');
  return ok(`${what} answers: PostgreSQL ${state.version}`);
}

function describePooler(state: Looked, directUrl: string | undefined): CheckResult {
  if ('error' in state) return ok('not known: the database does not answer');
  if (!state.isRelayed) return ok('none between here and the database');
  if (directUrl !== undefined) return ok('something is between here and the database; DATABASE_DIRECT_URL goes past it');
  return warning(
    'something is between here and the database',
    'if it is PgBouncer in transaction mode, set DATABASE_DIRECT_URL (docs/scaling.md)',
  );
}

function describeMigrations({ migrations }: DatabaseSchema, state: Looked | undefined): CheckResult {
  if (state === undefined) return ok(`${migrations.length}; those that the embedded database lacks are run by the next start`);
  if ('error' in state) return ok(`${migrations.length}; not compared: the database does not answer`);
  if (state.schemaProblem === undefined) return ok(`all ${migrations.length} have run`);
  const [, message = state.schemaProblem, fix = ''] = /^(.*?): (.*)$/s.exec(state.schemaProblem) ?? [];
  return problem(message, fix);
}
