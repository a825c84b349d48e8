/** The CPU cost of a request: this server beside its peers, in memory, over loopback and with PostgreSQL. */
import { parseArgs } from 'node:util';
import { check, setBaseline } from './requests/gate.ts';
import { measureAll } from './requests/measure-all.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { writeReport } from './requests/report/report.ts';
import { readJson, RESULTS, saveRun, writeFormatted, type Results } from './requests/report/results.ts';
import { HARNESSES, SERVERS, type Harness } from './requests/servers/servers.ts';
import { printRun } from './requests/report/table.ts';

export const help = `npm run bench -- requests [options]

Measures this server and its peers in turn, in one run. Installs the peers on first use. About 7 minutes.

  --harness LIST      memory, loopback, postgres; all if it is not given
  --servers LIST      only these: ${SERVERS.map(({ id }) => id).join(', ')}
  --rounds N          rounds of each harness: 25 in memory, 5 over loopback
  --node VERSION|PATH the Node that runs the servers, e.g. 24; this one if it is not given
  --save              writes bench/results/requests.json, docs/benchmarks.md and its charts
  --report            writes docs/benchmarks.md and its charts from the saved results; measures nothing
  --json FILE         writes the results of this run to a file
  --check             the gate: fails if a request in memory got over 15 % slower beside node:http than bench/results/baseline.json says
  --set-baseline      records the ratios of now as the baseline
  --figures FILE      with --check or --set-baseline: figures as --json writes them, instead of measuring`;

const options = {
  harness: { type: 'string' },
  servers: { type: 'string' },
  rounds: { type: 'string' },
  node: { type: 'string' },
  save: { type: 'boolean', default: false },
  report: { type: 'boolean', default: false },
  json: { type: 'string' },
  check: { type: 'boolean', default: false },
  figures: { type: 'string' },
  'set-baseline': { type: 'boolean', default: false },
} as const;

/** @returns the exit code. @throws UsageError for arguments that make no sense. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.report) {
    await writeReport(readJson<Results>(RESULTS, {}));
    return 0;
  }
  const node = nodeExecutable(values.node);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number from 1');
  const gateOptions = { figuresFile: values.figures, rounds };
  if (values['set-baseline']) return setBaseline(node, gateOptions);
  if (values.check) return check(node, gateOptions);

  const measured = await measureAll({
    node,
    harnesses: listed<Harness>(values.harness, HARNESSES, '--harness') ?? HARNESSES,
    servers: listed(
      values.servers,
      SERVERS.map(({ id }) => id),
      '--servers',
    ),
    rounds,
  });
  printRun(measured);
  if (values.json !== undefined) await writeFormatted(values.json, JSON.stringify(measured));
  if (values.save) await writeReport(await saveRun(measured));
  return 0;
}

/** @throws Error that names what there is to choose from. */
function listed<T extends string>(list: string | undefined, known: readonly T[], option: string): T[] | undefined {
  const names = list?.split(',').map((name) => name.trim());
  const wrong = names?.find((name) => !(known as readonly string[]).includes(name));
  if (wrong !== undefined) throw new Error(`${option}: there is no ${wrong}; choose from ${known.join(', ')}`);
  return names as T[] | undefined;
}
