/** Throughput per core: the pet store as one process and as several that share its port, with API key, exact limits and log. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, readProjectConfig } from 'specwright';
import type { Database } from '@specwright/postgres';
import { compile, compiled } from './requests/compile.ts';
import { withDatabase } from './requests/database.ts';
import type { Load, Loaded } from './requests/load-generator.ts';
import { CONNECTIONS } from './requests/loopback.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { exchangeOf, type Exchange } from './requests/operations.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';
import { nextMessage } from './requests/servers/running-server.ts';
import { childrenCpu, processTreeCpu } from './support/process-tree.ts';
import { fillWorkers, formatWorkers, WORKERS_RESULTS, type Workers, type WorkersFigure } from './workers/report.ts';
import { startService, type RunningService } from './workers/service.ts';

export const help = `npm run bench -- workers [options]

GET of one row of PostgreSQL by its key, with API key, exact limits and log, of the pet store with WORKERS=1 and with WORKERS=2, in turn:
requests for each second of their CPU. About 1 minute. Linux only.

  --workers LIST      numbers of workers: 1,2 if it is not given
  --rounds N          rounds of each: 5 if it is not given
  --node VERSION|PATH the Node that runs them
  --save              writes bench/results/workers.json and its section of bench/results/README.md`;

const ROUND_MS = 3000;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workers: { type: 'string', default: '1,2' },
      rounds: { type: 'string', default: '5' },
      node: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  });
  const [rounds, ...counts] = [values.rounds, ...values.workers.split(',')].map(Number) as [number, ...number[]];
  if (![rounds, ...counts].every((count) => Number.isInteger(count) && count > 0))
    throw new Error('--rounds and --workers must be whole numbers from 1');
  const node = nodeExecutable(values.node);
  const { show, clear } = createProgress();
  const project = readProjectConfig();
  await Promise.all([compile(), build(project)]);
  const figures = await withDatabase(async ({ db, env, target }) => {
    const services: RunningService[] = [];
    const generator = fork(compiled('load-generator'), [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
    try {
      for (const count of counts) {
        const logFile = join(env['DATA_DIR'] ?? '', `log-${count}`);
        services.push(await startService({ node, program: join(project.root, '.build/main.js'), logFile }, count, env));
      }
      const measure = createMeasurement(generator, await databasePid(db), exchangeOf('getPet', target));
      const best = new Map<RunningService, WorkersFigure>();
      for (let round = -1; round < rounds; round++) {
        show(`round ${round + 1} of ${rounds}`);
        for (const service of services) {
          const figure = await measure(service);
          if (round >= 0 && figure.cpu.service < (best.get(service)?.cpu.service ?? Infinity)) best.set(service, figure);
        }
      }
      return [...best.values()];
    } finally {
      generator.kill();
      await Promise.all(services.map((service) => service.stop()));
    }
  });
  clear();
  const { date, commit, machine } = describeRun('', {}, {});
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const measured = { date, commit, machine, node: version, load: loadavg()[1] ?? 0, figures };
  console.log(formatWorkers(measured));
  if (!values.save) return 0;
  const saved: Workers = { ...readJson<Workers>(WORKERS_RESULTS, {}), [major(version)]: measured };
  await writeFormatted(WORKERS_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillWorkers(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}

async function databasePid(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { text: string }[] }>(`SELECT pg_read_file('postmaster.pid') AS text`);
  return Number(rows[0]?.text.split('\n')[0]);
}

function createMeasurement(generator: ChildProcess, database: number, exchange: Exchange) {
  const failed = (what: string) => new Error(`the load generator: ${what}`);
  return async (service: RunningService): Promise<WorkersFigure> => {
    const read = () => ({
      service: processTreeCpu(service.pid),
      database: processTreeCpu(database),
      load: processTreeCpu(generator.pid ?? 0),
      workers: childrenCpu(service.pid),
    });
    const before = read();
    generator.send({ port: service.port, exchange, connections: CONNECTIONS * service.workers, ms: ROUND_MS } satisfies Load);
    const loaded = (await nextMessage(generator, failed)) as Loaded;
    if ('error' in loaded) throw new Error(`${service.workers} workers: ${loaded.error}`);
    const after = read();
    const perRequest = (part: 'service' | 'database' | 'load') => ((after[part] - before[part]) * 1000) / loaded.requests;
    const workers = after.workers.map((ms, i) => ms - (before.workers[i] ?? 0));
    const total = workers.reduce((sum, ms) => sum + ms, 0);
    return {
      workers: service.workers,
      perSecond: Math.round((loaded.requests / loaded.ms) * 1000),
      cpu: { service: perRequest('service'), database: perRequest('database'), load: perRequest('load') },
      busiest: total === 0 ? 1 : Math.max(...workers) / total,
    };
  };
}
