/** `.ci/run` counts its gates, stops at the first that fails, and says aloud which it could not run. `npm` is a stand-in here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
  cpSync('.ci', join(folder, '.ci'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it with an `npm` that fails at the script of this name. @returns its exit code, and what it printed, by line. */
function run(failing = 'none'): { status: number | null; lines: string[]; errors: string } {
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n[ "$2" != "${failing}" ]\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  const { status, stdout, stderr } = spawnSync('bash', [join(folder, '.ci/run')], { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

const GATE = 'no breaking change that is not recorded';

test('in a checkout every gate runs', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContain(`::: ${GATE}`);
  expect(lines.at(-1)).toBe(`gates: ${lines.length - 1} passed, 0 failed`);
});

test('outside of one the comparison with the main branch is skipped, said aloud, and counted', () => {
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContainEqual(expect.stringContaining(`::: SKIPPED: ${GATE}`));
  expect(lines.at(-1)).toBe(`gates: ${lines.length - 2} passed, 0 failed, 1 skipped`);
});

test('a breaking change ends the run, and the gate is named', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines, errors } = run('check-breaking');
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe(`gates: ${lines.length - 2} passed, 1 failed`);
  expect(errors).toContain(`FAILED: ${GATE}`);
});
