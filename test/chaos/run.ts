/** `npm run ts -- test/chaos/run.ts`: breaks the pet store on purpose, and prints what it does meanwhile beside what it may do. */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { didYouMean } from '@specwright/server/command';
import { listScenarios, loadScenario, runScenarios, type Row } from './support/runner.ts';
import { formatTable } from './support/table.ts';

const OPTIONS = {
  save: { type: 'string' },
  before: { type: 'string' },
  rounds: { type: 'string' },
  checkout: { type: 'string' },
  folder: { type: 'string', default: fileURLToPath(new URL('.', import.meta.url)) },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const HELP = `chaos: breaks the pet store on purpose, and prints what it does meanwhile beside what it may do

usage: npm run ts -- test/chaos/run.ts [NAME ...] [options]

Runs the scenarios that are named, or all of them.

options:
  --save FILE     writes the rows as JSON
  --before FILE   shows the values of a saved run beside these
  --rounds N      how often scenarios that repeat something do so
  --checkout DIR  starts the server of another checkout of the project
  --folder DIR    where the scenarios are
  --help          shows this

examples:
  npm run ts -- test/chaos/run.ts overload neighbour
  npm run ts -- test/chaos/run.ts --rounds 3 --save before.json

exit codes:
  0  every figure is what is allowed
  1  a figure is not
  2  the arguments cannot be used
  3  none fails, but some are not measurable, as other processes use too much of the machine
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const folder = resolve(values.folder);
  const known = await listScenarios(folder);
  const list = async () =>
    (await Promise.all(known.map(async (name) => `  ${name.padEnd(16)} ${(await loadScenario(folder, name)).summary}`))).join('\n');
  if (values.help) {
    console.log(`${HELP}\nscenarios:\n${await list()}`);
    return 0;
  }
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const [first = ''] = unknown;
    console.error(`unknown scenario ${unknown.join(', ')}${didYouMean(first, known)}\nscenarios:\n${await list()}`);
    return 2;
  }
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    console.error('--rounds must be a positive integer');
    return 2;
  }
  const before = values.before === undefined ? [] : (JSON.parse(await readFile(values.before, 'utf8')) as { rows: Row[] }).rows;
  const names = positionals.length > 0 ? positionals : known;
  const rows = await runScenarios({
    folder,
    names,
    rounds,
    checkout: values.checkout === undefined ? undefined : resolve(values.checkout),
    progress: (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[2K${text}`),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  const machine = `Node ${process.version}, ${availableParallelism()} processors, load average ${(loadavg()[0] ?? NaN).toFixed(1)}`;
  console.log(`${machine}\n\n${formatTable(rows, before)}`);
  if (values.save !== undefined)
    await writeFile(values.save, `${JSON.stringify({ date: new Date().toISOString(), machine, rows }, null, 2)}\n`);
  if (rows.every(({ ok }) => ok)) return 0;
  return rows.every(({ ok, isUnmeasurable }) => ok || isUnmeasurable) ? 3 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  const unknown = isUsage ? /^Unknown option '(-[^']+)'/.exec((error as Error).message)?.[1] : undefined;
  const names = Object.keys(OPTIONS).map((name) => `--${name}`);
  const problem = unknown === undefined ? (error as Error).message : `unknown option ${unknown}${didYouMean(unknown, names)}`;
  console.error(isUsage ? `${problem}\n\n${HELP}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
