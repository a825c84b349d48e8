/**
 * `node scripts/gates.mjs [--group NAME|all]`: runs the gates of .config/gates.yaml, two at a time, also after one has failed, and reports
 * them together. A test file that failed is run again alone: if it passes then, that is a warning. Logs and summary.md are in .cache/gates.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

const FOLDER = '.cache/gates';
const PARALLEL = 2;
/** So many failing files are not a busy machine's doing, and to run them again would take as long as the first time. */
const MAX_RETRIED_FILES = 10;

const { values } = parseArgs({ options: { group: { type: 'string' } } });
const all = parse(readFileSync('.config/gates.yaml', 'utf8'));
const gates = all.filter(({ group }) => values.group === 'all' || group === values.group);
if (gates.length === 0) {
  const groups = new Set(all.flatMap(({ group }) => group ?? []));
  console.error(`no gate is in the group ${values.group}: the groups are ${[...groups, 'all'].join(', ')}`);
  process.exit(2);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(join(FOLDER, 'logs'), { recursive: true });
const left = all.filter((gate) => !gates.includes(gate));
for (const { name, group } of left) console.log(`::: NOT RUN: ${name} (bash .ci/run${group === undefined ? '' : ` --group ${group}`})`);
const skipped = gates.filter(({ needs }) => needs === 'git' && !isCheckout());
for (const { name, otherwise } of skipped) console.log(`::: SKIPPED: ${name} (${otherwise})`);

const results = [];
const queue = gates.filter((gate) => !skipped.includes(gate));
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) results.push(await report(gate));
  }),
);
// Nothing else runs by now.
const warnings = [];
for (const result of results) if (result.code !== 0 && result.gate.jest) await runFailedTestsAlone(result);

const failed = results.filter(({ code }) => code !== 0);
// In CI a gate that cannot run has failed.
const isRefused = process.env.CI !== undefined && skipped.length > 0;
writeSummary();
console.log('::: summary');
for (const warning of warnings) console.log(`WARNING: ${warning}`);
for (const { gate, seconds, code, problems } of failed) {
  console.error(`FAILED: ${gate.name} (${gate.run}), exit code ${code}, ${seconds} s`);
  for (const problem of problems) console.error(`  ${problem}`);
}
if (isRefused) for (const { name } of skipped) console.error(`FAILED: ${name} cannot run here, which CI does not allow`);
const others = [
  [skipped.length, 'skipped'],
  [left.length, 'not run'],
].flatMap(([count, state]) => (count > 0 ? [`${count} ${state}`] : []));
console.log([`gates: ${results.length - failed.length} passed`, `${failed.length} failed`, ...others].join(', '));
if (failed.length > 0 || isRefused) process.exitCode = 1;

function isCheckout() {
  try {
    return execFileSync('git', ['rev-parse', '--is-inside-work-tree'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
}

/** Runs a gate, and prints what it has printed. */
async function report(gate, args = gate.jest ? jestOptions(gate) : []) {
  const result = await run(gate, args);
  console.log(`::: ${gate.name}, ${result.seconds} s\n${result.output.trimEnd()}`);
  if (result.code !== 0) console.log(`FAILED: ${gate.name} (${gate.run}), exit code ${result.code}`);
  return result;
}

function run(gate, args) {
  const began = performance.now();
  const [command, ...words] = gate.run.split(' ');
  const log = createWriteStream(join(FOLDER, 'logs', `${slug(gate)}.log`));
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    let output = '';
    const add = (text) => {
      output += text;
      log.write(text);
    };
    const end = (code) =>
      log.end(() => resolve({ gate, code, output, seconds: Math.round((performance.now() - began) / 1000), problems: [] }));
    const child = spawn(command, [...words, ...args], { stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', add);
    child.once('error', ({ message }) => {
      add(message);
      end(127);
    });
    child.once('close', end);
  });
}

/** A test that fails on a busy machine and passes alone is a defect of the test, not of the change: a warning. */
async function runFailedTestsAlone(result) {
  const tests = readFailedTests(result.gate);
  const files = [...new Set(tests.map(({ file }) => file))];
  result.problems = tests.map(format);
  if (files.length === 0 || files.length > MAX_RETRIED_FILES) return;
  const again = { ...result.gate, name: `${result.gate.name}, the files that failed, alone` };
  const alone = await report(again, [...jestOptions(again), '-i', '--runTestsByPath', ...files]);
  const still = readFailedTests(again);
  if (alone.code === 0 && existsSync(resultsOf(again)) && still.length === 0) {
    result.code = 0;
    warnings.push(...tests.map((test) => `${format(test)} passed only when run alone`));
  } else result.problems = still.map(format);
}

function jestOptions(gate) {
  return ['--json', `--outputFile=${resultsOf(gate)}`];
}

function resultsOf(gate) {
  return join(FOLDER, `${slug(gate)}.json`);
}

function slug({ name }) {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Of what jest writes: https://jestjs.io/docs/configuration#testresultsprocessor-string */
function readFailedTests(gate) {
  if (!existsSync(resultsOf(gate))) return [];
  const { testResults } = JSON.parse(readFileSync(resultsOf(gate), 'utf8'));
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => ({ file, name: test.fullName }));
    return status === 'failed' && failed.length === 0 ? [{ file, name: 'could not be run' }] : failed;
  });
}

function format({ file, name }) {
  return `${file}: ${name}`;
}

function writeSummary() {
  const state = (code) => (code === 0 ? '✅' : '❌');
  const text = [
    `## Gates: ${failed.length === 0 ? 'all passed' : `${failed.length} failed`}`,
    '| | Gate | Time | Command |\n| --- | --- | --- | --- |',
    ...results.map(({ gate, code, seconds }) => `| ${state(code)} | ${gate.name} | ${seconds} s | \`${gate.run}\` |`),
    ...skipped.map(({ name, otherwise }) => `| ➖ | ${name} | skipped | ${otherwise} |`),
    ...[...failed.flatMap(({ problems }) => problems), ...warnings.map((warning) => `⚠️ ${warning}`)].map((line) => `\n- ${line}`),
    ...results.flatMap(({ gate: { report } }) =>
      report !== undefined && existsSync(join(FOLDER, report)) ? [`\n${readFileSync(join(FOLDER, report), 'utf8')}`] : [],
    ),
  ].join('\n');
  writeFileSync(join(FOLDER, 'summary.md'), `${text.replace('\n| |', '\n\n| |')}\n`);
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, `${text}\n`);
  if (GITHUB_ACTIONS) for (const { gate } of failed) console.log(`::error title=${gate.name}::${gate.run} failed: see its log`);
}
