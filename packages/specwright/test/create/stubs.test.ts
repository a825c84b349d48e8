/** Stubs are added to the right file, existing lines stay unchanged, and obsolete handlers are reported with their location. */
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type StubReport, addStubs, formatStubs } from '../../src/stubs/add-stubs.ts';
import type { FormerOperations } from '../../src/stubs/obsolete-handlers.ts';
import { format } from '../../src/stubs/typescript-source.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { parseSource } from '@specwright/contract/document';
import { scaleTimeout } from 'specwright/testing';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const EMPTY_INDEX = `import type { Handlers } from '../../generated/contract.ts';

export const handlers: Handlers = {};
`;
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ specwright: { name: 'test' }, prettier: { printWidth: 140, singleQuote: true } }),
  'src/handlers/index.ts': `import type { Handlers } from '../../generated/contract.ts';
import { bookHandlers } from './books.ts';

export const handlers: Handlers = {
  ...bookHandlers,
};
`,
  'src/handlers/books.ts': `/** Books. */
import type { Handlers } from '../../generated/contract.ts';
import type { Database } from '@specwright/postgres';

export const bookHandlers = {
  // Mine.
  listBooks:   async (_input, _reply, { db }) => db( 'books' ), // as I like it
} satisfies Partial<Handlers>;
`,
  'test/contract/scenarios.ts': 'export const SCENARIOS: Scenarios = {};\n',
  'test/contract/generic.ts': 'export const GENERIC = { 400: () => [], 404: () => [] } as const satisfies Record<number, Generic>;\n',
};

const root = withFolder();
beforeEach(async () => {
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
});

async function write(path: string, text: string): Promise<void> {
  root.write(path, text);
}
const read = (path: string) => readFile(join(root.path, path), 'utf8');

/** Operations as `id: GET /path` or `id: GET /path Tag`. */
type Operations = Readonly<Record<string, string>>;

function add(operations: Operations, tests = true, former: FormerOperations = new Map()): Promise<StubReport> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [operationId, target] of Object.entries(operations)) {
    const [method = '', path = '', ...tag] = target.split(' ');
    const tags = tag.length > 0 ? { tags: [tag.join(' ')] } : {};
    const operation = { operationId, ...tags, responses: { 200: { description: 'Good.' }, 404: { description: 'Bad.' } } };
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  }
  const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'Test', version: '1' }, paths });
  return addStubs({ project: readProjectConfig(root.path), spec: parseSource('spec.json', text), tests, former });
}

const files = async () => (await readdir(join(root.path, 'src/handlers'))).sort();
/** Without a tag: files are chosen by path. */
const LIST = { listBooks: 'GET /books' };
const TAGGED = { listBooks: 'GET /books Books' };

