/** `specwright gates`: what it prints of each gate, in GitHub Actions too, and its summary. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runProgram } from '../../src/program.ts';

let root: string;
let output: string[];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gates-')));
  mkdirSync(join(root, '.config'));
  writeFileSync(join(root, 'package.json'), '{"name":"shop"}');
  writeFileSync(
    join(root, '.config/gates.yaml'),
    '- { name: types, run: node -p 1+1 }\n- { name: lint, run: node missing.cjs }\n- { name: fuzz, run: node -p 2+2, group: slow }\n',
  );
  output = [];
  for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) delete process.env[name];
  for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockImplementation((line: string) => void output.push(line));
  process.chdir(root);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir('/');
  rmSync(root, { recursive: true });
});

test('prints the output of each gate, and which have failed; a gate of another group does not run', async () => {
  expect(await runProgram(['gates', '--parallel', '1'])).toBe(1);
  expect(output).toEqual(expect.arrayContaining(['::: types\n2', 'FAILED: lint (node missing.cjs), exit code 1', '::: summary']));
  expect(output.find((line) => line.startsWith('::: NOT RUN: fuzz'))).toBeDefined();
  expect(output.at(-1)).toContain('1 gate failed: lint');
  expect(output.filter((line) => line.startsWith('::error'))).toEqual([]);
  expect(readFileSync(join(root, '.cache/gates/summary.md'), 'utf8')).toContain('lint');
});

test('in GitHub Actions it annotates what has failed, and adds to the summary of the job', async () => {
  const summary = join(root, 'job.md');
  writeFileSync(summary, '# Before\n');
  Object.assign(process.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(await runProgram(['gates', '--parallel', '1'])).toBe(1);
  expect(output).toContainEqual(expect.stringMatching(/^::error .*lint/));
  expect(readFileSync(summary, 'utf8')).toBe(`# Before\n${readFileSync(join(root, '.cache/gates/summary.md'), 'utf8')}`);
});

test.each(['0', '1.5', 'many'])('refuses --parallel %s', async (parallel) => {
  expect(await runProgram(['gates', '--parallel', parallel])).toBe(2);
  expect(output.join('\n')).toContain('--parallel must be a whole number from 1');
});
