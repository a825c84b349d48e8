/** Where the CPU of a request with PostgreSQL goes: servers that each have one part more, and what queries cost without HTTP. */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { QueryFigure, QueryOptions, QueryResult } from './breakdown/query-process.ts';
import { BREAKDOWN_RESULTS, fillBreakdown, formatBreakdown, type Breakdown, type BreakdownRun } from './breakdown/report.ts';
import { VARIANTS, type Variant } from './breakdown/variants.ts';
import { compile, compiled } from './requests/compile.ts';
import { withDatabase } from './requests/database.ts';
import { measureOverLoopback } from './requests/loopback.ts';
import { SPEC } from './requests/measure-all.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';
import { nextMessage, withServers } from './requests/servers/running-server.ts';
import type { ServerEntry } from './requests/servers/servers.ts';

export const help = `npm run bench -- breakdown [options]

CPU of GET of one row of PostgreSQL by its key, over loopback, of servers that each have one part more than the one before: the
differences are what the parts cost. Then CPU of single queries in a process without HTTP. About 2 minutes.

  --rounds N          rounds of each: 7 if it is not given
  --node VERSION|PATH the Node that runs the servers
  --save              writes bench/results/breakdown.json and its section of bench/results/README.md`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '7' }, node: { type: 'string' }, save: { type: 'boolean', default: false } },
  });
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number from 1');
  const node = nodeExecutable(values.node);
  const { show, clear } = createProgress();
  await compile();
  const measured = await withDatabase(async ({ env: database, target, accountId }): Promise<BreakdownRun> => {
    const env = { SPEC, ...database, CATEGORY_ID: String(target.categoryId) };
    const onRound = (round: number) => show(`servers: round ${round + 1} of ${rounds}`);
    const [version, servers] = await withServers(
      VARIANTS.map(entryOf),
      { node, env },
      async (running) =>
        [running[0]?.node ?? '', await measureOverLoopback(running, { operations: ['getPet'], target, rounds, onRound })] as const,
    );
    show('queries');
    const queries = await measureQueries(node, env, { rounds, accountId, ...target });
    const { date, commit, machine } = describeRun('', {}, {});
    return { date, commit, machine, node: version, load: loadavg()[1] ?? 0, servers, queries };
  });
  clear();
  console.log(formatBreakdown(measured));
  if (!values.save) return 0;
  const saved = { ...readJson<Breakdown>(BREAKDOWN_RESULTS, {}), [major(measured.node)]: measured };
  await writeFormatted(BREAKDOWN_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillBreakdown(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}

const entryOf = (variant: Variant): ServerEntry => ({
  id: variant.id,
  title: variant.title,
  module: compiled(variant.server === 'service' ? 'petstore-postgres' : 'breakdown-server'),
  execArgv: [],
  env: { VARIANT: JSON.stringify(variant.server === 'service' ? variant.parts : variant) },
  packages: [],
  harnesses: [],
});

async function measureQueries(node: string, env: NodeJS.ProcessEnv, options: QueryOptions): Promise<readonly QueryFigure[]> {
  const child = fork(compiled('breakdown-queries'), [], {
    execPath: node,
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...env },
  });
  try {
    child.send(options);
    const result = (await nextMessage(child, (what) => new Error(`the process of the queries ${what}`))) as QueryResult;
    if ('error' in result) throw new Error(`the process of the queries: ${result.error}`);
    return result.figures;
  } finally {
    child.kill('SIGKILL');
  }
}
