/** What the development loop walks again after a save: the operations that it may have changed, and no others. */
import { beforeEach, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { createChangedOperations, type ChangedOperations } from '../../src/dev/walk/changed-operations.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /books:
    get: { operationId: listBooks, summary: Lists., responses: { '200': { $ref: '#/components/responses/Books' } } }
    post:
      operationId: addBook
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/New%42ook' } } } }
      responses: { '204': { description: Done. } }
  /toys:
    get: { operationId: listToys, responses: { '204': { description: None. } } }
components:
  responses:
    Books: { description: Books., content: { application/json: { schema: { $ref: '#/components/schemas/Books' } } } }
  schemas:
    Books: { type: array, maxItems: 9, items: { type: string } }
    NewBook: { type: object, maxProperties: 7 }
`;
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ specwright: { name: 'test' } }),
  'src/service.ts': "import './handlers/books.ts';\nimport './handlers/toys.ts';\n",
  'src/db/store.ts': 'export const page = 1;\n',
  'src/db/books.ts': "import { page } from './store.ts';\nexport const books = [page];\n",
  'src/handlers/books.ts': `import { books } from '../db/books.ts';
export const bookHandlers = { listBooks: () => books, addBook: () => 1 } satisfies Partial<Handlers>;
`,
  'src/handlers/toys.ts': "import '../db/store.ts';\nexport const toyHandlers = { listToys: () => 1 } satisfies Partial<Handlers>;\n",
  'test/contract/scenarios.ts': 'export const SCENARIOS = { listBooks: { 200: one }, listToys: { 204: two } };\n',
};

const root = withFolder();
let changed: ChangedOperations;
let spec: string;
beforeEach(async () => {
  spec = SPEC;
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  changed = createChangedOperations(readProjectConfig(root.path));
  update();
});

async function write(path: string, text: string): Promise<void> {
  root.write(path, text);
}
const edit = (path: string, from: string, to: string) => write(path, (FILES[path] ?? '').replace(from, to));
const update = () => changed.update(parseSource('spec.yaml', spec));
const pending = () => [...changed.pending].sort();

test('nothing at first, and nothing for a text for people', () => {
  expect(pending()).toEqual([]);
  spec = SPEC.replace('summary: Lists.', 'summary: Lists books.').replace('description: Done.', 'description: Added.');
  update();
  expect(pending()).toEqual([]);
});

test.each([
  ['its part of the spec', 'listBooks', () => (spec = SPEC.replace('maxItems: 9', 'maxItems: 8'))],
  ['a part that is referred to percent-encoded', 'addBook', () => (spec = SPEC.replace('maxProperties: 7', 'maxProperties: 6'))],
  ['a new status', 'addBook', () => (spec = SPEC.replace("'204': { description: Done", "'201': { description: Done"))],
  ['its handler', 'addBook', () => edit('src/handlers/books.ts', 'addBook: () => 1', 'addBook: () => 2')],
  ['what is around the handlers', 'addBook listBooks', () => edit('src/handlers/books.ts', ';\n', ';\nconst a = 1;\n')],
  ['what its noun imports', 'addBook listBooks', () => edit('src/db/books.ts', '[page]', '[page, 2]')],
  ['its scenarios', 'listToys', () => edit('test/contract/scenarios.ts', 'two', 'three')],
  ['what every noun imports', '', () => edit('src/db/store.ts', '1', '2')],
])('an operation is walked after a change of %s', async (_, expected, change) => {
  await change();
  update();
  expect(pending().join(' ')).toBe(expected);
});

test('an operation stays until it was walked without a failure, or is gone', async () => {
  await edit('src/handlers/books.ts', ';\n', ';\nconst a = 1;\n');
  update();
  update();
  changed.clear(['listBooks']);
  expect(pending()).toEqual(['addBook']);
  spec = SPEC.replace(/ {4}post:\n(?: {6}.*\n)+/, '');
  update();
  expect(pending()).toEqual([]);
});
