/** The server does not start with an invalid contract: it lists every problem with its line, and touches nothing. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killProcesses, removeFolder } from 'specwright/testing';
import { startProcess } from '../support/service/process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let copy: string;
let yaml: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'contract-'));
  for (const name of ['src', 'generated', 'spec', 'package.json']) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  yaml = await readFile(join(copy, 'spec/petstore.yaml'), 'utf8');
});
afterAll(async () => {
  await killProcesses();
  await removeFolder(copy);
});

/** Starts the copy with an edited contract. @returns the reason in the last line of its log, and the line numbers of the edits. */
async function startWith(edits: [find: string, replace: string][]): Promise<{ message: string; lines: number[] }> {
  let broken = yaml;
  for (const [find, replace] of edits) {
    expect(yaml).toContain(find);
    broken = broken.replace(find, () => replace);
  }
  await writeFile(join(copy, 'spec/petstore.yaml'), broken);
  const server = startProcess({ cwd: copy, env: { DATA_DIR: join(copy, '.data') } });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  const fatal = JSON.parse(server.output.stdout) as { level: string; msg: string; err: Error };
  expect(fatal).toMatchObject({ level: 'fatal', msg: 'the service cannot be started' });
  expect(server.output.stderr).toBe('');
  expect(existsSync(join(copy, '.data'))).toBe(false);
  const lines = edits.map(([, replace]) => broken.slice(0, broken.lastIndexOf(replace)).split('\n').length);
  return { message: fatal.err.message, lines };
}

test('names the first YAML error with its line, and counts those that may follow from it', async () => {
  const { message, lines } = await startWith([
    ['title: Pet Store API', 'title: "Pet Store API'],
    ['  - name: Account', '\t- name: Account'],
  ]);
  expect(message).toContain(`spec/petstore.yaml:${lines[0] ?? ''}:`);
  expect(message).toMatch(/; \d+ more errors may follow from it$/);
  expect(message).not.toMatch(/\bat .*\.ts:\d+/);
});

test('lists every OpenAPI error with its line', async () => {
  const { message, lines } = await startWith([
    ['operationId: listPets', 'operationIdd: listPets'],
    ["schema: { $ref: '#/components/schemas/Pets' }", "schema: { $ref: '#/components/schemas/Petz' }"],
    ['operationId: deleteCategory', 'operationID: deleteCategory'],
  ]);
  for (const line of lines) expect(message).toContain(`spec/petstore.yaml:${line}:`);
  expect(message).not.toMatch(/\bat .*\.ts:\d+/);
});

test('asks for npm run generate where the contract differs from the generated code', async () => {
  const { message } = await startWith([['title: Pet Store API', 'title: Another API']]);
  expect(message).toMatch(/npm run generate/);
});
