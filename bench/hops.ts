/** How many of our files and functions one warm request runs: what somebody has to read who follows it. */
import { defineCommand } from '@specwright/server/command';
import { callsOf, countHops, type Hops } from './hops/measure.ts';
import { drawPath, isDrawn } from './hops/draw-path.ts';
import { BOUNDS, hopsRequests } from './hops/requests.ts';
import { SERVERS } from './requests/servers.ts';
import { nodeExecutable, NODE_OPTION } from './support/arguments.ts';
import { compile, SPEC } from './support/compile.ts';
import { createAccountWithPets, withDatabase } from './support/database.ts';
import { table } from './support/report.ts';
import { withServers } from './support/running-server.ts';

/** The request whose path docs/architecture.md draws. */
const DRAWN = 'GET of a row';
/** Each file that a request comes to is a stop of the debugger: longer than the store of limits may take. */
const DEBUGGED = { RATE_LIMIT_TIMEOUT: '60000' };

export const command = defineCommand({
  description: 'Counts the files and calls of our code that one warm request to the pet store with PostgreSQL runs. About 10 seconds.',
  options: {
    node: NODE_OPTION,
    draw: { type: 'boolean', description: 'writes the path of a GET of a row into docs/architecture.md' },
    list: { type: 'string', value: 'REQUEST', description: 'the files of one request, with the functions that it calls: "GET of a row"' },
  },
  examples: ['npm run bench -- hops --draw', 'npm run bench -- hops --list "GET of a row"'],
  failure: 'a request runs more than bench/hops/requests.ts allows, or docs/architecture.md draws another path',
  async run({ values }) {
    const node = nodeExecutable(values.node);
    await compile();
    const measured = await withDatabase({}, async ({ db, env }) => {
      const [subject] = await createAccountWithPets(db, 0, 1);
      if (subject === undefined) throw new Error('the database of the bench has no pet');
      // From its sources: a bundle is one file.
      const entries = SERVERS.filter(({ id }) => id === 'petstore-postgres');
      return withServers(entries, { node, env: { SPEC, ...DEBUGGED, ...env } }, async ([server]) =>
        server?.ask({ kind: 'hops', requests: hopsRequests(subject) }),
      );
    });
    const hops = new Map(Object.keys(BOUNDS).map((title, i) => [title, measured?.[i] ?? {}]));
    if (values.draw) return drawPath(Object.keys(hops.get(DRAWN) ?? {}));
    if (values.list !== undefined) return console.log(formatFiles(hops.get(values.list) ?? {}));
    const { text, exceeded } = compareHops(hops);
    console.log(text);
    if (exceeded.length > 0)
      throw new Error(`${exceeded.join(', ')}: more files or calls than bench/hops/requests.ts allows. Which: --list`);
    if (!isDrawn(Object.keys(hops.get(DRAWN) ?? {})))
      throw new Error(`docs/architecture.md draws another path of a ${DRAWN}: draw it anew with --draw`);
  },
});

const formatFiles = (hops: Hops) =>
  table(
    ['file', 'calls', 'functions'],
    Object.entries(hops).map(([path, functions]) => [path, String(callsOf(functions)), namesOf(functions)]),
  );

/** A function without a name is an arrow that was passed on. */
const namesOf = (functions: Hops[string]) =>
  Object.entries(functions)
    .map(([name, calls]) => `${name.slice(0, name.lastIndexOf('@')) || '=>'}${calls > 1 ? ` ${calls}x` : ''}`)
    .join(', ');

/** @returns a table, and the requests that run more than their bounds, or none of our files. */
export function compareHops(hops: ReadonlyMap<string, Hops>) {
  const rows = [...hops].map(([title, measured]) => ({ title, ...countHops(measured), most: BOUNDS[title] ?? { files: 0, calls: 0 } }));
  return {
    text: table(
      ['one warm request', 'files', 'at most', 'calls', 'at most'],
      rows.map(({ title, files, calls, most }) => [title, files, most.files, calls, most.calls].map(String)),
    ),
    exceeded: rows.filter(({ files, calls, most }) => files > most.files || calls > most.calls || files === 0).map(({ title }) => title),
  };
}