describe('a stub', () => {
  test('follows the handlers of its path, and every existing line stays', async () => {
    const before = (await read('src/handlers/books.ts')).split('\n');
    const { handlers } = await add({ ...LIST, addBookPhoto: 'POST /books/{bookId}/photos Books' });
    expect(handlers).toMatchObject([{ operation: { id: 'addBookPhoto' }, location: 'src/handlers/books.ts:11:3' }]);
    const after = (await read('src/handlers/books.ts')).split('\n');
    expect(after.filter((line) => before.includes(line))).toEqual(expect.arrayContaining(before));
    expect(after.slice(7, 12)).toEqual([
      "  listBooks:   async (_input, _reply, { db }) => db( 'books' ), // as I like it",
      '',
      '  // POST /books/{bookId}/photos: Answers 200, 404.',
      "  addBookPhoto: async () => notImplemented('addBookPhoto'),",
      '} satisfies Partial<Handlers>;',
    ]);
    expect(after).toContain("import { notImplemented } from '@specwright/server';");
  });

  test('is added once', async () => {
    const operations = { ...LIST, addBookPhoto: 'POST /books/{bookId}/photos Books', listToys: 'GET /toys Toys' };
    await add(operations);
    const texts = await Promise.all(
      ['src/handlers/books.ts', 'src/handlers/toys.ts', 'src/handlers/index.ts', 'test/contract/scenarios.ts'].map(read),
    );
    expect(await add(operations)).toEqual({ handlers: [], tests: [], obsolete: [], renamed: [], written: [] });
    expect(
      await Promise.all(['src/handlers/books.ts', 'src/handlers/toys.ts', 'src/handlers/index.ts', 'test/contract/scenarios.ts'].map(read)),
    ).toEqual(texts);
  });

  test.each([
    ['of a new path', 'GET /toy-boxes Toys', 'toy-boxes.ts', '...toyBoxHandlers,'],
    ['without tag', 'GET /toys/{id}', 'toys.ts', '...toyHandlers,'],
    ['below a path of none', 'GET /store/vouchers/{id}/uses Store', 'vouchers.ts', '...voucherHandlers,'],
    ['whose path no file name can hold', 'GET /物語 Stories', 'stories.ts', '...storyHandlers,'],
    ['whose path is the name of another file', 'GET /index Words', 'index-operations.ts', '...indexOperationHandlers,'],
    ['whose path begins with a digit', 'GET /2fa Codes', '2fa.ts', '..._2faHandlers,'],
  ])('%s gets a new file, which index.ts spreads', async (_, target, file, spread) => {
    await add({ ...LIST, other: target });
    expect(await files()).toEqual([file, 'index.ts', 'books.ts'].sort());
    expect(await read('src/handlers/index.ts')).toContain(`  ...bookHandlers,\n  ${spread}\n};`);
    expect(await read(`src/handlers/${file}`)).toMatch(/Handlers = \{\n  \/\/ GET [^]*\n\} satisfies Partial<Handlers>;\n$/);
  });

  test('goes to the file of its noun, whatever the tags and the order of the document are', async () => {
    await add({
      ...LIST,
      findToys: 'GET /toys/find-by-size Store',
      getToy: 'GET /toys/{id} Store',
      listToys: 'GET /toys Store',
      listVouchers: 'GET /store/vouchers Store',
      addDiscount: 'POST /store/discounts Store',
    });
    expect(await files()).toEqual(['books.ts', 'discounts.ts', 'index.ts', 'toys.ts', 'vouchers.ts']);
    expect(await read('src/handlers/toys.ts')).toMatch(/listToys: [^]*findToys: [^]*getToy: /);
  });

  test('goes to the file of its tag, where every operation has one', async () => {
    await add({
      ...TAGGED,
      listVouchers: 'GET /store/vouchers Gift shop',
      addBookOffer: 'POST /books/{bookId}/offers Gift shop',
      listAuthors: 'GET /authors Books',
      listMaps: 'GET /maps 物語',
      listPlans: 'GET /plans Index',
    });
    // A tag whose name no file can have.
    expect(await files()).toEqual(['authors.ts', 'books.ts', 'index.ts', 'maps.ts', 'plans.ts', 'vouchers.ts']);
    await rm(join(root.path, 'src/handlers'), { recursive: true });
    for (const [path, text] of Object.entries(FILES)) await write(path, text);
    await add({
      ...TAGGED,
      listVouchers: 'GET /store/vouchers Gift shop',
      addBookOffer: 'POST /books/{bookId}/offers Gift shop',
      listAuthors: 'GET /authors Books',
      listPlans: 'GET /plans Index',
    });
    expect(await files()).toEqual(['books.ts', 'gift-shop.ts', 'index-operations.ts', 'index.ts']);
    expect(await read('src/handlers/gift-shop.ts')).toMatch(/listVouchers: [^]*addBookOffer: /);
    expect(await read('src/handlers/books.ts')).toContain('listAuthors: ');
  });

  test('goes to the file of its path, where all operations have the same tag', async () => {
    await add({ ...TAGGED, listToys: 'GET /toys Books' });
    expect(await files()).toEqual(['books.ts', 'index.ts', 'toys.ts']);
  });

  test('of an id that is not an identifier is quoted, in the handlers and in the tests', async () => {
    await add({ ...LIST, 'books/photo-add': 'POST /books/{bookId}/photos', "it's": 'GET /books/it' });
    expect(await read('src/handlers/books.ts')).toContain("'books/photo-add': async () => notImplemented('books/photo-add'),");
    expect(await read('src/handlers/books.ts')).toContain('"it\'s": async () =>');
    expect(await read('test/contract/scenarios.ts')).toContain("'books/photo-add': { 200: unwritten('books/photo-add', 200) },");
  });

  test('is not added for an operation whose handler is written as a method, by a short name, or in a file below', async () => {
    await write(
      'src/handlers/deep/toys.ts',
      "const f = 1;\nexport const toys: Partial<Handlers> = { async listToys() {}, f, 'get-toy': f };\n",
    );
    const { handlers } = await add({ ...LIST, listToys: 'GET /toys', f: 'GET /toys/f', 'get-toy': 'GET /toys/{id}', newToy: 'POST /toys' });
    expect(handlers).toMatchObject([{ operation: { id: 'newToy' } }]);
    expect(await read('src/handlers/deep/toys.ts')).toContain("import { notImplemented } from '@specwright/server';");
  });

  test('goes to the closest path, and among equals to its own tag', async () => {
    await write('src/handlers/photos.ts', 'export const photos = {\n  listPhotos: 1,\n} satisfies Partial<Handlers>;\n');
    const before = { ...LIST, listPhotos: 'GET /books/{bookId}/photos Photos' };
    await add({ ...before, deletePhoto: 'DELETE /books/{id}/photos/{photoId} Books', readBook: 'POST /books/{bookId}/meals Books' });
    expect(await read('src/handlers/photos.ts')).toContain('deletePhoto');
    expect(await read('src/handlers/books.ts')).not.toContain('deletePhoto');
  });

  test('of 800 operations are added in seconds, formatted by Prettier', async () => {
    await write('src/handlers/index.ts', EMPTY_INDEX);
    await rm(join(root.path, 'src/handlers/books.ts'));
    const many = Array.from({ length: 800 }, (_, i) => [`op${i}`, `GET /v1/noun-${i % 80}/{id}/part${i}`] as const);
    const began = performance.now();
    const { handlers, tests } = await add(Object.fromEntries(many));
    expect([handlers.length, tests.length, (await files()).length]).toEqual([800, 800, 81]);
    expect(performance.now() - began).toBeLessThan(scaleTimeout(5000));
    for (const path of ['src/handlers/index.ts', 'src/handlers/noun-7.ts', 'test/contract/scenarios.ts']) {
      expect(await format(join(root.path, path), await read(path))).toBe(await read(path));
    }
  });
});

