/** The base is what this branch left the main branch with, and where there is none a person is told what to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findBase, type BaseOptions } from '../../packages/cli/src/breaking/base.ts';

const SPEC = 'spec/api.yaml';
const RECORDS = 'spec/breaking-changes.yaml';
let folder: string;
let target: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'breaking-base-'));
  // Set while these tests run in a pull request of GitHub.
  target = process.env['GITHUB_BASE_REF'];
  delete process.env['GITHUB_BASE_REF'];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (target !== undefined) process.env['GITHUB_BASE_REF'] = target;
  else delete process.env['GITHUB_BASE_REF'];
});

const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main'];
const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
const base = (options: BaseOptions = {}) => findBase(SPEC, RECORDS, { cwd: folder, ...options });

/** Commits a version of the spec. */
function commit(spec: string): void {
  mkdirSync(join(folder, 'spec'), { recursive: true });
  writeFileSync(join(folder, SPEC), spec);
  git('add', '.');
  git('commit', '-qm', spec);
}

test('on the main branch it is what is committed', () => {
  git('init', '-q');
  commit('one');
  writeFileSync(join(folder, SPEC), 'two');
  expect(base()).toMatchObject({ spec: 'one', name: expect.stringMatching(/^main \([0-9a-f]+\)$/) });
});

test('on a branch it is where the branch left main, so that what main has learnt since is not missed', () => {
  git('init', '-q');
  commit('one');
  git('switch', '-qc', 'branch');
  commit('two');
  git('switch', '-q', 'main');
  commit('three');
  git('switch', '-q', 'branch');
  expect(base()).toMatchObject({ spec: 'one', name: expect.stringContaining('where this branch left main') });
  expect(base({ base: 'main' })).toMatchObject({ spec: 'three' });
});

test("the remote's main branch comes before the local one, and the target of a pull request before both", () => {
  git('init', '-q');
  commit('one');
  git('update-ref', 'refs/remotes/origin/release', 'HEAD');
  commit('two');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('three');
  expect(base()).toMatchObject({ spec: 'two' });
  process.env['GITHUB_BASE_REF'] = 'release';
  expect(base()).toMatchObject({ spec: 'one' });
});

test('its record file comes with it', () => {
  git('init', '-q');
  mkdirSync(join(folder, 'spec'));
  writeFileSync(join(folder, RECORDS), '# none\n');
  commit('one');
  expect(base()).toMatchObject({ records: expect.stringContaining('# none') });
});

test('a spec that is not on it yet is told apart from one that cannot be found', () => {
  git('init', '-q');
  writeFileSync(join(folder, 'other'), '');
  git('add', '.');
  git('commit', '-qm', 'other');
  expect(base()).toMatchObject({ spec: undefined });
});

test('a folder in a repository finds its own spec', () => {
  const root = folder;
  git('init', '-q');
  folder = join(root, 'packages/api');
  mkdirSync(folder, { recursive: true });
  commit('nested');
  expect(base()).toMatchObject({ spec: 'nested' });
  folder = root;
});

test('without a main branch it is an error that says what to do, or the current commit, said aloud', () => {
  git('init', '-q');
  commit('one');
  git('switch', '-q', '--detach');
  git('branch', '-qD', 'main');
  expect(() => base()).toThrow(/no main branch here[^]*fetch-depth: 0[^]*--base REF\|FILE/);
  expect(base({ orHead: true })).toMatchObject({ spec: 'one', note: expect.stringMatching(/NO MAIN BRANCH/) });
  process.env['GITHUB_BASE_REF'] = 'main';
  expect(() => base({ orHead: true })).toThrow(/fetch-depth: 0/);
});

test('a name that is neither a file nor a commit, and a folder without git, are told with what to do', () => {
  expect(() => base()).toThrow(/no git checkout here[^]*--base FILE/);
  git('init', '-q');
  commit('one');
  expect(() => base({ base: 'nowhere' })).toThrow(/--base nowhere is neither a file nor a commit/);
  for (const name of [SPEC, join(folder, SPEC)]) expect(base({ base: name })).toMatchObject({ spec: 'one', name, records: undefined });
});

test('before the first commit there is nothing to break', () => {
  git('init', '-q');
  expect(base()).toMatchObject({ spec: undefined });
});
