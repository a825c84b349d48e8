/** The processor time of the gates is recorded: a fifth more fails the run, a slow machine does not. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { removeFolder, until } from 'specwright/testing';
import {
  compareProcessorTime,
  formatProcessorTime,
  parseTimes,
  processorTimeProblem,
  startCalibration,
} from '../../src/gates/gates-file.ts';
import { formatAnnotations, formatTerminal } from '../../src/gates/report.ts';
import { runGates } from '../../src/gates/run-gates.ts';

const took = (cpuSeconds: number | undefined, recorded?: number, code = 0) => ({
  gate: { name: 'tests', ...(recorded !== undefined && { cpuSeconds: recorded }) },
  code,
  cpuSeconds,
});
const problemOf = (results: readonly ReturnType<typeof took>[], slowness = 1) =>
  processorTimeProblem(compareProcessorTime(results, slowness));

test('a fifth more than recorded passes, and more fails', () => {
  expect(problemOf([took(60, 50), took(60, 50)])).toBeUndefined();
  expect(problemOf([took(75, 50), took(46, 50)])).toMatch(/^the gates take 21 % more processor time than \.config\/gates\.yaml records/);
});

test('on a machine that is half as quick twice the time is the same time', () => {
  expect(problemOf([took(100, 50)], 2)).toBeUndefined();
  expect(problemOf([took(130, 50)], 2)).toBeDefined();
});

test('a gate that failed or was not measured does not count; of one without a recorded time the measured one is printed', () => {
  const time = compareProcessorTime([took(100, 50, 1), took(100), took(undefined, 50)], 1);
  expect(processorTimeProblem(time)).toBeUndefined();
  expect(formatProcessorTime(time)).toEqual([expect.stringMatching(/^processor time: not recorded/), '  tests: 100 s']);
});

test('reads what the shell prints of itself and its children', () => {
  expect(parseTimes('0m0.010s 0m0.020s\n1m2.500s 0m0.470s\n')).toBeCloseTo(63);
  expect(parseTimes('')).toBeUndefined();
});

test('a calibration is some time of the reference', () => {
  expect(startCalibration()()).toBeGreaterThan(0.05);
});

const options = (root: string) => ({
  root,
  folder: join(root, 'gates'),
  parallel: 1,
  onResult: () => undefined,
  onSkip: () => undefined,
  onLeave: () => undefined,
  group: undefined,
});

test('a gate is reported when its log is complete', async () => {
  const root = mkdtempSync(join(tmpdir(), 'gates '));
  const log = join(root, 'gates/logs/print.log');
  const reported: string[] = [];
  const gates = [
    { name: 'skipped', run: 'true', jest: false, needs: 'git' as const },
    { name: 'print', run: 'node print.cjs', jest: false },
  ];
  writeFileSync(join(root, 'print.cjs'), "console.log('printed'); require('node:fs').writeFileSync('ended', '');");
  try {
    const run = runGates(gates, {
      ...options(root),
      onResult: ({ gate }) => void reported.push(gate.name),
      // What is written to this log is not there before it is read.
      onSkip: () => void execFileSync('mkfifo', [log]),
    });
    await until(() => existsSync(join(root, 'ended')), 30_000);
    await sleep(500);
    const early = [...reported];
    expect(await readFile(log, 'utf8')).toBe('printed\n');
    await run;
    expect({ early, reported }).toEqual({ early: [], reported: ['print'] });
  } finally {
    await removeFolder(root);
  }
});

test('counts what the children of a gate take, and a run that takes too much ends with the reason', async () => {
  const root = mkdtempSync(join(tmpdir(), 'gates '));
  const compute = 'const { user } = process.cpuUsage(); while (process.cpuUsage().user - user < 300_000);';
  writeFileSync(join(root, 'busy.cjs'), `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(compute)}]);`);
  try {
    const gates = [{ name: 'busy', run: 'node busy.cjs', jest: false, cpuSeconds: 0.01 }];
    const result = await runGates(gates, options(root));
    expect(result.processorTime.gates[0]?.measured).toBeGreaterThan(0.03);
    expect(formatTerminal(result, root).err).toEqual([expect.stringMatching(/^FAILED: the gates take \d+ % more processor time/)]);
    expect(formatTerminal(result, root).out.join('\n')).toMatch(/processor time: \d+ s, recorded 0\.01 s \(\+\d+ %\)\n {2}busy: /);
    expect(formatAnnotations(result, root)).toEqual([expect.stringMatching(/^::error file=.*title=processor time::the gates take/)]);
  } finally {
    await removeFolder(root);
  }
});
