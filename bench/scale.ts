/** What grows and what does not: operations, connections, rows, and the rate at which requests arrive. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compile } from './requests/compile.ts';
import { SPEC } from './requests/measure-all.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, readJson, writeFormatted } from './requests/report/results.ts';
import { measureArrivalRates } from './scale/arrival-rate.ts';
import { measureConnections } from './scale/connections.ts';
import { measureOperations } from './scale/operations.ts';
import { fillScale, formatScale, SCALE_RESULTS, type ScaleFigures, type ScaleRun } from './scale/report.ts';
import { measureRows } from './scale/rows.ts';

export const help = `npm run bench -- scale [options]

CPU of a request with 1 to 845 operations; memory of 10,000 connections; reads among 1,000,000 rows; latency under a constant arrival
rate. About 2 minutes.

  --only LIST         operations, connections, rows, rates; all if it is not given
  --node VERSION|PATH the Node that runs the servers
  --save              writes bench/results/scale.json and its section of bench/results/README.md`;

const PARTS = ['operations', 'connections', 'rows', 'rates'] as const;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, node: { type: 'string' }, save: { type: 'boolean', default: false } },
  });
  const wanted = values.only?.split(',') ?? PARTS;
  const unknown = wanted.find((part) => !(PARTS as readonly string[]).includes(part));
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; choose from ${PARTS.join(', ')}`);
  const node = nodeExecutable(values.node);
  const { show, clear } = createProgress();
  await compile();
  const has = (part: (typeof PARTS)[number]) => wanted.includes(part);
  const figures: ScaleFigures = {
    ...(has('operations') && { operations: await measureOperations(node, show) }),
    ...(has('connections') && { connections: await measureConnections(node, SPEC, show) }),
    ...(has('rates') && { rates: await measureArrivalRates(node, SPEC, show) }),
    ...(has('rows') && { rows: await measureRows(show) }),
  };
  clear();
  const { date, commit, machine } = describeRun('', {}, {});
  const measured: ScaleRun = { date, commit, machine, node: values.node ?? process.version, load: loadavg()[1] ?? 0, figures };
  console.log(formatScale(measured));
  if (!values.save) return 0;
  const last = readJson<ScaleRun | undefined>(SCALE_RESULTS, undefined);
  const saved = last?.commit === commit ? { ...measured, figures: { ...last.figures, ...figures } } : measured;
  await writeFormatted(SCALE_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillScale(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}
