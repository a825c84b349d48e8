/** A document of several files is the same files in a new project, and one file only where a copy would not be the same document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { lintSpec } from '../../src/lint/lint-spec.ts';
import { readSpec } from '../../src/new/read-spec.ts';
import { writeProject } from '../../src/new/new-project.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const folder = withFolder();

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    folder.write(name, text);
  }
}

/** What is copied of the document in `api/`, by path. */
async function copies(name: string) {
  const notes: string[] = [];
  const { specFiles, source } = await readSpec(join(folder.path, name), { allowOutside: true }, (line) => void notes.push(line));
  return {
    source,
    note: notes.join('\n'),
    files: specFiles && Object.fromEntries([...specFiles].map(([path, content]) => [path, String(content)])),
  };
}

const BOOKS = `# The books.
get:
    operationId:   listBooks
    tags: [Books]
    responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '../../common.yaml#/Books' } } } }\r
`;
const FILES = {
  'api/their.yml': `openapi: 3.0.3
info: { title: Books, version: '1' } # ours
paths:
  /books: { $ref: paths/books.yaml }
  /shelves: { get: { tags: [Books], responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '../common.yaml#/Books' } } } } } } }
components: { schemas: { Shelf: { type: string } } }
`,
  'api/paths/books.yaml': BOOKS,
  'common.yaml': `base: &base { type: object, properties: { title: { type: string }, shelf: { $ref: 'api/their.yml#/components/schemas/Shelf' } } }
Books:
  type: array
  items: { <<: *base, required: [title] }
`,
};
const SPECS = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`spec/${path}`, text]));

test('a project has the files byte by byte, serves what they say, and names its document', async () => {
  write(FILES);
  const notes: string[] = [];
  const { source, specFiles, original } = await readSpec(
    join(folder.path, 'api/their.yml'),
    { allowOutside: true },
    (line) => void notes.push(line),
  );
  expect(notes).toEqual(['kept 3 files: the document is spec/api/their.yml']);
  const project = join(folder.path, 'project');
  await writeProject(project, { source, specFiles, name: 'books', tarballs: [], accounts: false });
  const read = (path: string) => readFileSync(join(project, path), 'utf8');
  for (const [path, text] of Object.entries(SPECS)) expect(read(path)).toBe(text);
  expect(readDocument(join(project, 'spec/api/their.yml')).digest).toBe(original.digest);
  expect(read('generated/operations.ts')).toContain(original.digest);
  expect(read('package.json')).toContain('"spec": "spec/api/their.yml"');
  expect(read('src/service.ts')).toContain("new URL('../spec/api/their.yml', import.meta.url)");
  expect(read('README.md')).not.toContain('spec/openapi.yaml');
  const config = readProjectConfig(project);
  const problems = await lintSpec(join(project, config.spec), read(config.spec), { project: config });
  // A process imports spectral.ts once, and has done so before the rules were switched off in it.
  expect(problems.filter(({ tool }) => tool !== 'spectral')).toEqual([]);
  expect(problems.some(({ file }) => file === join(project, 'spec/api/paths/books.yaml'))).toBe(true);
}, 60_000);

test('a closing bracket is indented in the part that has it', async () => {
  const part = 'Book: {\n  type: object,\n  properties: {\n    title: { type: string } } # title\n}\n';
  const books =
    "get:\n  responses:\n    '200':\n      description: ok\n      content:\n        application/json:\n          schema: {\n            type: string\n          }\n";
  const root =
    "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: { /books: { $ref: books.yaml }, /b: { post: { requestBody: { content: { application/json: { schema: { $ref: 'book.yaml#/Book' } } } }, responses: { 204: { description: ok } } } } }\n";
  write({ 'openapi.yaml': root, 'books.yaml': books, 'book.yaml': part });
  const { files } = await copies('openapi.yaml');
  expect(files).toEqual({
    'spec/openapi.yaml': root,
    'spec/books.yaml': books.replace('\n          }', '\n           }'),
    'spec/book.yaml': part.replace('\n}', '\n }'),
  });
});

const root = (reference: string) => `openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: { /books: { $ref: '${reference}' } }\n`;
const PART = "get: { responses: { '204': { description: ok } } }\n";

test('a document in JSON is written as YAML, and its parts are kept', async () => {
  const json = JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: { '/books': { $ref: 'books.json' } } });
  write({ 'their.json': json, 'books.json': '{ "get": { "responses": { "204": { "description": "ok" } } } }' });
  const { files, source } = await copies('their.json');
  expect(Object.keys(files ?? {})).toEqual(['spec/their.yaml', 'spec/books.json']);
  expect(files?.['spec/their.yaml']).toContain('\n  title: T\n');
  expect(source.digest).toBe(readDocument(join(folder.path, 'their.json')).digest);
});

test.each([
  [
    'an absolute path',
    'openapi.yaml',
    'books.yaml',
    () => join(folder.path, 'books.yaml'),
    /their copies do not find each other: spec\/openapi\.yaml:3:\d+ \$ref .*books\.yaml/,
  ],
  [
    'a package of npm',
    'openapi.yaml',
    'node_modules/books/books.yaml',
    undefined,
    /spec\/node_modules\/books\/books\.yaml is a name that git/,
  ],
  ['a manifest', 'openapi.yaml', 'parts/package.json', undefined, /spec\/parts\/package\.json is a name that git/],
  ['a document with a quote in its name', "it's.yaml", 'books.yaml', undefined, /spec\/it's\.yaml has other characters/],
])('%s makes it one file, with the reason', async (_, document, part, reference, reason) => {
  write({ [document]: root(reference?.() ?? part), [part]: PART });
  const { files, note, source } = await copies(document);
  expect(files).toBeUndefined();
  expect(note).toMatch(/^bundled 2 files, which cannot be kept: /);
  expect(note).toMatch(reason);
  expect(source.files).toHaveLength(1);
});

test('a document in JSON that a part refers to by name is one file, with the reason', async () => {
  const json = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/books': { $ref: 'books.yaml' } },
    components: { responses: { None: { description: 'ok' } } },
  };
  write({
    'their.json': JSON.stringify(json),
    'books.yaml': "get: { responses: { '204': { $ref: 'their.json#/components/responses/None' } } }\n",
  });
  expect((await copies('their.json')).note).toMatch(/do not find each other: .*there is no file spec\/their\.json/);
});
