/** Generated files that were edited by hand: the loop names the line and does not overwrite them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { generateUnchecked } from '../../src/generate/generate.ts';
import { writeGenerated } from '../../src/generate/generated-files.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { schemaFiles } from '../../src/database/schema-files.ts';
import type { ProjectConfig } from '../../src/project-config.ts';
import type { DatabaseCheck } from '../../src/dev/checks/database-check.ts';
import { reportGenerated, withoutEdited } from '../../src/dev/report/report-database.ts';
import type { Screen } from '../../src/dev/report/screen.ts';

const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths: {}
components: { schemas: { Order: { type: object, required: [quantity], properties: { quantity: { type: number } } } } }
`;

let project: ProjectConfig;
let files: Map<string, string>;
let sections: unknown[][];
beforeEach(async () => {
  const root = mkdtempSync(join(tmpdir(), 'generated-'));
  mkdirSync(join(root, 'generated'));
  writeFileSync(join(root, 'package.json'), '{"name":"test"}');
  project = readProjectConfig(root);
  files = new Map([...(await generateUnchecked(parseSource('spec.yaml', SPEC)))].map(([name, text]) => [`generated/${name}`, text]));
  writeGenerated(root, new Map([...files, ...schemaFiles(project, 'SELECT 1;\n', [])]));
  sections = [];
});
afterEach(() => rmSync(project.root, { recursive: true }));

const screen = { section: (...args: unknown[]) => void sections.push(args) } as unknown as Screen;
const database = { state: async () => ({ files: [...schemaFiles(project, 'SELECT 1;\n', [])] }) } as unknown as DatabaseCheck;
const report = () => reportGenerated({ project, screen, database }, files);
const edit = (path: string, from: string, to: string) => {
  const text = readFileSync(join(project.root, path), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(project.root, path), text.replace(from, to));
};

test('says nothing of files that are as they were written, with other line ends too', async () => {
  writeFileSync(join(project.root, 'generated/openapi.ts'), (files.get('generated/openapi.ts') ?? '').replaceAll('\n', '\r\n'));
  await report();
  expect(sections).toEqual([]);
});

test.each([
  [
    'of the spec',
    'generated/openapi.ts',
    'quantity: number',
    'quantity?: number',
    'quantity?: number; instead of quantity: number;',
    'change the spec; `npm run generate` restores the file',
  ],
  [
    'of the schema',
    'generated/schema.sql',
    'SELECT 1;',
    'SELECT 2;',
    'SELECT 2; instead of SELECT 1;',
    'change a migration; `npx specwright schema` restores the file',
  ],
])('names the line that was edited and the command that restores it, in a file %s', async (_, path, from, to, difference, fix) => {
  const line = readFileSync(join(project.root, path), 'utf8').split('\n').findIndex((text) => text.includes(from)) + 1; // prettier-ignore
  edit(path, from, to);
  await report();
  expect(sections).toEqual([
    ['generated', '1 file edited by hand', [`${path}:${line}:1 was edited by hand (${difference}): ${fix}`], `${path}:${line}:1: ${fix}`],
  ]);
});

test('is not overwritten when the spec changes; the other files are', async () => {
  edit('generated/openapi.ts', 'quantity: number', 'quantity?: number');
  const changed = [...files].map(([path, text]) => [path, `${text}\n`] as const);
  expect([...withoutEdited(project, changed).keys()]).toEqual([...files.keys()].filter((path) => path !== 'generated/openapi.ts'));
  // Written again by a command, it is in order again.
  writeGenerated(project.root, files);
  expect(withoutEdited(project, changed).size).toBe(files.size);
});
