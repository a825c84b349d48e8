/** `specwright upgrade`: the changes of the template and those of the team are merged, and nothing is lost. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { writeProject } from '../../src/new/new-project.ts';
import type { Tarball } from '../../src/new/tarballs.ts';
import { OWN_PACKAGE, TEMPLATE } from '../../src/new/template.ts';
import { runProgram } from '../../src/program.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { removeTemporaryFolders } from '../../src/upgrade/find-templates.ts';
import { upgrade } from '../../src/upgrade/upgrade.ts';

const TEMPLATES = ['template', 'template-accounts', 'template-jwt'];
const NAMES = [
  'specwright',
  '@specwright/contract',
  '@specwright/server',
  '@specwright/embedded-postgres',
  '@specwright/postgres',
  '@specwright/accounts',
];

let folder: string;
/** A project as `new` makes it, committed. */
let made: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  made = join(folder, 'made');
  const tarballs = packRelease('0.1.0', () => undefined);
  const source = readDocument(join(TEMPLATE, 'spec/openapi.yaml'));
  await writeProject(made, {
    source,
    name: 'shop',
    tarballs: tarballs.filter(({ name }) => name !== '@specwright/accounts'),
    accounts: false,
  });
  commit(made, 'New');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  removeTemporaryFolders();
});

let root: string;
let said: string[];
beforeEach(() => {
  rmSync((root = join(folder, 'project')), { recursive: true, force: true });
  cpSync(made, root, { recursive: true });
  said = [];
  jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});

/** Tarballs of a version whose template was changed: as `npm pack` makes them, without what an upgrade does not read. */
function packRelease(version: string, change: (template: string) => void): Tarball[] {
  const target = join(folder, `release-${version}`);
  rmSync(target, { recursive: true, force: true });
  return NAMES.map((name) => {
    const short = name.replace('@', '').replace('/', '-');
    const content = join(target, short, 'package');
    mkdirSync(content, { recursive: true });
    writeFileSync(join(content, 'package.json'), JSON.stringify({ name, version }));
    if (name === 'specwright') {
      for (const template of TEMPLATES) cpSync(join(OWN_PACKAGE, template), join(content, template), { recursive: true });
      change(join(content, 'template'));
    }
    const file = join(target, `${short}-${version}.tgz`);
    execFileSync('tar', ['-czf', file, '-C', join(target, short), 'package']);
    return { name, version, file };
  });
}

function commit(cwd: string, message: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

const edit = (file: string, change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, 'utf8')));
/** Changes the last line. */
const mark = (text: string, by: string) => `${text.trimEnd()} // ${by}\n`;
const inProject = (path: string) => readFileSync(join(root, path), 'utf8');
const run = (version: string, dryRun = false) =>
  upgrade({ project: readProjectConfig(root), from: join(folder, `release-${version}`), dryRun, install: false });
/** Path -> content, without git's own files. */
const filesOf = () =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.git/') && statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

/** The template's next version: a line in each of several files, a new file, and one that is gone. */
const next = (template: string) => {
  edit(join(template, 'src/main.ts'), (text) => mark(text, 'next'));
  edit(join(template, 'src/security.ts'), (text) => text.replace('/** Who calls', '/** NEXT. Who calls'));
  edit(join(template, '.ci/run'), (text) => `${text}# next\n`);
  edit(join(template, 'docker-compose.yml'), (text) => text.replace('restart: unless-stopped', 'restart: always'));
  edit(join(template, 'package.json'), (text) =>
    text.replace('"express": "5.3.0"', '"express": "5.9.9"').replace('"dev":', '"next": "true",\n    "dev":'),
  );
  writeFileSync(join(template, 'src/next.ts'), 'export const next = 1;\n');
  rmSync(join(template, '.dockerignore'));
};

