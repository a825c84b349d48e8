/** `.ci/run` runs every gate, reports all problems at their lines, and says which it could not run. `npm` and `npx` are stand-ins here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { withFolder } from '../support/tools/folder.ts';

const folder = withFolder();
beforeEach(() => {
  for (const name of ['.ci', '.config', 'package.json', 'scripts']) cpSync(name, join(folder.path, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
});

const NPM = `#!/bin/sh
for arg in "$@"; do
  case "$arg" in
    --outputFile=*) results=\${arg#--outputFile=} ;;
    --runTestsByPath) alone=-alone ;;
  esac
done
if [ -n "$results" ] && [ -f "tests$alone.json" ]; then
  cp "tests$alone.json" "$results"
  ! grep -q '"status":"failed"' "$results"
  exit
fi
[ -f "$2.output" ] && cat "$2.output"
for script in FAILING; do
  if [ "$script" = "$1" ] || [ "$script" = "$2" ]; then exit 1; fi
done
exit 0
`;

interface Result {
  readonly status: number | null;
  /** Of standard output. */
  readonly lines: string[];
  readonly errors: string;
}

/** Runs it with an `npm` and an `npx` that fail at these scripts and commands. */
function run(failing: readonly string[] = [], variables: Record<string, string> = {}, args: readonly string[] = []): Result {
  for (const program of ['npm', 'npx']) folder.write(program, NPM.replace('FAILING', failing.join(' ')));
  // They would be installed if they were missing.
  for (const program of ['pgbouncer', 'promtool']) folder.write(program, '#!/bin/sh\n');
  for (const program of ['npm', 'npx', 'pgbouncer', 'promtool']) chmodSync(join(folder.path, program), 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH: `${folder.path}${delimiter}${PATH}`, HOME, ...variables };
  const { status, stdout, stderr } = spawnSync('bash', [join(folder.path, '.ci/run'), ...args], { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

const BREAKING = 'no unrecorded breaking change';
const all = parse(readFileSync('.config/gates.yaml', 'utf8')) as { group?: string }[];
const GATES = all.filter(({ group }) => group === undefined).length;
/** Those of a group. */
const OTHERS = all.length - GATES;
const SLOW = all.filter(({ group }) => group === 'slow').length;

test('runs every gate in a checkout', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContainEqual(expect.stringMatching(`^::: ${BREAKING}, \\d+ s$`));
  expect(GATES).toBeGreaterThan(10);
  expect(lines.at(-1)).toBe(`gates: ${GATES} passed, 0 failed, ${OTHERS} not run`);
});

test('names the slow tests that it does not run, and runs them and nothing else where they are asked for', () => {
  const { lines } = run();
  expect(lines).toContain('::: NOT RUN: slow tests (bash .ci/run --group slow)');
  const slow = run([], {}, ['--group', 'slow']);
  expect(slow.lines).toContainEqual(expect.stringMatching(/^::: slow tests, \d+ s$/));
  expect(slow.lines.at(-1)).toBe(`gates: ${SLOW} passed, 0 failed, ${all.length - SLOW} not run`);
  expect(run(['test:slow'], {}, ['--group', 'slow'])).toMatchObject({ status: 1 });
  expect(run([], {}, ['--group', 'all']).lines.at(-1)).toBe(`gates: ${all.length - 2} passed, 0 failed, 2 skipped`);
  expect(run([], {}, ['--group', 'quick']).errors).toContain('no gate is in the group quick: the groups are slow, cost, all');
});

test('skips the comparison with the main branch outside of a checkout, says so, and counts it', () => {
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContainEqual(expect.stringContaining(`::: SKIPPED: ${BREAKING}`));
  expect(lines.at(-1)).toBe(`gates: ${GATES - 1} passed, 0 failed, 1 skipped, ${OTHERS} not run`);
});

test('runs the other gates after one has failed, names each that failed, and exits with 1', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  const { status, lines, errors } = run(['check-breaking', 'typecheck']);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe(`gates: ${GATES - 2} passed, 2 failed, ${OTHERS} not run`);
  expect(errors).toMatch(new RegExp(`^FAILED: ${BREAKING} \\(npx specwright check-breaking `, 'm'));
  expect(errors).toMatch(/^FAILED: types \(npm run typecheck\)/m);
});

test('in CI a gate that cannot run has failed', () => {
  const { status, lines, errors } = run([], { CI: 'true' });
  expect(status).toBe(1);
  expect(errors).toContain(`FAILED: ${BREAKING} cannot run here, which CI does not allow`);
  expect(lines.at(-1)).toBe(`gates: ${GATES - 1} passed, 0 failed, 1 skipped, ${OTHERS} not run`);
});

test('stops when nothing could be installed', () => {
  rmSync(join(folder.path, 'node_modules'), { recursive: true });
  const { status, lines, errors } = run(['ci']);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('gates: 0 passed, 1 failed');
  expect(errors).toContain('FAILED: npm ci');
});

describe('a test file that fails beside others', () => {
  const assertion = (status: string) => ({ fullName: 'getPet answers 404 as declared', status });
  const writeResults = (name: string, status: string) => {
    const file = { name: join(folder.path, 'test/pets.test.ts'), status };
    folder.write(name, JSON.stringify({ testResults: [{ ...file, assertionResults: [assertion(status)] }] }));
  };

  test('and passes alone is a warning that names file and test', () => {
    writeResults('tests.json', 'failed');
    writeResults('tests-alone.json', 'passed');
    const { status, lines } = run();
    expect(status).toBe(0);
    const warning = 'test/pets.test.ts: getPet answers 404 as declared passed only when run alone';
    expect(lines).toContain(`WARNING: ${warning}`);
    expect(readFileSync(join(folder.path, '.cache/gates/summary.md'), 'utf8')).toContain(`- ⚠️ ${warning}`);
  });

  test('and alone fails the run, and is named', () => {
    writeResults('tests.json', 'failed');
    writeResults('tests-alone.json', 'failed');
    const { status, lines, errors } = run();
    expect(status).toBe(1);
    expect(errors).toMatch(/^FAILED: tests \(npm test.*\n {2}test\/pets\.test\.ts: getPet answers 404 as declared$/m);
    expect(lines.join('\n')).not.toContain('passed only when run alone');
  });

  test('and cannot be run again fails the run', () => {
    writeResults('tests.json', 'failed');
    expect(run(['test'])).toMatchObject({ status: 1 });
  });
});

test('adds the summary to that of the job, and keeps the output of each gate', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  folder.write('typecheck.output', "src/main.ts(3,5): error TS2322: Type 'string', not 'number'.\n");
  const summary = join(folder.path, 'job.md');
  const { status, lines } = run(['typecheck'], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(status).toBe(1);
  expect(lines).toContain('::error title=types::npm run typecheck failed: see its log');
  expect(readFileSync(summary, 'utf8')).toMatch(/^## Gates: 1 failed\n[^]*\| ❌ \| types \| \d+ s \| `npm run typecheck` \|/);
  expect(readFileSync(join(folder.path, '.cache/gates/logs/types.log'), 'utf8')).toContain('error TS2322');
});
