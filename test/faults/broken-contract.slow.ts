/** A contract that is broken never boots: all that is wrong is listed with its line, and nothing else is touched. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killProcesses } from '@specwright/testing';
import { startProcess } from '../support/process.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
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
  await rm(copy, { recursive: true, force: true });
});

/** Starts the copy with another contract. @returns what it said as it refused, and the line numbers of what was changed. */
async function refuse(edits: [find: string, replace: string][]): Promise<{ message: string; lines: number[] }> {
  let broken = yaml;
  for (const [find, replace] of edits) {
    expect(yaml).toContain(find);
    broken = broken.replace(find, () => replace);
  }
  await writeFile(join(copy, 'spec/petstore.yaml'), broken);
  const server = startProcess({ cwd: copy, env: { DATA_DIR: join(copy, '.data') } });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output.stdout).toBe('');
  expect(existsSync(join(copy, '.data'))).toBe(false);
  const lines = edits.map(([, replace]) => broken.slice(0, broken.lastIndexOf(replace)).split('\n').length);
  return { message: server.output.stderr, lines };
}

test('text that is not YAML: every problem with its line', async () => {
  const { message, lines } = await refuse([
    ['title: Pet Store API', 'title: "Pet Store API'],
    ['  - name: Account', '\t- name: Account'],
  ]);
  for (const line of lines) expect(message).toContain(`spec/petstore.yaml:${line}:`);
  expect(message).not.toMatch(/\bat .*\.ts:\d+/);
});

test('YAML that is not OpenAPI: every problem with its line, not only the first', async () => {
  const { message, lines } = await refuse([
    ['operationId: listPets', 'operationIdd: listPets'],
    ["schema:\n                $ref: '#/components/schemas/Pets'", "schema:\n                $ref: '#/components/schemas/Petz'"],
    ['operationId: deleteCategory', 'operationID: deleteCategory'],
  ]);
  for (const line of lines) expect(message).toContain(`spec/petstore.yaml:${line}:`);
  expect(message).not.toMatch(/\bat .*\.ts:\d+/);
});

test('a contract other than the one that was generated from says to generate', async () => {
  const { message } = await refuse([['title: Pet Store API', 'title: Another API']]);
  expect(message).toMatch(/npm run generate/);
});
