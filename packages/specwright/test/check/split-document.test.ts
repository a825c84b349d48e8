/** Lint and breaking changes of a document in several files: problems have the file and line of the part, a base the parts of its commit. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { compareWithBase, formatReport } from 'openapi-compare';
import { findBase } from '../../src/breaking/find-base.ts';
import { formatLintProblem } from '../../src/lint/lint-problem.ts';
import { lintSpec } from '../../src/lint/lint-spec.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const folder = withFolder();
let spec: string;
beforeEach(() => {
  spec = join(folder.path, 'spec/openapi.yaml');
  mkdirSync(join(folder.path, 'spec/schemas'), { recursive: true });
  const files = {
    'openapi.yaml': `openapi: 3.0.3
info: { title: Books, version: '1' }
paths: { /books: { $ref: 'paths.yaml#/books' } }
`,
    'paths.yaml': `books:
  get:
    operationId: listBooks
    responses:
      '200': { description: ok, content: { application/json: { schema: { $ref: schemas/book.yaml } } } }
`,
    'schemas/book.yaml': 'type: object\nproperties:\n  title: { type: string }\n  pages: { type: integer }\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, 'spec', name), text);
});

const edit = (name: string, from: string, to: string) => {
  const file = join(folder.path, 'spec', name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
};

test('lint reports problems in the file where they are', async () => {
  edit('schemas/book.yaml', 'type: string }', 'type: string, format: e-mail }');
  const problems = await lintSpec(spec, readFileSync(spec, 'utf8'));
  const format = problems.find(({ file = '', line, message }) => file.endsWith('book.yaml') && line === 3 && message.includes('e-mail'));
  expect(format).toBeDefined();
  expect(format && formatLintProblem(spec, format)).toMatch(/^\S*spec\/schemas\/book\.yaml:3:\d+ /);
});

test('lint lists the problems of one file after another, each in the order of its lines, and what several tools report once', async () => {
  edit('schemas/book.yaml', 'type: string }', 'type: string, enum: [a, a] }');
  edit('openapi.yaml', "version: '1' }", "version: '1' }\nx-more: { a: 1 }");
  const text = readFileSync(spec, 'utf8');
  const places = async (all: boolean) => (await lintSpec(spec, text, { all })).map(({ file = spec, line }) => [file, line] as const);
  const found = await places(false);
  const files = [...new Set(found.map(([file]) => file))];
  expect(files.length).toBeGreaterThan(1);
  expect(found).toEqual(files.flatMap((file) => found.filter(([of]) => of === file).sort(([, a], [, b]) => a - b)));
  expect((await places(true)).length).toBeGreaterThan(found.length);
});

test('lint reports a reference to a file that is missing', async () => {
  edit('paths.yaml', 'schemas/book.yaml', 'schemas/cook.yaml');
  expect(await lintSpec(spec, readFileSync(spec, 'utf8'))).toMatchObject([
    { file: join(folder.path, 'spec/paths.yaml'), line: 5, message: expect.stringContaining('there is no file'), tool: 'contract' },
  ]);
});

test('a base is read with its parts of that commit, and both sides have their file and line', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder.path, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  edit('schemas/book.yaml', '  pages: { type: integer }\n', '');
  const base = findBase('spec/openapi.yaml', 'spec/breaking-changes.yaml', { cwd: folder.path });
  const changes = await compareWithBase({ ...base, spec: base.spec ?? '' }, readDocument(spec), new Date());
  expect(changes).toMatchObject([
    { rule: 'property-removed', working: { file: join(folder.path, 'spec/schemas/book.yaml') }, base: { line: 4 } },
  ]);
  const report = formatReport(
    { changes: changes.map((change) => ({ ...change, reason: undefined })), stale: [], merged: [] },
    { spec, records: 'records.yaml', baseFile: base.file, baseName: base.name },
  );
  expect(report).toMatch(/before: {2}[0-9a-f]+:spec\/schemas\/book\.yaml:4:3$/m);
});

test('the parts of a base are confined to the project too, unless others are allowed', async () => {
  edit('paths.yaml', 'schemas/book.yaml', '../shared/book.yaml');
  folder.write('shared/book.yaml', 'type: object\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder.path, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  edit('paths.yaml', '../shared/book.yaml', 'schemas/book.yaml');
  const changes = async (allowOutside: boolean) => {
    const base = findBase('spec/openapi.yaml', 'spec/breaking-changes.yaml', { cwd: folder.path, allowOutside });
    return compareWithBase({ ...base, spec: base.spec ?? '' }, readDocument(spec), new Date());
  };
  expect(await changes(false)).toMatchObject([
    { rule: 'base-invalid', change: expect.stringContaining(`leads to ${join(folder.path, 'shared/book.yaml')}, outside of the project`) },
  ]);
  expect((await changes(true)).filter(({ rule }) => rule === 'base-invalid')).toEqual([]);
  folder.write('package.json', '{}');
  expect((await changes(false)).filter(({ rule }) => rule === 'base-invalid')).toEqual([]);
});