test('an index that does not compose handlers is an error, and nothing is written', async () => {
  await write('src/handlers/index.ts', 'export const nothing = 1;\n');
  await expect(add({ ...LIST, listToys: 'GET /toys' })).rejects.toThrow(
    /src\/handlers\/index\.ts .*export const handlers: Handlers<Caller, Database> = /,
  );
  expect(await files()).toEqual(['books.ts', 'index.ts']);
});

test('tests stay unchanged on request', async () => {
  await rm(join(root.path, 'test'), { recursive: true });
  const { tests } = await add({ ...LIST, listToys: 'GET /toys' }, false);
  expect(tests).toEqual([]);
});

describe('a removed operation', () => {
  beforeEach(async () => {
    await write('test/contract/scenarios.ts', 'export const SCENARIOS: Scenarios = {\n  listBooks: { 200: one },\n};\n');
    await write('test/store/books.test.ts', "listBooks();\n\nawait world.send('listBooks');\n");
    await write('generated/operations.ts', 'export const operations = { "listBooks": { "method": "get", "path": "/books" } } as const;\n');
  });

  test('is reported with its handler and its tests, and nothing is deleted', async () => {
    const report = await add({ getBook: 'GET /books/{bookId}' });
    expect(formatStubs(report)).toEqual([
      'src/handlers/books.ts:7:3 the spec has no operation listBooks: this handler is obsolete; remove it, or restore the operation',
      'test/contract/scenarios.ts:2:3 the spec has no operation listBooks: this test is obsolete; remove it, or restore the operation',
      'test/store/books.test.ts:3:18 the spec has no operation listBooks: this test is obsolete; remove it, or restore the operation',
      expect.stringContaining('src/handlers/books.ts'),
      expect.stringContaining('test/contract/scenarios.ts'),
    ]);
    expect(await read('src/handlers/books.ts')).toContain('listBooks:   async (');
  });

  test('that only has another name now gets no stub: its handler, its tests and its types are renamed', async () => {
    await write('src/db/books.ts', "export type Filter = Input<'listBooks'>['query'];\nexport const table = 'listBooks';\n");
    const report = await add({ 'find-books': 'GET /books' });
    expect(report).toMatchObject({ handlers: [], tests: [], obsolete: [], renamed: [{ id: 'listBooks', renamed: { id: 'find-books' } }] });
    expect(formatStubs(report)).toEqual([
      'src/handlers/books.ts:7:3 renamed listBooks to find-books',
      'test/contract/scenarios.ts:2:3 renamed listBooks to find-books',
      'test/store/books.test.ts:3:18 listBooks is now called find-books: rename it here',
    ]);
    expect(await read('src/handlers/books.ts')).toContain(
      "  'find-books':   async (_input, _reply, { db }) => db( 'books' ), // as I like it",
    );
    expect(await read('test/contract/scenarios.ts')).toContain("  'find-books': { 200: one },");
    expect(await read('src/db/books.ts')).toBe("export type Filter = Input<'find-books'>['query'];\nexport const table = 'listBooks';\n");
    expect((await add({ 'find-books': 'GET /books' })).written).toEqual([]);
  });

  test('that was renamed after its table was generated is known by the comment of its stub, and by what the caller knows', async () => {
    await write('generated/operations.ts', 'export const operations = {} as const;\n');
    expect(await add({ findBooks: 'GET /books' })).toMatchObject({ renamed: [], obsolete: [{ id: 'listBooks' }] });
    await write('src/handlers/books.ts', FILES['src/handlers/books.ts']?.replace('// Mine.', '// GET /books: Lists. Answers 200.') ?? '');
    expect(await add({ searchBooks: 'GET /books' })).toMatchObject({ renamed: [{ id: 'listBooks' }], handlers: [] });
    expect(await read('src/handlers/books.ts')).toContain('  searchBooks:   async (');
    const former = new Map([['searchBooks', [{ method: 'get', path: '/all-books' }]]]);
    expect(await add({ listAll: 'GET /all-books' }, true, former)).toMatchObject({ renamed: [{ id: 'searchBooks' }] });
  });
});

