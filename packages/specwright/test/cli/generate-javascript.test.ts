/** `specwright generate --js`: modules that Node runs as they are, with the same types beside, kept to by the next `generate`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runProgram } from '../../src/program.ts';
import { temporaryFolder } from '../../src/files/write-files.ts';

const SPEC = `openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`;

let folder: ReturnType<typeof temporaryFolder>;
const before = process.cwd();
beforeEach(() => {
  folder = temporaryFolder('javascript-');
  mkdirSync(join(folder.path, 'spec'));
  writeFileSync(join(folder.path, 'package.json'), '{"name":"notes"}');
  writeFileSync(join(folder.path, 'spec/openapi.yaml'), SPEC);
  process.chdir(folder.path);
  for (const name of ['log', 'error'] as const) jest.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  process.chdir(before);
  folder.remove();
  jest.restoreAllMocks();
});

const generated = () => readdirSync('generated').sort();

test('writes JavaScript and declarations in the place of TypeScript, and keeps to it', async () => {
  expect(await runProgram(['generate'])).toBe(0);
  expect(generated()).toContain('contract.ts');
  expect(await runProgram(['generate', '--js'])).toBe(0);
  expect(await runProgram(['client'])).toBe(0);
  const modules = ['client', 'contract', 'operations', 'queries', 'schemas'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]);
  expect(generated()).toEqual([...modules, 'digests.json', 'document.json', 'openapi.d.ts', 'package.json'].sort());
  for (const name of modules) expect(readFileSync(join('generated', name), 'utf8')).not.toMatch(/'\.\/[\w-]+\.ts'/);
  expect(await runProgram(['generate', '--check'])).toBe(0);
  const { contract } = (await import(pathToFileURL(join(folder.path, 'generated/contract.js')).href)) as { contract: object };
  expect(contract).toMatchObject({ operations: { listNotes: { method: 'get' } }, rateLimitPlans: null });
  expect(existsSync('generated/contract.ts')).toBe(false);
});

test('a compiler that writes beside the modules makes no project of JavaScript of one of TypeScript', async () => {
  expect(await runProgram(['generate'])).toBe(0);
  writeFileSync('generated/contract.js', 'export const contract = {};');
  expect(await runProgram(['generate'])).toBe(0);
  expect(generated()).toEqual(expect.arrayContaining(['contract.js', 'contract.ts', 'openapi.ts', 'operations.ts']));
  expect(readFileSync('generated/contract.js', 'utf8')).toBe('export const contract = {};');
});

test.each([
  ['generate', '--js', '--out', '.'],
  ['client', '--out', '.'],
])('%s %s %s %s replaces no package.json of a project, and writes nothing', async (...args) => {
  const manifest = '{"name":"notes","scripts":{"test":"jest"}}';
  writeFileSync('package.json', manifest);
  expect(await runProgram(args)).not.toBe(0);
  expect(readFileSync('package.json', 'utf8')).toBe(manifest);
  expect(readdirSync('.').sort()).toEqual(['package.json', 'spec']);
  expect(jest.mocked(console.error).mock.calls.join()).toContain('package.json is of another package, with');
});