test('changes on both sides are merged: filled-in lines, edits, added and deleted files, fields of the manifest', async () => {
  edit(join(root, 'src/security.ts'), (text) =>
    text.replace('templateKey: unimplementedScheme', 'templateKey: unimplementedScheme /* ours */'),
  );
  edit(join(root, 'package.json'), (text) => text.replace('"express": "5.3.0",', '"express": "5.3.0",\n    "dayjs": "1.11.0",'));
  rmSync(join(root, 'docker-compose.yml'));
  writeFileSync(join(root, 'src/ours.ts'), 'export {};\n');
  commit(root, 'Ours');
  packRelease('0.2.0', next);
  await run('0.2.0').catch(() => undefined);
  expect(said[0]).toMatch(/^template 0\.1\.0 -> 0\.2\.0: \d+ files$/);
  expect(said).toEqual(expect.arrayContaining(['packages: 5 versions to change', '  @specwright/server 0.1.0 -> 0.2.0']));
  expect(inProject('src/main.ts')).toContain(' // next\n');
  expect(inProject('src/security.ts')).toMatch(/NEXT\. Who calls[^]*templateKey: unimplementedScheme \/\* ours \*\//);
  expect(inProject('src/security.ts')).not.toContain('<<<<<<<');
  expect(inProject('src/next.ts')).toBe('export const next = 1;\n');
  expect(existsSync(join(root, 'src/ours.ts'))).toBe(true);
  expect(existsSync(join(root, '.dockerignore'))).toBe(false);
  expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  // Deleted here, changed there: it stays deleted, and that is said.
  expect(existsSync(join(root, 'docker-compose.yml'))).toBe(false);
  expect(said.join('\n')).toMatch(/keeps +docker-compose\.yml {2}CONFLICT: it is deleted here/);
  const manifest = JSON.parse(inProject('package.json')) as Record<'dependencies' | 'scripts' | 'specwright', Record<string, unknown>>;
  expect(manifest.dependencies).toMatchObject({
    express: '5.9.9',
    dayjs: '1.11.0',
    '@specwright/server': 'file:vendor/specwright-server-0.2.0.tgz',
  });
  expect(manifest.scripts['next']).toBe('true');
  expect(manifest.specwright).toMatchObject({ name: 'shop', template: { version: '0.2.0', accounts: false } });
  expect(readdirSync(join(root, 'vendor')).sort()).toEqual(
    ['', '-contract', '-embedded-postgres', '-postgres', '-server'].map((name) => `specwright${name}-0.2.0.tgz`),
  );
});

test('what both changed is marked, listed, and an error; the next upgrade starts from there', async () => {
  edit(join(root, 'src/main.ts'), (text) => mark(text, 'ours'));
  edit(join(root, 'package.json'), (text) => text.replace('"express": "5.3.0"', '"express": "5.4.0"'));
  writeFileSync(join(root, 'src/next.ts'), 'export const ours = 1;\n');
  rmSync(join(root, '.dockerignore'));
  writeFileSync(join(root, '.dockerignore'), '*\n!ours\n');
  commit(root, 'Ours');
  packRelease('0.2.0', next);
  await expect(run('0.2.0')).rejects.toThrow(
    /4 files with conflicts; edit each, then run:\n {2}.dockerignore\n {2}package.json\n {2}src\/main.ts\n {2}src\/next.ts\n {2}npm install/,
  );
  expect(inProject('src/main.ts')).toMatch(/<<<<<<< this project\n(.+) \/\/ ours\n=======\n\1 \/\/ next\n>>>>>>> template 0.2.0/);
  expect(inProject('src/next.ts')).toMatch(/export const ours = 1;\n=======\nexport const next = 1;/);
  expect(inProject('.dockerignore')).toBe('*\n!ours\n');
  expect(inProject('package.json')).toContain('"express": "5.4.0"');
  expect(said.join('\n')).toContain('CONFLICT: dependencies/express is changed on both sides: it is kept');

  for (const path of ['src/main.ts', 'src/next.ts'])
    edit(join(root, path), (text) =>
      text
        .split('\n')
        .filter((line) => !/^(<{7}|={7}|>{7})/.test(line))
        .join('\n'),
    );
  commit(root, 'Resolved');
  const resolved = filesOf();
  packRelease('0.3.0', (template) => {
    next(template);
    edit(join(template, 'src/config.ts'), (text) => `${text}// 0.3\n`);
  });
  await run('0.3.0');
  const upgraded = filesOf();
  const changed = Object.keys(upgraded).filter((path) => upgraded[path] !== resolved[path] && !path.startsWith('vendor/'));
  expect(changed.sort()).toEqual(['package.json', 'src/config.ts']);
});

test('--dry-run says the same and changes nothing; a dirty tree and a folder without git are refused', async () => {
  packRelease('0.2.0', next);
  const before = filesOf();
  await run('0.2.0', true);
  expect(filesOf()).toEqual(before);
  const planned = said.filter((line) => line.startsWith('  '));
  expect(planned).toContain('  updates src/main.ts');
  said = [];
  edit(join(root, 'src/config.ts'), (text) => `${text}// ours\n`);
  await expect(run('0.2.0')).rejects.toThrow(/not committed:\n M src\/config.ts\nCommit or stash/);
  commit(root, 'Ours');
  await run('0.2.0');
  expect(said.filter((line) => line.startsWith('  ') && !line.startsWith('  npm'))).toEqual(planned);
  rmSync(join(root, '.git'), { recursive: true });
  await expect(run('0.2.0')).rejects.toThrow(/is no git work tree .*commit the project first/);
});

test('an upgrade from a checkout is left to the program of the checkout, with its options', async () => {
  const checkout = join(folder, 'checkout');
  const program = join(checkout, 'packages/specwright/bin/specwright.mjs');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, "(await import('node:fs')).writeFileSync(new URL('args', import.meta.url), process.argv.slice(2).join(' '));\n");
  for (const options of ['', ' --dry-run', ' --no-install', ' --dry-run --no-install']) {
    expect(await runProgram(['upgrade', '--from', checkout, ...options.split(' ').slice(1)])).toBe(0);
    expect(readFileSync(join(dirname(program), 'args'), 'utf8')).toBe(`upgrade${options}`);
  }
});

