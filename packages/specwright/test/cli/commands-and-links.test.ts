/** No command writes through a link of the checkout, or outside of the project; a path of the command line may be outside, and is no link. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { runProgram } from '../../src/program.ts';
import { writeAll } from '../../src/files/write-all.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const SPEC = `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } } }
`;
const TEMPLATE = 'packages/specwright/template';

const base = withFolder();
let root: string;
let output: string;
const cwd = process.cwd();
beforeEach(() => {
  root = join(base.path, 'project');
  output = '';
  write('../home/.bashrc', 'mine');
  configure({});
  write('spec/openapi.yaml', SPEC);
  write('old.yaml', SPEC.replace('{ a: { type: string } }', '{ a: { type: string }, b: { type: string } }'));
  write('src/main.ts', 'export {};\n');
  write('src/handlers/index.ts', 'import type { Handlers } from "x";\nexport const handlers: Handlers = {};\n');
  write('test/contract/scenarios.ts', 'export const SCENARIOS: Scenarios = {};\n');
  write('test/contract/generic.ts', 'export const GENERIC = {} as const;\n');
  write('src/db/migrations/index.ts', 'export const schema = { migrations: [] };\n');
  cpSync(join(cwd, TEMPLATE, '.config'), join(root, '.config'), { recursive: true });
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((line: string) => void (output += `${line}\n`));
  process.chdir(root);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(cwd);
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const configure = (specwright: object) =>
  write('package.json', JSON.stringify({ name: 'shop', type: 'module', specwright: { name: 'shop', ...specwright } }));
const link = (target: string, path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { recursive: true, force: true });
  symlinkSync(join(base.path, target), join(root, path));
};
const outside = () =>
  readdirSync(base.path, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('project'))
    .sort();

/** A file or folder of the project that was moved out of it, with a link in its place. */
const move = (path: string, to: string) => {
  cpSync(join(root, path), join(base.path, to), { recursive: true });
  link(to, path);
};
/** Path -> content. */
const contents = () =>
  outside().map((path) => [path, statSync(join(base.path, path)).isFile() && readFileSync(join(base.path, path), 'utf8')]);

const BROKEN = ['--base', 'old.yaml'];

/** What a checkout makes of a path, and the command that would write there. */
const CASES: readonly (readonly [string, () => void, readonly string[]])[] = [
  ['generate: a file', () => link('home/.bashrc', 'generated/document.json'), ['generate']],
  ['generate: the folder', () => link('home', 'generated'), ['generate']],
  ['generate: a place outside', () => configure({ generated: '../home/made' }), ['generate']],
  ['generate: an absolute path', () => configure({ generated: join(base.path, 'home/made') }), ['generate']],
  ['generate --out: the folder', () => link('home', 'sdk'), ['generate', '--out', 'sdk']],
  ['generate --out: below a link', () => link('home', 'sdk'), ['generate', '--out', 'sdk/a']],
  ['client: a file', () => link('home/.bashrc', 'generated/client.ts'), ['client']],
  ['client: a place outside', () => configure({ generated: '../home/made' }), ['client']],
  ['client --out: the folder', () => link('home', 'sdk'), ['client', '--out', 'sdk']],
  ['client --out: a file', () => link('home/.bashrc', 'sdk/README.md'), ['client', '--out', 'sdk']],
  ['client --package: the cache', () => link('home', '.cache'), ['client', '--package', 'shop-client']],
  ['bundle --out', () => link('home/.bashrc', 'out.yaml'), ['bundle', 'spec/openapi.yaml', '--out', 'out.yaml']],
  ['changelog --out', () => link('home/.bashrc', 'out.md'), ['changelog', ...BROKEN, '--out', 'out.md']],
  [
    'changelog --release',
    () => (write('spec/changelog.json', '[]'), move('spec/changelog.json', 'home/x.json')),
    ['changelog', ...BROKEN, '--release', '1.1.0'],
  ],
  ['check-breaking --summary', () => link('home/.bashrc', 'out.md'), ['check-breaking', ...BROKEN, '--summary', 'out.md']],
  ['lint --baseline', () => move('.config/redocly.yaml', 'home/rules.yaml'), ['lint', '--baseline']],
  ['add-operation: a handler', () => move('src/handlers/index.ts', 'home/index.ts'), ['add-operation']],
  [
    'add-operation: the folder',
    () => (move('src/handlers', 'home/handlers'), configure({ handlers: '../home/handlers' })),
    ['add-operation'],
  ],
  ['add-operation: the tests', () => move('test/contract', 'home/contract'), ['add-operation']],
  ['build: a module', () => link('home/.bashrc', '.build/main.js'), ['build']],
  ['build: the folder', () => link('home', '.build'), ['build']],
  ['new: the folder', () => (mkdirSync(join(base.path, 'empty')), link('empty', 'made')), ['new', 'made', '--spec', 'spec/openapi.yaml']],
];

