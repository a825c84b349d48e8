/** `npm run test:rehearse`: the contract, faults, what is broken on purpose and the upgrade, in one run, with a report for a person. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatReport, hasPassed, type Rehearsal, type TestRun } from './chaos/support/report.ts';
import { loadScenario, type Row } from './chaos/support/runner.ts';

const SCENARIOS = [
  'rolling-restart',
  'workers',
  'kill-9',
  'database-crash',
  'stock-events',
  'freeze',
  'silent-network',
  'held-lock',
  'lost-answers',
  'readiness',
];
const FOLDER = fileURLToPath(new URL('./chaos', import.meta.url));

const HELP = `test:rehearse: the contract, faults, what is broken on purpose and the upgrade, with a report of what was lost and how long it was away

usage: npm run test:rehearse [-- NAME ...] [options]

Runs the scenarios of test:chaos that are named, or ${SCENARIOS.join(', ')}.

options:
  --checkout DIR  another version of the project, installed, which two servers replace by this one and back; without it no upgrade is rehearsed
  --times N       how often scenarios that repeat something do so
  --out FILE      the report, in Markdown; rehearsal.md if it is not given
  --no-tests      neither the contract walk nor the tests of faults
  --help          shows this

Exits with 1 if anything was lost or took longer than it may.
`;

/** @returns its exit code. Its output is shown. */
const npm = (...args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', ...args], { stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

async function runTests(what: string, file: string, ...args: readonly string[]): Promise<TestRun> {
  await npm(...args, '--json', '--outputFile', file);
  const text = await readFile(file, 'utf8').catch(() => '{"numPassedTests":0,"testResults":[]}');
  type Result = {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  };
  const { numPassedTests, testResults } = JSON.parse(text) as { numPassedTests: number; testResults: readonly Result[] };
  const failed = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const names = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      return names.length > 0 ? names : [name];
    });
  return { what, passed: numPassedTests, failed };
}

async function runChaos(file: string, ...args: readonly string[]): Promise<readonly Row[]> {
  await npm('test:chaos', '--', ...args, '--save', file);
  // NaN, of an error, is null in JSON.
  const { rows } = JSON.parse(await readFile(file, 'utf8')) as {
    rows: readonly (Omit<Row, 'value'> & { readonly value: number | null })[];
  };
  return rows.map((row) => ({ ...row, value: row.value ?? NaN }));
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      checkout: { type: 'string' },
      times: { type: 'string' },
      out: { type: 'string', default: 'rehearsal.md' },
      'no-tests': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP) ?? 0;
  const { checkout, times, out } = values;
  const names = positionals.length > 0 ? positionals : SCENARIOS;
  const upgrade = checkout === undefined ? [] : ['upgrade'];
  const summaries = new Map<string, string>();
  for (const name of [...names, ...upgrade]) summaries.set(name, (await loadScenario(FOLDER, name)).summary);
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  try {
    const tests = values['no-tests']
      ? []
      : [
          await runTests('the contract walk', join(folder, 'walk.json'), 'test', '--', 'test/contract/walk'),
          await runTests('faults', join(folder, 'faults.json'), 'test:all', '--', 'test/faults'),
        ];
    const rows = [
      ...(await runChaos(join(folder, 'chaos.json'), ...names, ...(times === undefined ? [] : ['--rounds', times]))),
      ...(checkout === undefined ? [] : await runChaos(join(folder, 'upgrade.json'), ...upgrade, '--checkout', checkout)),
    ];
    const rehearsal: Rehearsal = {
      version: git('describe', '--always', '--tags', '--dirty'),
      date: new Date().toISOString().slice(0, 16),
      machine: `Node ${process.version}, ${availableParallelism()} processors.${times === undefined ? '' : ` What scenarios repeat, they did ${times} times.`}`,
      tests,
      rows,
      summaries,
      left: [
        ...(checkout === undefined ? ['the upgrade: no other version was given (--checkout DIR)'] : []),
        ...(values['no-tests'] ? ['the contract walk and the tests of faults (--no-tests)'] : []),
      ],
    };
    await writeFile(out, formatReport(rehearsal));
    console.log(`${hasPassed(rehearsal) ? 'nothing was lost' : 'not everything is as it must be'}: ${out}`);
    return hasPassed(rehearsal) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