test('says that no version rises: to the version that the project has, with and without another template', async () => {
  packRelease('0.1.0', () => undefined);
  await run('0.1.0', true);
  expect(said).toEqual([
    'template 0.1.0, as before: no file changes',
    'packages: all 5 have version 0.1.0 already, no version rises',
    'nothing is changed: this was --dry-run',
  ]);
  said = [];
  packRelease('0.1.0', next);
  await run('0.1.0', true);
  expect(said[0]).toMatch(/^template 0\.1\.0, as before: \d+ files$/);
  expect(said.join('\n')).not.toContain('0.1.0 -> 0.1.0');
});

test('a template that nobody has any more is an error, as is a folder without packages; a project without a record has that of vendor/', async () => {
  packRelease('0.2.0', next);
  const manifest = JSON.parse(inProject('package.json')) as { specwright: { template?: object } };
  const write = (template: object | undefined) =>
    writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, specwright: { ...manifest.specwright, template } }));
  write({ version: '0.0.9', digest: 'another', accounts: false });
  await expect(run('0.2.0', true)).rejects.toThrow(/the template 0.0.9 .* restore vendor\/specwright-0.1.0.tgz/);
  write(undefined);
  mkdirSync(join(folder, 'release-none'), { recursive: true });
  await expect(run('none', true)).rejects.toThrow(/release-none has no tarball of @specwright\/contract, @specwright\/server/);
  commit(root, 'Without a record');
  await run('0.2.0');
  expect(said[0]).toContain('package.json does not record a template');
  expect(inProject('src/main.ts')).toContain('// next');
  expect(JSON.parse(inProject('package.json'))).toMatchObject({ specwright: { template: { version: '0.2.0' } } });
});

test('a project that the first version made, which recorded nothing, is upgraded to this template, and nothing of it is lost', async () => {
  rmSync(root, { recursive: true });
  execFileSync('tar', ['-xzf', 'packages/specwright/test/create/fixtures/project-0.1.0.tgz', '-C', folder]);
  edit(join(root, 'src/config.ts'), (text) => text.replace('const VARIABLES = {', 'const VARIABLES = { /* ours */'));
  commit(root, 'Made by 0.1.0');
  const before = filesOf();
  packRelease('0.2.0', () => undefined);
  const error = await run('0.2.0').then(
    () => '',
    (thrown: unknown) => (thrown as Error).message,
  );
  const after = filesOf();
  const removed = said.flatMap((line) => (line.startsWith('  removes ') ? [line.slice('  removes '.length)] : []));
  expect(Object.keys(before).filter((path) => !(path in after) && !removed.includes(path))).toEqual(['vendor/specwright-cli-0.1.0.tgz']);
  for (const path of ['src/handlers/index.ts', 'src/handlers/books.ts', 'spec/openapi.yaml', 'docs/not-served.md'])
    expect([path, after[path]]).toEqual([path, before[path]]);
  expect(after['src/config.ts']).toContain('/* ours */');
  const marked = Object.keys(after).filter((path) => /^<{7} /m.test(after[path] ?? ''));
  expect(marked.filter((path) => !error.includes(`\n  ${path}\n`))).toEqual([]);
  // The new template's own lines are there.
  expect(after['src/main.ts']).toContain('service.close()');
  expect(JSON.parse(after['package.json'] ?? '')).toMatchObject({
    specwright: { name: 'library', template: { version: '0.2.0' } },
    // The program is one package since.
    devDependencies: { specwright: 'file:vendor/specwright-0.2.0.tgz' },
    optionalDependencies: { '@specwright/embedded-postgres': 'file:vendor/specwright-embedded-postgres-0.2.0.tgz' },
  });
});
