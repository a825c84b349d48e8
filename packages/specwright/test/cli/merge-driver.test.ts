/** Two people add an operation at the same place: only the spec has a conflict, and what is generated is made of both. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { generateUnchecked } from '../../src/generate/generate.ts';
import { writeGenerated } from '../../src/generate/generated-files.ts';
import { writeMergeDriver } from '../../src/generate/merge-driver.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();

const NOBODY = ['-c', 'user.email=nobody@example.com', '-c', 'user.name=Nobody'];
const git = (...args: string[]) => execFileSync('git', [...NOBODY, ...args], { cwd: root.path, encoding: 'utf8', stdio: 'pipe' });
const attributes = () => readFileSync(join(root.path, '.gitattributes'), 'utf8');

/** A spec with one operation for each name. */
const specOf = (...names: string[]) =>
  `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n${names
    .map((name) => `  /${name}:\n    get:\n      operationId: ${name}\n      responses:\n        '200': { description: ok }\n`)
    .join('')}`;

async function save(...names: string[]): Promise<void> {
  const text = specOf(...names);
  root.write('spec/openapi.yaml', text);
  writeGenerated(
    root.path,
    new Map([...(await generateUnchecked(parseSource('openapi.yaml', text)))].map(([name, made]) => [`generated/${name}`, made])),
  );
}

async function commit(branch: string, ...names: string[]): Promise<void> {
  git('checkout', '-q', '-B', branch);
  await save(...names);
  git('add', '-A');
  git('commit', '-qm', branch);
}

test.each([
  [true, ['spec/openapi.yaml']],
  [false, expect.arrayContaining(['generated/operations.ts', 'spec/openapi.yaml'])],
])('the driver is defined: %s', async (isDefined, conflicts) => {
  git('init', '-q');
  if (isDefined) git('config', 'merge.generated.driver', 'true');
  expect(writeMergeDriver(root.path, ['generated', 'generated/v1'])).toBe('.gitattributes');
  expect(attributes()).toBe('generated/** merge=generated\n');
  await commit('base', 'a');
  await commit('mine', 'a', 'b');
  git('checkout', '-q', 'base');
  await commit('yours', 'a', 'c');
  expect(spawnSync('git', [...NOBODY, 'merge', 'mine'], { cwd: root.path }).status).toBe(1);
  expect(git('diff', '--name-only', '--diff-filter=U').trim().split('\n')).toEqual(conflicts);
  await save('a', 'b', 'c');
  expect(readFileSync(join(root.path, 'generated/operations.ts'), 'utf8')).toMatch(/"b"[^]*"c"/);
});

test('keeps what is there, and says nothing twice, nor against what was chosen', () => {
  git('init', '-q');
  root.write('.gitattributes', '* text=auto');
  expect(writeMergeDriver(root.path, ['made', 'generated'])).toBe('.gitattributes');
  expect(attributes()).toBe('* text=auto\nmade/** merge=generated\ngenerated/** merge=generated\n');
  expect(writeMergeDriver(root.path, ['made', 'generated'])).toBeUndefined();
  root.write('.gitattributes', 'generated/** linguist-generated -merge\n');
  expect(writeMergeDriver(root.path, ['generated'])).toBeUndefined();
});

test('writes nothing where there is no repository', () => {
  expect(writeMergeDriver(root.path, ['generated'])).toBeUndefined();
});
