/** `.ci/run` runs every gate, reports those that failed together, and says which it could not run. `npm` is a stand-in here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
  cpSync('.ci', join(folder, '.ci'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it with an `npm` that fails at these scripts. @returns its exit code, and what it printed, by line. */
function run(...failing: string[]): { status: number | null; lines: string[]; errors: string } {
  const cases = failing.map((script) => `"${script}"`).join('|') || '"none"';
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncase "$1" in ${cases}) exit 1;; esac\ncase "$2" in ${cases}) exit 1;; esac\n`);
  // It would be installed if it were missing.
  writeFileSync(join(folder, 'pgbouncer'), '#!/bin/sh\n');
  for (const program of ['npm', 'pgbouncer']) chmodSync(join(folder, program), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  const { status, stdout, stderr } = spawnSync('bash', [join(folder, '.ci/run')], { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

const BREAKING = 'no unrecorded breaking change';
/** How many gates the script names. */
const GATES = (readFileSync('.ci/run', 'utf8').match(/^ *gate '/gm) ?? []).length;

test('runs every gate in a checkout', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContain(`::: ${BREAKING}`);
  expect(GATES).toBeGreaterThan(10);
  expect(lines.at(-1)).toBe(`gates: ${GATES} passed, 0 failed`);
});

test('skips the comparison with the main branch outside of a checkout, says so, and counts it', () => {
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContainEqual(expect.stringContaining(`::: SKIPPED: ${BREAKING}`));
  expect(lines.at(-1)).toBe(`gates: ${GATES - 1} passed, 0 failed, 1 skipped`);
});

test('runs the other gates after one has failed, names each that failed, and exits with 1', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines, errors } = run('check-breaking', 'typecheck');
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe(`gates: ${GATES - 2} passed, 2 failed`);
  for (const name of [BREAKING, 'types']) expect(errors).toMatch(new RegExp(`^FAILED: .*${name} \\(npm run`, 'm'));
});

test('stops when nothing could be installed', () => {
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const { status, lines, errors } = run('cit');
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('gates: 0 passed, 1 failed');
  expect(errors).toContain('FAILED: npm cit installed nothing');
});
