/** What is released: one list of packages in publishing order, metadata that npm shows, changelogs in one form, notes and versions. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}
interface ReleasedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest & { readonly dependencies?: Readonly<Record<string, string>> };
}

const load = async (module: string): Promise<unknown> => import(pathToFileURL(resolve('scripts/release', module)).href);
const { readPackages } = (await load('packages.mjs')) as { readPackages: (root: string) => ReleasedPackage[] };
const { changelogProblems } = (await load('changelog.mjs')) as { changelogProblems: (text: string) => string[] };
const packages = readPackages('.');
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function release(...args: string[]) {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/release.mjs'), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('every folder of packages/ and the suite is published, after what it depends on', () => {
  const folders = readdirSync('packages', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`packages/${entry.name}`] : [],
  );
  expect(packages.map((one) => one.folder).sort()).toEqual(['conformance', ...folders]);
  const order = packages.map(({ name }) => name);
  for (const { name, manifest } of packages)
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (order.includes(dependency)) expect(order.slice(0, order.indexOf(name))).toContain(dependency);
});

test.each(packages)('$name says where it is from', ({ folder: directory, manifest }) => {
  const { repository, homepage } = read('package.json') as Manifest & { repository: { url: string }; homepage: string };
  expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/[\w-]+\.git$/);
  expect(manifest).toMatchObject({
    description: expect.stringMatching(/^.{20,140}$/),
    license: 'MIT',
    repository: { type: 'git', url: repository.url, directory },
    homepage: homepage.replace('#readme', `/tree/main/${directory}#readme`),
    bugs: { url: homepage.replace('#readme', '/issues') },
  });
  expect((manifest['keywords'] as string[]).length).toBeGreaterThanOrEqual(4);
  expect(manifest.version).toBe(packages[0]?.manifest.version);
});

test('the changelog has the form that notes are made from', () => {
  expect(changelogProblems(readFileSync('CHANGELOG.md', 'utf8'))).toEqual([]);
});

test.each([
  ['## Unreleased', /line 3: ## Unreleased: write ## \[Unreleased\]/],
  ['## [Unreleased]\n\n## 0.1.0', /line 5: ## 0\.1\.0/],
  ['## [Unreleased]\n\n## [0.1.0]', /line 5: ## \[0\.1\.0\]/],
  ['## [Unreleased]\n\n### Breaking', /line 5: ### Breaking/],
  ['## [0.1.0] - 2026-11-21', /first section is not ## \[Unreleased\]/],
])('a changelog in another form is named: %j', (sections, expected) => {
  expect(changelogProblems(`# Changelog\n\n${sections}\n`).join('\n')).toMatch(expected);
});

/** A repository with two packages, of which the first in the alphabet needs the other one. */
function writeRepository() {
  const write = (path: string, content: string | object) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  };
  const own = { dependencies: { '@x/z': '0.1.0', other: '0.1.0' } };
  write('package.json', { name: 'root', version: '1.0.0', repository: { url: 'git+https://github.com/them/theirs.git' }, ...own });
  write('packages/a/package.json', { name: '@x/a', version: '0.1.0', ...own });
  write('packages/z/package.json', {
    name: '@x/z',
    version: '0.1.0',
    peerDependencies: { '@x/a': '0.1.0' },
    peerDependenciesMeta: { '@x/a': { optional: true } },
  });
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- Zero.\n');
  write('packages/specwright/template/package.json', own);
  write('examples/hello/package.json', own);
  write('package-lock.json', {
    version: '1.0.0',
    packages: { '': { version: '1.0.0', ...own }, 'packages/a': { version: '0.1.0', ...own }, 'node_modules/other': { version: '0.1.0' } },
  });
}

test('a version is raised everywhere, and has notes then; a lower one is refused', () => {
  writeRepository();
  expect(release('list')).toEqual({ status: 0, output: '@x/z packages/z\n@x/a packages/a\n' });
  expect(release('notes', '0.2.0')).toMatchObject({
    status: 1,
    output: expect.stringContaining('CHANGELOG.md has no text below ## [0.2.0]'),
  });
  expect(release('version', '0.1.0')).toMatchObject({ status: 1, output: expect.stringContaining('0.1.0 is not higher than 0.1.0') });
  expect(release('version', '0.2.0')).toMatchObject({ status: 0, output: expect.stringContaining('0.1.0 -> 0.2.0') });
  const raised = { dependencies: { '@x/z': '0.2.0', other: '0.1.0' } };
  const inRepository = (path: string) => read(join(folder, path));
  expect(inRepository('package.json')).toMatchObject({ version: '0.2.0', ...raised });
  expect(inRepository('packages/a/package.json')).toMatchObject({ version: '0.2.0', ...raised });
  expect(inRepository('packages/z/package.json')).toMatchObject({ version: '0.2.0', peerDependencies: { '@x/a': '0.2.0' } });
  expect(inRepository('packages/specwright/template/package.json')).toEqual(raised);
  expect(inRepository('examples/hello/package.json')).toEqual(raised);
  expect(inRepository('package-lock.json')['packages']).toEqual({
    '': { version: '0.2.0', ...raised },
    'packages/a': { version: '0.2.0', ...raised },
    'node_modules/other': { version: '0.1.0' },
  });
  expect(release('notes', '0.2.0')).toEqual({ status: 0, output: '### Added\n\n- One.\n' });
  expect(release('version', '0.3.0')).toMatchObject({ status: 1, output: expect.stringContaining('no text below ## [Unreleased]') });
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- One\.\n\n## \[0\.1\.0\]/,
  );
});

test('another repository is refused, with what to replace', () => {
  writeRepository();
  expect(release('check-repository', 'them/theirs').status).toBe(0);
  expect(release('check-repository', 'we/ours')).toMatchObject({
    status: 1,
    output: expect.stringContaining('Replace them/theirs by we/ours'),
  });
});

test('what the registry has is not published again; one that does not answer is an error', () => {
  writeRepository();
  mkdirSync(join(folder, 'node_modules/typescript/bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/typescript/bin/tsc'), '');
  const log = join(folder, 'npm.log');
  const npm = (view: string) =>
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$*" >> '${log}'\n[ "$1" = publish ] && exit 0\ncase "$2" in\n${view}\nesac\n`, {
      mode: 0o755,
    });
  npm(`@x/z@*) echo 0.1.0 ;;\n*) echo 'npm error code E404' >&2; exit 1 ;;`);
  expect(release('publish', '--provenance')).toEqual({ status: 0, output: '@x/z@0.1.0 was published before\n@x/a@0.1.0 is published\n' });
  const [published, ...more] = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('publish'));
  expect([published, more]).toEqual(['publish --ignore-scripts --access public --provenance --workspace packages/a', []]);
  npm(`*) echo 'npm error code ECONNREFUSED' >&2; exit 1 ;;`);
  expect(release('publish')).toMatchObject({ status: 1, output: expect.stringContaining('ECONNREFUSED') });
});

test.each([[], ['publish', '--dry'], ['version', 'v1'], ['notes'], ['toString']])('refuses %s %s with its usage', (...args) => {
  cpSync('package.json', join(folder, 'package.json'));
  expect(release(...args)).toMatchObject({ status: 2, output: expect.stringContaining('scripts/release.mjs COMMAND') });
});