test.each(CASES)(
  'refuses a link or a place outside, and writes nothing there: %s',
  async (_, prepare, args) => {
    prepare();
    const before = contents();
    expect({ code: await runProgram(args), output }).toMatchObject({ code: 1, output: expect.stringMatching(/(not|nothing was) written/) });
    expect(contents()).toEqual(before);
  },
  scaleTimeout(60_000),
);

test('check-breaking --prune refuses a record file that is a link', async () => {
  const record = '- rule: response-property-removed\n  at: GET /none\n  change: x\n  reason: y\n';
  write('../records.yaml', record);
  link('records.yaml', 'spec/breaking-changes.yaml');
  expect(await runProgram(['check-breaking', '--base', 'spec/openapi.yaml', '--prune'])).toBe(1);
  expect(readFileSync(join(base.path, 'records.yaml'), 'utf8')).toBe(record);
  expect(output).toMatch('spec/breaking-changes.yaml is a symbolic link to');
});

test('check-breaking reports a record that matches no change, and only --prune removes it', async () => {
  const record = '- rule: response-property-removed\n  at: GET /none\n  change: x\n  reason: y\n';
  write('spec/breaking-changes.yaml', record);
  const recorded = () => readFileSync(join(root, 'spec/breaking-changes.yaml'), 'utf8');
  expect({ code: await runProgram(['check-breaking', '--base', 'spec/openapi.yaml']), output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('GET /none'),
  });
  expect(recorded()).toBe(record);
  expect(await runProgram(['check-breaking', '--base', 'spec/openapi.yaml', '--prune'])).toBe(0);
  expect([recorded(), output]).toEqual(['', expect.stringContaining('removed 1 record')]);
});

test('add-migration and add-resource refuse a folder of migrations that is a link', async () => {
  link('home', 'src/db/migrations');
  write('../home/index.ts', 'export const schema = { migrations: [] };\n');
  expect(() =>
    writeAll(
      root,
      new Map([
        ['a.ts', ''],
        ['src/db/migrations/0001.ts', ''],
      ]),
      ['src/db/migrations/0001.ts'],
    ),
  ).toThrow('nothing was changed: src/db/migrations is a symbolic link');
  expect(outside()).toEqual(['home', 'home/.bashrc', 'home/index.ts']);
  expect(existsSync(join(root, 'a.ts'))).toBe(false);
});

test('a client keeps the name of the package that is there, and its commands quote a path', async () => {
  write('../my sdk/package.json', '{"name":"@acme/pets"}');
  expect(await runProgram(['client', '--out', '../my sdk'])).toBe(0);
  expect(output).toMatch(/^@acme\/pets: `npm publish '\/.*\/my sdk'`; to try it, `npm install '\/.*\/my sdk'`$/m);
  expect(JSON.parse(readFileSync(join(root, '../my sdk/package.json'), 'utf8'))).toMatchObject({ name: '@acme/pets', type: 'module' });
});

test(
  'writes outside where the command line says so',
  async () => {
    write('../sdk/notes.md', 'kept');
    expect({ code: await runProgram(['client', '--out', '../sdk']), output }).toMatchObject({ code: 0 });
    expect(await runProgram(['bundle', 'spec/openapi.yaml', '--out', '../out/api.yaml'])).toBe(0);
    expect(await runProgram(['generate', '--out', '../made'])).toBe(0);
    expect(await runProgram(['check-breaking', ...BROKEN, '--summary', '../summary.md'])).toBe(1);
    expect(outside()).toEqual(expect.arrayContaining(['sdk/index.js', 'sdk/notes.md', 'out/api.yaml', 'made/document.json', 'summary.md']));
  },
  scaleTimeout(60_000),
);
