/** Runs all gates, as many at a time as asked for; then the test files that failed beside others once more, alone. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gitIn } from '../node-arguments.ts';
import { ALL_GROUPS, type Gate, type ProcessorTime, compareProcessorTime, parseTimes, startCalibration, timed } from './gates-file.ts';
import { type TestFailure, type TestFile, readJestResults } from './jest-results.ts';

/** So many failing files are not a busy machine's doing, and to run them again would take as long as the first time. */
const MAX_RETRIED_FILES = 10;

export interface Run {
  readonly results: readonly Outcome[];
  readonly skipped: readonly Gate[];
  /** Those of other groups than the run's. */
  readonly left: readonly Gate[];
  /** Where logs and reports are. */
  readonly folder: string;
  readonly processorTime: ProcessorTime;
}

export interface Outcome extends GateResult {
  readonly passed: boolean;
  /** Of jest: all test files; in those that were run again, the failures of that run. */
  readonly tests?: readonly TestFile[];
  /** Tests that failed beside others and passed alone: a warning each. */
  readonly passedAlone: readonly (TestFailure & { readonly file: string })[];
}

export interface RunOptions {
  readonly root: string;
  /** The group whose gates run: `all` for every gate; without it, the gates that are in none. */
  readonly group: string | undefined;
  /** Emptied first. */
  readonly folder: string;
  /** How many gates run side by side. */
  readonly parallel: number;
  readonly onResult: (result: GateResult) => void;
  readonly onSkip: (gate: Gate) => void;
  /** Is told of each gate of another group. */
  readonly onLeave: (gate: Gate) => void;
}

/** @throws Error if the group has no gate. */
export async function runGates(all: readonly Gate[], options: RunOptions): Promise<Run> {
  const { root, group, folder, parallel, onResult, onSkip, onLeave } = options;
  const gates = all.filter((gate) => group === ALL_GROUPS || gate.group === group);
  if (gates.length === 0) throw new Error(`no gate is in the group ${String(group)}: ${groupsOf(all)}`);
  const left = all.filter((gate) => !gates.includes(gate));
  left.forEach(onLeave);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const inGit = gitIn(root)('rev-parse', '--is-inside-work-tree') !== undefined;
  const skipped = gates.filter(({ needs }) => needs === 'git' && !inGit);
  skipped.forEach(onSkip);
  const queue = gates.filter((gate) => !skipped.includes(gate));
  const results: GateResult[] = [];
  const lane = async () => {
    for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) {
      const result = await runGate(gate, gate.jest ? jestOptions(folder, gate) : [], root, logOf(folder, gate));
      onResult(result);
      results.push(result);
    }
  };
  const endCalibration = startCalibration();
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, lane));
  const processorTime = compareProcessorTime(results, endCalibration());
  const outcomes: Outcome[] = [];
  // Nothing else runs by now.
  for (const result of results) outcomes.push(result.gate.jest ? await judgeTests(result, options) : judge(result));
  return { results: outcomes, skipped, left, folder, processorTime };
}

const groupsOf = (gates: readonly Gate[]): string => {
  const names = new Set(gates.flatMap(({ group = [] }) => group));
  return names.size === 0 ? 'the gates have no groups' : `the groups are ${[...names, ALL_GROUPS].join(', ')}`;
};

const judge = (result: GateResult): Outcome => ({ ...result, passed: result.code === 0, passedAlone: [] });

/** A test that fails on a busy machine and passes alone is a defect of the test, not of the change: it is reported, and does not fail the run. */
async function judgeTests(result: GateResult, { root, folder, onResult }: RunOptions): Promise<Outcome> {
  const tests = readJestResults(resultsOf(folder, result.gate), root);
  const failed = tests?.filter(({ failures }) => failures.length > 0) ?? [];
  if (result.code === 0 || tests === undefined || failed.length === 0 || failed.length > MAX_RETRIED_FILES)
    return { ...judge(result), ...(tests && { tests }) };
  const again: Gate = { ...result.gate, name: `${result.gate.name}, ${failed.length === 1 ? 'a file' : 'files'} that failed, alone` };
  const files = failed.map(({ file }) => file);
  const alone = await runGate(again, [...jestOptions(folder, again), '-i', '--runTestsByPath', ...files], root, logOf(folder, again));
  onResult(alone);
  const rerun = readJestResults(resultsOf(folder, again), root) ?? [];
  const isGreen = alone.code === 0 && files.every((file) => rerun.some((test) => test.file === file && test.failures.length === 0));
  const passedAlone = failed
    .filter(({ file }) => rerun.some((test) => test.file === file && test.failures.length === 0))
    .flatMap(({ file, failures }) => failures.map((failure) => ({ ...failure, file })));
  const merged = tests.map((test) => rerun.find(({ file }) => file === test.file) ?? test);
  return { ...result, seconds: result.seconds + alone.seconds, passed: isGreen, tests: merged, passedAlone };
}

const slug = ({ name }: Gate): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const logOf = (folder: string, gate: Gate): string => join(folder, 'logs', `${slug(gate)}.log`);
const resultsOf = (folder: string, gate: Gate): string => join(folder, `${slug(gate)}.json`);
const jestOptions = (folder: string, gate: Gate): string[] => [
  '--json',
  `--outputFile=${resultsOf(folder, gate)}`,
  '--testLocationInResults',
];

/** Runs the command of a gate, and keeps what it printed. */
interface GateResult {
  readonly gate: Gate;
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** Of it and all that it started; `undefined` on Windows. */
  readonly cpuSeconds: number | undefined;
  /** Standard output and standard error. */
  readonly output: string;
}

/** @param args more arguments. @param log the file that its output goes to as well, while it runs. */
async function runGate(gate: Gate, args: readonly string[], root: string, log: string): Promise<GateResult> {
  const began = performance.now();
  const [command = '', ...words] = gate.run.split(' ');
  const file = createWriteStream(log);
  const isWindows = process.platform === 'win32';
  const [program, all] = isWindows ? [command, [...words, ...args]] : timed([command, ...words, ...args]);
  const { code, output, times } = await new Promise<{ code: number | null; output: string; times: string }>((resolve) => {
    const child = spawn(program, all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], shell: isWindows });
    let [output, times] = ['', ''];
    const add = (text: string) => {
      output += text;
      file.write(text);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', add);
    child.stdio[3]?.on('data', (data: Buffer) => (times += data.toString()));
    child.once('error', ({ message }) => {
      add(message);
      resolve({ code: 127, output, times });
    });
    child.once('close', (code) => resolve({ code, output, times }));
  });
  file.end();
  await finished(file);
  return { gate, code, seconds: Math.round((performance.now() - began) / 1000), cpuSeconds: parseTimes(times), output };
}