test('the handlers and tests of a contract are not those of another whose folders are in its own', async () => {
  const specs = { v1: { generated: 'generated', handlers: 'src/handlers', contractTests: 'test/contract' }, v2: {} };
  await write('package.json', JSON.stringify({ specwright: { name: 'test', specs }, prettier: { printWidth: 140, singleQuote: true } }));
  await write('src/handlers/v2/books.ts', (FILES['src/handlers/books.ts'] ?? '').replace('listBooks', 'findBooks'));
  await write('test/contract/v2/scenarios.ts', "export const SCENARIOS: Scenarios = {\n  listBooks: call('listBooks'),\n};\n");
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    paths: { '/books': { get: { operationId: 'allBooks', responses: { 200: { description: 'Good.' } } } } },
  });
  const former: FormerOperations = new Map([['listBooks', [{ method: 'get', path: '/books' }]]]);
  const report = await addStubs({ project: readProjectConfig(root.path, 'v1'), spec: parseSource('spec.json', text), former });
  expect(report.renamed.map(({ id, tests }) => [id, tests])).toEqual([['listBooks', []]]);
  expect(report.obsolete).toEqual([]);
  expect(await read('src/handlers/books.ts')).toContain('allBooks: ');
  expect(await read('src/handlers/v2/books.ts')).toContain('findBooks: ');
  expect(await read('test/contract/v2/scenarios.ts')).toContain("listBooks: call('listBooks')");
});
