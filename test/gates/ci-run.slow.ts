/** `.ci/run` runs every gate, reports all problems at their lines, and says which it could not run. `npm` is a stand-in here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { parse } from 'yaml';
import { withBundle } from '../support/projects/bundle.ts';

/** `specwright gates`, and no other command. */
const gates = withBundle(`
  import { command } from './packages/specwright/src/commands/gates.ts';
  import { runProgram } from '@specwright/server/command';
  const commands = { gates: { summary: 'gates', load: async () => ({ command }) } };
  process.exitCode = await runProgram({ name: 'specwright', commands, version: () => '' }, process.argv.slice(2));
`);

let folder: string;
const specwright = () => join(folder, 'node_modules/.bin/specwright');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci run-'));
  for (const name of ['.ci', '.config', 'package.json', 'spec']) cpSync(name, join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(specwright(), `#!/bin/sh\nexec '${process.execPath}' '${gates}' "$@"\n`);
  chmodSync(specwright(), 0o755);
});
afterEach(() => removeFolder(folder));

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

/** Runs it with an `npm` that fails at these scripts. */
function run(failing: readonly string[] = [], variables: Record<string, string> = {}, args: readonly string[] = []): Result {
  writeFileSync(join(folder, 'npm'), NPM.replace('FAILING', failing.join(' ')));
  // They would be installed if they were missing.
  for (const program of ['pgbouncer', 'promtool']) writeFileSync(join(folder, program), '#!/bin/sh\n');
  for (const program of ['npm', 'pgbouncer', 'promtool']) chmodSync(join(folder, program), 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH: `${folder}${delimiter}${PATH}`, HOME, ...variables };
  const { status, stdout, stderr } = spawnSync('bash', [join(folder, '.ci/run'), ...args], { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

const BREAKING = 'no unrecorded breaking change';
const all = parse(readFileSync('.config/gates.yaml', 'utf8')) as { group?: string }[];
const GATES = all.filter(({ group }) => group === undefined).length;

test('runs every gate in a checkout', () => {
  rmSync(specwright());
  symlinkSync(resolve('packages/specwright/bin/specwright.mjs'), specwright());
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContain(`::: ${BREAKING}`);
  expect(GATES).toBeGreaterThan(10);
  expect(lines.at(-1)).toBe(`gates: ${GATES} passed, 0 failed, 1 not run`);
});

test('names the slow tests that it does not run, and runs them and nothing else where they are asked for', () => {
  const { lines } = run();
  expect(lines).toContain('::: NOT RUN: slow tests (bash .ci/run --group slow)');
  const slow = run([], {}, ['--group', 'slow']);
  expect(slow.lines).toContain('::: slow tests');
  expect(slow.lines.at(-1)).toBe(`gates: 1 passed, 0 failed, ${GATES} not run`);
  expect(run(['test:slow'], {}, ['--group', 'slow'])).toMatchObject({ status: 1 });
  expect(run([], {}, ['--group', 'all']).lines.at(-1)).toBe(`gates: ${GATES} passed, 0 failed, 1 skipped`);
  expect(run([], {}, ['--group', 'quick']).errors).toContain('no gate is in the group quick: the groups are slow, all');
});

test('skips the comparison with the main branch outside of a checkout, says so, and counts it', () => {
  const { status, lines } = run();
  expect(status).toBe(0);
  expect(lines).toContainEqual(expect.stringContaining(`::: SKIPPED: ${BREAKING}`));
  expect(lines.at(-1)).toBe(`gates: ${GATES - 1} passed, 0 failed, 1 skipped, 1 not run`);
});

test('runs the other gates after one has failed, names each that failed, and exits with 1', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, lines, errors } = run(['check-breaking', 'typecheck']);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe(`gates: ${GATES - 2} passed, 2 failed, 1 not run`);
  for (const name of [BREAKING, 'types']) expect(errors).toMatch(new RegExp(`^FAILED: .*${name} \\(npm run`, 'm'));
});

test('stops when nothing could be installed', () => {
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const { status, lines, errors } = run(['ci']);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe('gates: 0 passed, 1 failed');
  expect(errors).toContain('FAILED: npm ci');
});

describe('a test file that fails beside others', () => {
  const assertion = (status: string) => ({
    ancestorTitles: ['getPet'],
    title: 'answers 404 as declared',
    status,
    failureMessages: status === 'failed' ? ['Error: too slow\n    at Object.<anonymous> (test/pets.test.ts:7:3)'] : [],
    location: { line: 5, column: 1 },
  });
  const writeResults = (name: string, status: string) => {
    const file = { name: join(folder, 'test/pets.test.ts'), status, message: '', startTime: 0, endTime: 9000 };
    writeFileSync(join(folder, name), JSON.stringify({ testResults: [{ ...file, assertionResults: [assertion(status)] }] }));
  };

  test('and passes alone is a warning that names file and test', () => {
    writeResults('tests.json', 'failed');
    writeResults('tests-alone.json', 'passed');
    const { status, lines } = run([], { GITHUB_ACTIONS: 'true' });
    expect(status).toBe(0);
    const message = 'passed only when run alone: getPet › answers 404 as declared';
    expect(lines).toContain(`WARNING: test/pets.test.ts ${message}`);
    expect(lines).toContain(`::warning file=test/pets.test.ts,line=7,title=tests::${message}`);
    const summary = readFileSync(join(folder, '.cache/gates/summary.md'), 'utf8');
    expect(summary).toContain('1 test passed only when run alone');
    // What it passed alone counts.
    expect(summary).toMatch(/1 of \d+ operations are tested; 1 of \d+ declared statuses/);
  });

  test('and alone fails the run, with an annotation at the line that failed', () => {
    writeResults('tests.json', 'failed');
    writeResults('tests-alone.json', 'failed');
    const { status, lines, errors } = run([], { GITHUB_ACTIONS: 'true' });
    expect(status).toBe(1);
    expect(errors).toMatch(/^FAILED: .* tests \(npm test/m);
    expect(lines).toContain('::error file=test/pets.test.ts,line=7,title=tests::getPet › answers 404 as declared%0AError: too slow');
    expect(lines.join('\n')).not.toContain('passed only when run alone');
  });

  test('and cannot be run again fails the run', () => {
    writeResults('tests.json', 'failed');
    expect(run(['test'])).toMatchObject({ status: 1 });
  });
});

test('annotates lines that gates name, and adds the summary and the report of breaking changes to that of the job', () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const output = (script: string, text: string) => writeFileSync(join(folder, `${script}.output`), text);
  output('typecheck', "package.json(3,5): error TS2322: Type 'string', not 'number'.\nnowhere.ts(1,1): error TS1: x\n");
  output('lint:code', `\n${folder}/package.json\n  9:2  error  Promises must be awaited  no-floating-promises\n\n1 problem\n`);
  output('lint:spec', 'spec/petstore.yaml:12:7  100% wrong, here (some-rule)\n  reason: r\n');
  output('lint:format', '[warn] package.json\n[warn] Code style issues found in the above file.\n');
  const summary = join(folder, 'job.md');
  const { status, lines } = run(['typecheck', 'lint:code', 'lint:spec', 'lint:format'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
  });
  expect(status).toBe(1);
  expect(lines.filter((line) => line.startsWith('::error')).sort()).toEqual([
    '::error file=package.json,line=1,title=format::its format is not that of Prettier: npm run format',
    "::error file=package.json,line=3,col=5,title=types::error TS2322: Type 'string', not 'number'.",
    '::error file=package.json,line=9,col=2,title=lint::Promises must be awaited  no-floating-promises',
    '::error file=spec/petstore.yaml,line=12,col=7,title=spec lint::100%25 wrong, here (some-rule)',
  ]);
  const text = readFileSync(summary, 'utf8');
  expect(text).toContain('## Gates: 4 gates failed');
  expect(text).toContain('- `package.json:3` error TS2322');
  for (const file of ['logs/types.log', 'summary.md']) expect(readFileSync(join(folder, '.cache/gates', file), 'utf8')).not.toBe('');
});
