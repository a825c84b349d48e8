/** The base is the merge base with the main branch; where there is none, the error says what to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findBase, type BaseOptions } from '../../src/breaking/find-base.ts';

const SPEC = 'spec/api.yaml';
const RECORDS = 'spec/breaking-changes.yaml';
let folder: string;
let target: string | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'breaking-base-')));
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

test('a spec that the base does not have is an error, unless it is said to be new', () => {
  git('init', '-q');
  writeFileSync(join(folder, 'other'), '');
  git('add', '.');
  git('commit', '-qm', 'other');
  expect(() => base()).toThrow(/main \([0-9a-f]+\) has no file spec\/api\.yaml[^]*--base [0-9a-f]+:FILE\n.*--new spec\/api\.yaml/);
  expect(() => base({ newSpec: 'spec/other.yaml' })).toThrow(/has no file/);
  expect(base({ newSpec: SPEC })).toMatchObject({ spec: undefined });
});

/** As long as git needs to know that a file was renamed and changed. */
const LONG = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

test('a spec that was renamed, with its folder and records, is followed', () => {
  git('init', '-q');
  mkdirSync(join(folder, 'spec'));
  writeFileSync(join(folder, RECORDS), '# none of them\n');
  commit(LONG);
  git('switch', '-qc', 'branch');
  git('mv', 'spec', 'contract');
  writeFileSync(join(folder, 'contract/api.yaml'), `${LONG}more\n`);
  const moved = () => findBase('contract/api.yaml', 'contract/breaking-changes.yaml', { cwd: folder });
  const expected = { spec: LONG, records: '# none of them\n', file: expect.stringMatching(/^[0-9a-f]+:spec\/api\.yaml$/) };
  expect(moved()).toMatchObject(expected);
  git('commit', '-qam', 'moved');
  expect(moved()).toMatchObject(expected);
  const parts = moved();
  expect(parts.read?.(`${parts.file.split(':')[0] ?? ''}:spec/api.yaml`)).toBe(LONG);
});

test('a former file is named with its commit', () => {
  git('init', '-q');
  commit('one');
  writeFileSync(join(folder, 'new.yaml'), 'two');
  expect(findBase('new.yaml', RECORDS, { cwd: folder, base: `main:${SPEC}` })).toMatchObject({ spec: 'one' });
  expect(findBase('new.yaml', RECORDS, { cwd: folder, base: `main:./${SPEC}` })).toMatchObject({ spec: 'one' });
  expect(() => findBase('new.yaml', RECORDS, { cwd: folder, base: 'main:nowhere.yaml' })).toThrow(/has no file nowhere\.yaml/);
});

test.each([
  ['a file', SPEC, '../real/api.yaml'],
  ['a folder', 'spec', 'real'],
])('a link to %s is read', (_what, link, target) => {
  git('init', '-q');
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real/api.yaml'), 'linked');
  mkdirSync(dirname(join(folder, link)), { recursive: true });
  symlinkSync(target, join(folder, link));
  git('add', '.');
  git('commit', '-qm', 'linked');
  expect(base()).toMatchObject({ spec: 'linked' });
});

test('a link that leads out of the checkout, or to itself, is an error', () => {
  git('init', '-q');
  mkdirSync(join(folder, 'spec'));
  symlinkSync('../../elsewhere.yaml', join(folder, SPEC));
  symlinkSync('loop.yaml', join(folder, 'spec/loop.yaml'));
  git('add', '.');
  git('commit', '-qm', 'links');
  expect(() => base()).toThrow(/^spec\/api\.yaml of \w+ is a link that leads out of the repository, to \.\.\/elsewhere\.yaml: /);
  expect(() => findBase('spec/loop.yaml', RECORDS, { cwd: folder })).toThrow(/^spec\/loop\.yaml of \w+ is a link that leads to itself: /);
});

test('a submodule is read at the commit that the base has of it', () => {
  const root = folder;
  folder = join(root, 'contracts');
  mkdirSync(folder);
  git('init', '-q');
  commit('one');
  folder = join(root, 'service');
  mkdirSync(folder);
  git('init', '-q');
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(root, 'contracts'), 'api');
  git('commit', '-qm', 'service');
  git('switch', '-qc', 'branch');
  const service = folder;
  folder = join(service, 'api');
  commit('two');
  folder = service;
  git('commit', '-qam', 'newer contracts');
  const found = () => findBase(join('api', SPEC), RECORDS, { cwd: service });
  expect(found()).toMatchObject({ spec: 'one' });
  rmSync(join(service, 'api'), { recursive: true });
  expect(found).toThrow(/the submodule api has no commit [0-9a-f]+ here: run `git submodule update --init`/);
  folder = root;
});

test('what git sets for its hooks leads to no other checkout', () => {
  git('init', '-q');
  mkdirSync(join(folder, 'packages/api/spec'), { recursive: true });
  writeFileSync(join(folder, 'packages/api', SPEC), 'nested');
  commit('one');
  const nested = () => findBase(SPEC, RECORDS, { cwd: join(folder, 'packages/api') });
  for (const value of ['.git', join(folder, '.git')]) {
    process.env['GIT_DIR'] = value;
    try {
      expect(nested()).toMatchObject({ spec: 'nested' });
    } finally {
      delete process.env['GIT_DIR'];
    }
  }
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
