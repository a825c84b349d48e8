/** What a change can affect: whoever imports it, and of generated code only if it means something else. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createImportGraph, type ImportGraph } from '../../src/dev/walk/import-graph.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const folder = withFolder();
let graph: ImportGraph;
const NAMES = ['generated.ts', 'handler.ts', 'main.ts', 'other.ts'];
const at = (name: string) => join(folder.path, name);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const digest = (letter: string) => `export const digest = '${letter.repeat(64)}';\n`;

beforeEach(() => {
  write('generated.ts', `/** A pet. */\nexport interface Pet { name: string }\n${digest('a')}`);
  write(
    'handler.ts',
    "import type { Pet } from './generated.ts';\nimport data from './data.json';\nexport const pet: Pet = { name: 'Rex' };\n",
  );
  write('main.ts', "import { pet } from './handler.ts';\nexport const one = pet;\n");
  write('other.ts', 'export const one = 1;\n');
  graph = createImportGraph((file) => file.endsWith('generated.ts'));
  graph.affectedBy(new Set(), NAMES.map(at));
});

const affectedBy = (name: string) => [...graph.affectedBy(new Set([at(name)]), NAMES.map(at))].map((file) => basename(file));

test('a change reaches whoever imports it, directly or not', () => {
  write('generated.ts', `export interface Pet { nickname: string }\n${digest('a')}`);
  expect(affectedBy('generated.ts')).toEqual(['generated.ts', 'handler.ts', 'main.ts']);
  write('main.ts', 'export const one = 2;\n');
  expect(affectedBy('handler.ts')).toEqual(['handler.ts', 'main.ts']);
});

test('comments, layout and the digest of generated code reach nobody; of other code they do', () => {
  write('generated.ts', `/** An animal. */\nexport interface Pet {\n  name: string }\n${digest('b')}`);
  expect(affectedBy('generated.ts')).toEqual(['generated.ts']);
  write('handler.ts', "// A comment.\nimport type { Pet } from './generated.ts';\nexport const pet: Pet = { name: 'Rex' };\n");
  expect(affectedBy('handler.ts')).toEqual(['handler.ts', 'main.ts']);
});

test('generated code that only a parser can tell from comments is compared as it is', () => {
  const template = (path: string) => 'export const url = (id: string) => `${id} http://' + path + '`;\n';
  write('generated.ts', template('a'));
  affectedBy('generated.ts');
  write('generated.ts', template('b'));
  expect(affectedBy('generated.ts')).toEqual(['generated.ts', 'handler.ts', 'main.ts']);
});

test('a document that is imported is of the project', () => {
  expect([graph.isImported(at('data.json')), graph.isImported(at('unknown.json'))]).toEqual([true, false]);
});
