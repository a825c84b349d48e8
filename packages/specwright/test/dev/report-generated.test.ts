/** Generated files that were edited by hand: the loop names the line and does not overwrite them. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { generateUnchecked } from '../../src/generate/generate.ts';
import { findStale, formatFirstDifference, writeGenerated } from '../../src/generate/generated-files.ts';
import { Loop, type LoopParts } from '../../src/dev/loop.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { schemaFiles } from '../../src/database/schema-files.ts';
import { type ProjectConfig, readProject } from '../../src/project-config.ts';
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

test('does not restart the server, unlike a handler and a generated file that is restored', async () => {
  const { root } = project;
  mkdirSync(join(root, 'src/handlers'), { recursive: true });
  mkdirSync(join(root, 'spec'));
  writeFileSync(join(root, 'spec/openapi.yaml'), SPEC);
  writeFileSync(join(root, 'src/handlers/index.ts'), 'export const handlers = {};\n');
  const restart = jest.fn(async () => undefined);
  let ended: (() => void) | undefined;
  const nothing = () => undefined;
  const contract = { project, spec: join(root, 'spec/openapi.yaml'), history: { touch: nothing }, changed: { update: nothing } };
  const loop = new Loop({
    project: readProject(root),
    contracts: [contract],
    screen: { ...screen, begin: nothing, end: () => ended?.() },
    types: { touch: nothing, check: async () => [] },
    database: { touch: nothing, state: async () => ({ problems: [], blocksServer: false, tables: undefined }) },
    specWorker: { check: () => ({ compile: Promise.resolve([]), lint: Promise.resolve([]) }) },
    server: { restart, prepare: nothing, state: () => ({ summary: '' }), alive: () => restart.mock.calls.length > 0 },
    onWritten: nothing,
    onRead: nothing,
  } as unknown as LoopParts);
  const save = async (...paths: string[]) => {
    const end = new Promise<void>((resolve) => (ended = resolve));
    loop.save(new Set(paths.map((path) => join(root, path))));
    await end;
    return restart.mock.calls.length;
  };
  try {
    expect(await save()).toBe(1);
    edit('generated/openapi.ts', 'quantity: number', 'quantity?: number');
    expect(await save('generated/openapi.ts')).toBe(1);
    expect(await save('src/handlers/index.ts')).toBe(2);
    edit('generated/openapi.ts', 'quantity?: number', 'quantity: number');
    expect(await save('generated/openapi.ts')).toBe(3);
    // One that is deleted is written again.
    const deleted = join(root, 'generated/operations.ts');
    rmSync(deleted);
    expect(await save('generated/operations.ts')).toBe(4);
    expect(existsSync(deleted)).toBe(true);
  } finally {
    await loop.end();
  }
});

test.each([
  ['line ends', (text: string) => text.replaceAll('\n', '\r\n'), []],
  [
    'an indentation',
    (text: string) => text.replace('SELECT', '  SELECT'),
    ['line 4\n    committed: "  SELECT 1;"\n    generated: "SELECT 1;"'],
  ],
  ['a word', (text: string) => `${text.replaceAll('\n', '\r\n')}more`, ['line 5\n    committed: more\n    generated: ']],
])('generate --check says of a file with other %s what differs, if something does', (_, change, differences) => {
  const path = join(project.root, 'generated/schema.sql');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, change(text));
  expect(findStale(project.root, new Map([['generated/schema.sql', text]])).map(formatFirstDifference)).toEqual(differences);
});
