/** The workflows of CI: what they run exists, has the history that it needs, and reports stale generated code in the summary. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { if?: string; 'timeout-minutes'?: number; permissions?: Record<string, string>; steps: Step[] }>;
}

const FOLDER = '.github/workflows';
const texts = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
const workflows = texts.map((text) => parse(text) as Workflow);
const jobs = workflows.flatMap((workflow) => Object.entries(workflow.jobs).map(([name, job]) => ({ name, ...job })));
const steps = jobs.flatMap(({ steps }) => steps);
const gates = parse(readFileSync('.config/gates.yaml', 'utf8')) as { run: string }[];
const runs = [readFileSync('.ci/run', 'utf8'), ...gates.map(({ run }) => run), ...steps.flatMap(({ run }) => run ?? [])];

test('run only npm scripts, programs and files that exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = runs.flatMap((run) => [...run.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name]) => name));
  expect(named).toEqual(expect.arrayContaining(['generate', 'typecheck', 'bench']));
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
  const programs = runs.flatMap((run) => [...run.matchAll(/npx ([\w-]+)/g)].map(([, name = '']) => name));
  expect(programs).toEqual(expect.arrayContaining(['specwright', 'eslint']));
  for (const name of programs) expect([name, existsSync(join('node_modules/.bin', name))]).toEqual([name, true]);
  const files = runs.flatMap((run) =>
    [...run.matchAll(/^bash (\S+)|npm run ts -- (\S+)|\bnode (\w+\/\S+)/gm)].map(([, ...named]) => named.join('')),
  );
  expect(files).toContain('.ci/run');
  for (const file of files) expect(existsSync(file)).toBe(true);
});

test('are valid bash', () => {
  for (const run of runs) expect(spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' }).stderr).toBe('');
});

test('pin actions by digest, the same everywhere, and have a timeout', () => {
  const used = texts.flatMap((text) => [...text.matchAll(/uses: (.*)/g)].map(([, uses = '']) => uses));
  expect(used.length).toBeGreaterThan(20);
  for (const uses of used) expect(uses).toMatch(/^[\w-]+(\/[\w-]+)+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  const pins = new Map(used.map((uses) => [uses.split('@')[0], uses]));
  for (const uses of used) expect(uses).toBe(pins.get(uses.split('@')[0]));
  for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('may only read where a pull request can start them, but for the comment on it and reports of CodeQL', () => {
  for (const { on, permissions, jobs } of workflows) {
    expect(permissions).toEqual({ contents: 'read' });
    if (!('pull_request' in on)) continue;
    for (const job of Object.values(jobs)) {
      const granted = Object.entries(job.permissions ?? {}).flatMap(([name, access]) => (access === 'write' ? [name] : []));
      const writes = granted.filter((name) => name !== 'security-events');
      if (writes.length === 0) continue;
      // The one that may comment runs nothing of the pull request, and not for a fork.
      expect(writes).toEqual(['pull-requests']);
      expect(job.if).toContain('head.repo.full_name == github.repository');
      expect(job.steps.map(({ uses, run }) => uses ?? run).join('\n')).not.toMatch(/checkout|npm|npx|bash|\.ci/);
    }
  }
});

test('run on every supported Node and PostgreSQL', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const matrices = texts.join('\n');
  expect(engines.node).toBe('>=20.19.0');
  expect(matrices).toContain('[20, 22, 24]');
  expect(matrices).toContain('[14, 15, 16, 17, 18]');
});

test('check out the history where the spec is compared with the main branch', () => {
  const comparing = jobs.filter(({ steps }) => steps.some(({ run = '' }) => /check-breaking|\.ci\/run/.test(run)));
  expect(comparing.length).toBeGreaterThan(1);
  for (const { steps } of comparing) {
    const [checkout] = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 });
  }
});

test('report breaking changes in the summary of a pull request, and fail without a main branch', () => {
  expect(workflows.some(({ on }) => 'pull_request' in on)).toBe(true);
  const report = steps.find(({ run }) => run?.includes('check-breaking'))?.run;
  expect(report).toContain('--summary "$GITHUB_STEP_SUMMARY"');
  expect(report).not.toContain('--or-head');
});

test('keep logs and reports of a run that failed, and comment with those of the run', () => {
  const uploads = steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  expect(uploads.length).toBeGreaterThan(0);
  for (const step of uploads) expect(step).toMatchObject({ if: 'always()', with: { 'include-hidden-files': true } });
  const names = uploads.map(({ with: options }) => String(options?.['name']).replace('${{ matrix.node }}', '24'));
  const [comment = ''] = steps.flatMap(({ run }) => (run?.includes('gh pr comment') ? [run] : []));
  const read = [...comment.matchAll(/reports\/([\w-]+)\//g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(1);
  expect(names).toEqual(expect.arrayContaining(read));
});

describe('the step that reports the benchmark', () => {
  const step = steps.find(({ run }) => run?.includes('bench -- ratchet >'))?.run ?? 'exit 9';
  test.each([
    [0, 0],
    [1, 1],
  ])('ends as the benchmark does (%i), with the ratios in the summary', (code, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
    try {
      writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho 'getPet 1.20 times node:http'\nexit ${code}\n`, { mode: 0o755 });
      const summary = join(folder, 'summary.md');
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, GITHUB_STEP_SUMMARY: summary };
      const { status } = spawnSync('bash', ['-e', '-c', step], { cwd: folder, env });
      expect(status).toBe(expected);
      expect(readFileSync(summary, 'utf8')).toContain('getPet 1.20 times node:http');
      expect(readFileSync(join(folder, '.cache/benchmark/benchmark.md'), 'utf8')).toContain('getPet 1.20');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the step that measures the image', () => {
  const step = steps.find(({ name }) => name?.startsWith('At most 120 MB'))?.run ?? 'exit 9';
  test.each([
    ['within the bound', 319, 0, '119 MB'],
    ['beyond it', 321, 1, '121 MB'],
  ])('ends as its size beside the base asks for: %s', (_, size, expected, added) => {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
    try {
      mkdirSync(join(folder, '.deploy'));
      writeFileSync(join(folder, '.deploy/Dockerfile'), readFileSync('.deploy/Dockerfile'));
      const docker = `#!/bin/sh
case "$*" in
  *inspect*service) echo ${size}000000 ;;
  *inspect*node:*) echo 200000000 ;;
  history*) echo '44000000 COPY node_modules' ;;
esac
`;
      writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
      const summary = join(folder, 'summary.md');
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, GITHUB_STEP_SUMMARY: summary };
      expect(spawnSync('bash', ['-e', '-c', step], { cwd: folder, env }).status).toBe(expected);
      expect(readFileSync(summary, 'utf8')).toContain(`adds ${added} to its base`);
      expect(readFileSync(summary, 'utf8')).toContain('44000000 COPY node_modules');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the step that reports stale generated code', () => {
  const forgotten = steps.find(({ name }) => name === 'What was forgotten')?.run ?? 'exit 9';
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'workflow-'));
    mkdirSync(join(folder, 'generated'));
    write('one\n');
    bash('git init -q && git add . && git -c user.name=test -c user.email=test@example.com commit -qm one');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (content: string, file = 'openapi.ts') => writeFileSync(join(folder, 'generated', file), content);
  // As GitHub runs a step: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax
  const bash = (script: string) => {
    const env = { ...process.env, RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
    return spawnSync('bash', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });
  };

  test('succeeds where nothing is stale', () => {
    expect(bash(forgotten)).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'summary.md'))).toBe(false);
  });

  test.each([
    ['a file that differs', 'openapi.ts', /-one\n\+two\n/],
    ['a file that is new', 'other.ts', /new file[^]*\+two\n/],
  ])('fails with the difference in the summary: %s', (_what, file, difference) => {
    write('two\n', file);
    expect(bash(forgotten)).toMatchObject({ status: 1, stdout: expect.stringMatching(difference) });
    const summary = readFileSync(join(folder, 'summary.md'), 'utf8');
    expect(summary).toMatch(difference);
    expect(summary).toContain('npm run generate');
  });
});
