/** What `specwright run` runs is JavaScript, and never that of sources which are no longer so. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parseSource, proveSpec } from '@specwright/contract/document';
import { findBuilt, findJustBuilt } from '../../bin/build-manifest.mjs';
import { build } from '../../src/build/build.ts';
import { generateUnchecked } from '../../src/generate/generate.ts';
import { readProject } from '../../src/project-config.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const CLI = resolve('packages/specwright/bin/specwright.mjs');
const PROGRAM = 'src/main.ts';

const root = withFolder();
beforeEach(async () => {
  write('package.json', JSON.stringify({ name: 'built', type: 'module', specwright: { programs: ['src/other.ts'] } }));
  write('tsconfig.json', '{}');
  write(PROGRAM, "import { value } from './value.ts';\nconsole.log(value, import.meta.url, ...process.argv.slice(2), process.execArgv);\n");
  write('src/value.ts', 'export const value: number = 1;\n');
  write(
    'src/other.ts',
    "interface A { b: 1 }\nconst fail = (): A => {\n  throw new Error('no');\n};\nconst { value } = await import('./value.ts');\nif (value === 1) fail();\n",
  );
});

const { write } = root;

const buildIt = () => build(readProject(root.path));
const execute = (module: string, ...args: string[]) => execFileSync(process.execPath, [module, ...args], { encoding: 'utf8' });
const isFresh = () => findBuilt(root.path, PROGRAM) !== undefined;

test('runs without a loader, with its arguments, and finds what is beside its source', async () => {
  await buildIt();
  const said = execute(join(root.path, '.build/main.js'), '--migrate');
  expect(said).toBe(`1 file://${join(root.path, PROGRAM)} --migrate []\n`);
});

test('what has just been built is found, though a source has changed while it was', async () => {
  await buildIt();
  write('src/value.ts', 'export const value = 2;\n');
  expect([isFresh(), findJustBuilt(root.path, PROGRAM), findJustBuilt(root.path, 'src/none.ts')]).toEqual([
    false,
    join(root.path, '.build/main.js'),
    undefined,
  ]);
});

test('a file that another build makes and renames at the same moment is left to that one', async () => {
  await buildIt();
  // Listed, and not there when it is looked at.
  symlinkSync('renamed', join(root.path, '.build/.main.js.0123456789ab.tmp'));
  await buildIt();
  expect(isFresh()).toBe(true);
});

test('a stack trace says where the source is', async () => {
  await buildIt();
  const { stderr } = spawnSync(process.execPath, [join(root.path, '.build/other.js')], { encoding: 'utf8' });
  expect(stderr).toContain(`at fail (file://${join(root.path, 'src/other.ts')}:3:9)`);
});

test('an error that is not caught is printed without the line of the built module, and by its message if ours explains the system', async () => {
  write(
    PROGRAM,
    "import { createServer } from 'node:http';\nimport { listen } from '@specwright/server';\nawait listen(createServer(), Number(process.argv[2]), '127.0.0.1');\nawait listen(createServer(), Number(process.argv[2]), '127.0.0.1');\n",
  );
  mkdirSync(join(root.path, 'node_modules/@specwright'), { recursive: true });
  symlinkSync(resolve('packages/server'), join(root.path, 'node_modules/@specwright/server'));
  await buildIt();
  const start = (port: string) =>
    spawnSync(process.execPath, [join(root.path, '.build/main.js'), port], { encoding: 'utf8', timeout: 20_000 });
  const { status, stderr } = start('47913');
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^port 47913 is in use: .* with PORT\n$/) });
  expect(start('abc').stderr).toBe('the environment is not valid:\n  PORT must be a port from 0 to 65535, not NaN\n');
});

test('what runs knows which content the spec had, so that it need not parse it', async () => {
  write('spec/openapi.yaml', 'openapi: 3.0.3 # new\npaths: {}\n');
  write('generated/document.json', '{ "openapi": "3.0.3", "paths": {} }');
  write(PROGRAM, 'declare const SPECWRIGHT_SPECS: object;\nconsole.log(JSON.stringify(SPECWRIGHT_SPECS));\n');
  await buildIt();
  const proven = proveSpec(join(root.path, 'spec/openapi.yaml'), join(root.path, 'generated/document.json'));
  expect(JSON.parse(execute(join(root.path, '.build/main.js')))).toEqual([proven]);
  expect(proven).toMatchObject({ document: '../generated/document.json' });
});

test('of several contracts it knows each, and is an old one when the spec of any is edited', async () => {
  write('package.json', JSON.stringify({ name: 'built', type: 'module', specwright: { specs: { v1: {}, v2: {}, v3: {} } } }));
  for (const version of ['v1', 'v2']) {
    write(`spec/${version}.yaml`, `openapi: 3.0.3\ninfo: { title: ${version} }\npaths: {}\n`);
    write(`generated/${version}/document.json`, `{ "openapi": "3.0.3", "info": { "title": "${version}" }, "paths": {} }`);
  }
  write(PROGRAM, 'declare const SPECWRIGHT_SPECS: object;\nconsole.log(JSON.stringify(SPECWRIGHT_SPECS));\n');
  await buildIt();
  const proven = ['v1', 'v2'].map((version) =>
    proveSpec(join(root.path, `spec/${version}.yaml`), join(root.path, `generated/${version}/document.json`)),
  );
  expect(JSON.parse(execute(join(root.path, '.build/main.js')))).toEqual(proven);
  expect(isFresh()).toBe(true);
  write('spec/v2.yaml', 'openapi: 3.0.3\n');
  expect(isFresh()).toBe(false);
});

test('a build with an edited file of one of several contracts is refused', async () => {
  write('package.json', JSON.stringify({ name: 'built', type: 'module', specwright: { specs: { v1: {}, v2: {} } } }));
  write('generated/v2/openapi.ts', 'edited\n');
  write('generated/v2/digests.json', JSON.stringify({ 'openapi.ts': '0' }));
  await expect(buildIt()).rejects.toThrow('generated/v2/openapi.ts:1:1 was edited by hand');
});

test.each<[string, () => void]>([
  ['the spec is edited', () => write('spec/openapi.yaml', 'openapi: 3.0.3\n')],
  ['the generated document is edited', () => write('generated/document.json', '{}')],
  ['a source is edited', () => write('src/value.ts', 'export const value: number = 2;\n')],
  [
    'a source is edited and has the time of the former one',
    () => {
      write('src/value.ts', 'export const value: number = 2;\n');
      utimesSync(join(root.path, 'src/value.ts'), 1, 1);
    },
  ],
  ['a source is removed', () => rmSync(join(root.path, 'src/value.ts'))],
  ['the settings of the compiler change', () => write('tsconfig.json', '{ "compilerOptions": {} }')],
  ['a package is installed', () => write('package-lock.json', '{}')],
  ['an entry of package.json changes', () => write('package.json', '{}')],
  [
    'a module that was built is lost',
    () =>
      readdirSync(join(root.path, '.build'))
        .filter((name) => name.startsWith('main-'))
        .forEach((name) => rmSync(join(root.path, '.build', name))),
  ],
  ['the record is of another version', () => write('.build/manifest.json', '{}')],
])('is built again once %s', async (_case, change) => {
  utimesSync(join(root.path, 'src/value.ts'), 1, 1);
  await buildIt();
  expect(isFresh()).toBe(true);
  change();
  expect(isFresh()).toBe(false);
});

test('a generated file that was edited by hand is named with its line, what it should be and what to do', async () => {
  const spec = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { type: string } } }\n";
  write('spec/openapi.yaml', spec);
  const files = await generateUnchecked(parseSource('spec/openapi.yaml', spec));
  for (const [name, text] of files) write(`generated/${name}`, text);
  // Only its types are used: the bundler does not read it.
  write(PROGRAM, "import type {} from '../generated/openapi.ts';\n");
  await buildIt();
  expect(isFresh()).toBe(true);
  const types = files.get('openapi.ts') ?? '';
  const line = types.split('\n').findIndex((text) => text.includes('A: string')) + 1;
  write('generated/openapi.ts', types.replace('A: string', 'A: number'));
  expect(isFresh()).toBe(false);
  await expect(buildIt()).rejects.toThrow(
    `generated/openapi.ts:${line}:1 was edited by hand (A: number; instead of A: string;): change the spec; \`npm run generate\` restores`,
  );
  write('generated/openapi.ts', types.replaceAll('\n', '\r\n'));
  await buildIt();
});

test('is built again with another version of the program or of a package of ours', async () => {
  write('node_modules/@specwright/thing/package.json', '{"name":"@specwright/thing","exports":"./dist/index.js"}');
  write('node_modules/@specwright/thing/dist/index.js', "export const thing = 'first';\n");
  write(PROGRAM, "import { thing } from '@specwright/thing';\nconsole.log(thing);\n");
  await buildIt();
  expect(execute(join(root.path, '.build/main.js'))).toBe('first\n');
  const { inputs } = JSON.parse(readFileSync(join(root.path, '.build/manifest.json'), 'utf8')) as { inputs: object };
  expect(Object.keys(inputs).map((path) => resolve(root.path, path))).toEqual(
    expect.arrayContaining([resolve('packages/specwright/package.json'), resolve('packages/specwright/src/build/build.ts')]),
  );
  write('node_modules/@specwright/thing/package.json', '{"name":"@specwright/thing","exports":"./dist/index.js","version":"2.0.0"}');
  expect(isFresh()).toBe(false);
});

test('a package of ours gets its own version of a package of others', async () => {
  const version = (folder: string, text: string) => {
    write(`${folder}/package.json`, '{"name":"other","exports":"./index.cjs"}');
    write(`${folder}/index.cjs`, `exports.version = '${text}';\n`);
  };
  version('node_modules/other', '1');
  version('packages/thing/node_modules/other', '2');
  write('packages/thing/package.json', '{"name":"@specwright/thing","type":"module","exports":"./src/index.js"}');
  write('packages/thing/src/index.js', "export { version } from 'other';\n");
  mkdirSync(join(root.path, 'node_modules/@specwright'));
  symlinkSync('../../packages/thing', join(root.path, 'node_modules/@specwright/thing'));
  write(PROGRAM, "import { version } from 'other';\nimport { version as own } from '@specwright/thing';\nconsole.log(version, own);\n");
  await buildIt();
  expect(execute(join(root.path, '.build/main.js'))).toBe('1 2\n');
});

test('Knex is a part of what was built, but for its drivers, and the program knows that it is in Node', async () => {
  write('node_modules/knex/package.json', '{"name":"knex"}');
  write('node_modules/knex/index.js', "exports.sep = require('path').sep;\nexports.driver = (name) => name && require('mysql');\n");
  write(PROGRAM, "import knex from 'knex';\nconsole.log(knex.sep, knex.driver(''), navigator.userAgent);\n");
  await buildIt();
  rmSync(join(root.path, 'node_modules'), { recursive: true });
  expect(execute(join(root.path, '.build/main.js'))).toBe(`/  Node.js/${process.versions.node.split('.')[0]}\n`);
});

test('run builds what has changed, and a source that cannot be built is named and keeps what was built from running', () => {
  const run = () => spawnSync(process.execPath, [CLI, 'run', PROGRAM], { cwd: root.path, encoding: 'utf8' });
  expect(run().stdout).toMatch(/^1 /);
  write('src/value.ts', 'export const value: number = ;\n');
  const { status, stdout, stderr } = run();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^ +src\/value\.ts:1:30 Unexpected ";"\n.*Fix this and start again/m);
}, 60_000);
