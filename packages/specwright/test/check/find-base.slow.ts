/** The base is the merge base with the main branch; where there is none, the error says what to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findBase, type BaseOptions } from '../../src/breaking/check-recorded.ts';

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

test('on the main branch it is the last commit', () => {
  git('init', '-q');
  commit('one');
  writeFileSync(join(folder, SPEC), 'two');
  expect(base()).toMatchObject({ spec: 'one', name: expect.stringMatching(/^main \([0-9a-f]+\)$/) });
});

test('on a branch it is the merge base, so that later additions to main do not count as removed', () => {
  git('init', '-q');
  commit('one');
  git('switch', '-qc', 'branch');
  commit('two');
  git('switch', '-q', 'main');
  commit('three');
  git('switch', '-q', 'branch');
  expect(base()).toMatchObject({ spec: 'one', name: expect.stringContaining('the merge base with main') });
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

test('it includes the record file', () => {
  git('init', '-q');
  mkdirSync(join(folder, 'spec'));
  writeFileSync(join(folder, RECORDS), '# none\n');
  commit('one');
  expect(base()).toMatchObject({ records: expect.stringContaining('# none') });
});

test('a spec that the base does not have is undefined', () => {
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

test('without a main branch it is an error, or the current commit with a note', () => {
  git('init', '-q');
  commit('one');
  git('switch', '-q', '--detach');
  git('branch', '-qD', 'main');
  expect(() => base()).toThrow(/no main branch here[^]*fetch-depth: 0[^]*--base REF\|FILE/);
  expect(base({ orHead: true })).toMatchObject({ spec: 'one', note: expect.stringMatching(/NO MAIN BRANCH/) });
  process.env['GITHUB_BASE_REF'] = 'main';
  expect(() => base({ orHead: true })).toThrow(/fetch-depth: 0/);
});

test('rejects a name that is neither a file nor a commit, and a folder without git', () => {
  expect(() => base()).toThrow(/no git checkout here[^]*--base FILE/);
  git('init', '-q');
  commit('one');
  expect(() => base({ base: 'nowhere' })).toThrow(/--base nowhere is neither a file nor a commit/);
  for (const name of [SPEC, join(folder, SPEC)]) expect(base({ base: name })).toMatchObject({ spec: 'one', name, records: undefined });
});

test('before the first commit there is no base spec', () => {
  git('init', '-q');
  expect(base()).toMatchObject({ spec: undefined });
});
