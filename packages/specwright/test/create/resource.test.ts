/** The parts of `add-resource`: the properties of the command line, what is appended to a spec, what is refused, and all or nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  propertiesOf,
  checkDocument,
  isObject,
  parseSource,
  resolve,
  type Document,
  type OperationObject,
  type Response,
} from '@specwright/contract/document';
import type { ProjectConfig } from '../../src/project-config.ts';
import { writeAll } from '../../src/files/write-all.ts';
import { assertReferable } from '../../src/resource/add-resource.ts';
import { planResource, type ResourceRequest } from '../../src/resource/plan-resource.ts';
import { assertCommitted } from '../../src/resource/project-files.ts';
import { parsePropertyLine, parsePropertyLines } from '../../src/resource/spec/resource-schemas.ts';
import { namesOf } from '../../src/resource/resource.ts';
import { constraintEntries, constraintsOf, planTable } from '../../src/resource/resource-table.ts';
import { writeSpec } from '../../src/resource/spec/write-spec.ts';
import { appendToYaml, toYaml } from '../../src/resource/spec/yaml-insert.ts';
import { parseSchemaMap } from '../../src/schema/database-locations.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();

describe('a property of the command line', () => {
  test.each([
    ['name:string', { name: 'name', required: true, kind: { type: 'string' } }],
    ['openedAt:date-time?', { name: 'openedAt', required: false, kind: { type: 'date-time' } }],
    ['valid_from:date', { name: 'valid_from', required: true, kind: { type: 'date' } }],
    ['price:decimal', { name: 'price', required: true, kind: { type: 'decimal' } }],
    ['status:active|closed', { name: 'status', required: true, kind: { values: ['active', 'closed'] } }],
    ['category:categories?', { name: 'category', required: false, kind: { noun: 'categories' } }],
  ])('%s', (text, expected) => {
    expect(parsePropertyLine(text, ['categories'])).toEqual(expected);
  });

  test.each([
    ['name', /a property is name:type/],
    ['name:', /a property is name:type/],
    ['Name:string', /Name must be .* camel case/],
    ['opened__at:date', /opened__at must be/],
    ['id:integer', /every record has id/],
    ['name:strng', /there is no type strng: did you mean string\? Types: string, .*a noun \(categories\)/],
    ['category:categorys', /there is no type categorys: did you mean categories\?/],
    ['status:active|', /the value "" must be/],
    ['status:a|a', /a value is given twice/],
  ])('%s is refused', (text, message) => {
    expect(() => parsePropertyLine(text, ['categories'])).toThrow(message);
  });

  test('is not given twice, as a reference and by its own name neither', () => {
    expect(() => parsePropertyLines(['category:categories', 'categoryId:integer'], ['categories'])).toThrow(
      'the property categoryId is given twice',
    );
  });
});

test.each([
  ['pet-toys', undefined, { One: 'PetToy', Many: 'PetToys', table: 'pet_toys', id: 'petToyId', aWord: 'a pet toy' }],
  ['users', undefined, { One: 'User', aWord: 'a user' }],
  ['entries', undefined, { One: 'Entry', aWord: 'an entry' }],
  ['people', 'Person', { One: 'Person', Many: 'People', one: 'person', id: 'personId', words: 'people' }],
])('the names of %s', (noun, type, expected) => {
  expect(namesOf(noun, type)).toMatchObject(expected);
});

describe('an entry in YAML', () => {
  const append = (text: string, path: string[], ...entries: string[]) => appendToYaml(text, path, entries, 2);

  test('follows the last one, before what follows that, with its indentation and its empty lines', () => {
    const text = '# First.\na:\n    x: 1 # one\n\n    y: { z: 2 }\n# Between.\nb: |\n  text\n';
    expect(append(text, ['a'], 'new: 3\n')).toBe(text.replace('y: { z: 2 }\n', 'y: { z: 2 }\n\n    new: 3\n'));
    expect(append(text, [], 'c: 4\n')).toBe(`${text}c: 4\n`);
  });

  test('makes what it is to be in', () => {
    expect(append('a: 1\n', ['b', 'c'], 'x: 1\n', 'y: 2\n')).toBe('a: 1\nb:\n  c:\n    x: 1\n    y: 2\n');
    expect(append('a:\n  b: {}\nc: 1\n', ['a', 'b'], 'x: 1\n')).toBe('a:\n  b:\n    x: 1\nc: 1\n');
    expect(append('a:\n  - x\nc: 1\n', ['a'], '- y\n')).toBe('a:\n  - x\n  - y\nc: 1\n');
  });

  test('is refused where there is no line for it', () => {
    expect(() => append('a: { b: 1 }\n', ['a'], 'x: 1\n')).toThrow('a is written in braces');
  });

  test('a text that looks like a date, a boolean or a number is in quotes', async () => {
    const value = { tags: ['A'], example: { day: '2026-12-24', yes: 'yes', status: '200' } };
    expect(await toYaml(value, { indent: 2, compact: true }, true)).toBe(
      "tags: [A]\nexample: { day: '2026-12-24', 'yes': 'yes', status: '200' }\n",
    );
  });
});

const SPEC = `openapi: 3.0.3
info: { title: Books, version: '1' }
# Whoever calls.
security:
  - key: []
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200': { description: All. }
        '400':
          $ref: '#/components/responses/Invalid'
  /books/{bookId}:
    delete:
      operationId: deleteBook
      parameters:
        - { name: bookId, in: path, required: true, schema: { type: integer } }
      responses:
        '204': { description: Gone. }
        '404':
          description: No such book.
          content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  responses:
    Invalid:
      description: Not valid.
      content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
  schemas:
    Problem: # as everybody has it
      type: object
      properties: { detail: { type: string } }
    Shelf:
      type: object
      required: [id, room, addedAt]
      properties:
        id: { type: integer, format: int64, minimum: 1, readOnly: true }
        room: { type: string, maxLength: 40 }
        height: { type: integer, minimum: 1, maximum: 9 }
        addedAt: { type: string, format: date-time, readOnly: true }
`;
const MAP = 'tables:\n  books: { read: [Problem], columns: { id: id } }\n';

function plan(request: Partial<ResourceRequest>, spec = SPEC) {
  const project = { root: root.path, handlers: 'src/handlers' } as ProjectConfig;
  const source = parseSource('spec.yaml', spec);
  const options = { project, source, map: parseSchemaMap('map', MAP), stores: 'src/db', owner: undefined };
  return planResource({ noun: 'authors', schema: undefined, properties: [], ...request }, options).then((planned) => ({
    source,
    ...planned,
  }));
}

describe('a request is refused', () => {
  test.each<[string, Partial<ResourceRequest>, RegExp]>([
    ['without properties', {}, /missing properties, as in name:string/],
    ['with an unknown schema', { schema: 'Shelv' }, /the spec has no schema Shelv: did you mean Shelf\?/],
    ['with properties of a schema that is there', { noun: 'shelves', schema: 'Shelf', properties: ['a:string'] }, /leave out a:string/],
    ['with a path', { noun: 'store/authors', properties: ['a:string'] }, /cannot be a noun/],
    ['with a singular', { noun: 'author', properties: ['a:string'] }, /author is no plural/],
    ['with a noun that is there', { noun: 'books', properties: ['a:string'] }, /spec\.yaml has \/books\n[^]*deleteBook[^]*a table books/],
    ['with a schema that has no id', { noun: 'problems', schema: 'Problem' }, /Problem needs a required property id/],
  ])('%s', async (_, request, message) => {
    await expect(plan(request)).rejects.toThrow(message);
  });

  test('with a file that is there', async () => {
    root.write('src/db/authors.ts', '');
    await expect(plan({ properties: ['name:string'] })).rejects.toThrow('src/db/authors.ts exists');
  });
});

test('a noun cannot be referred to while its clients cannot be told that a record is in use', async () => {
  const { source, resource } = await plan({ properties: ['book:books'] });
  const codes = (...all: string[]) => ({
    invalidReference: 'invalid_request',
    inUse: (one: string) => all.find((code) => code === `${one}_in_use`),
  });
  const assert = (document: Document, ...all: string[]) => assertReferable(document, resource, codes(...all), 'src/errors.ts');
  expect(() => assert(source.document)).toThrow(
    /^authors cannot be added, nothing was changed: [^]*409 to DELETE \/books\/\{bookId\}[^]*book_in_use: 409 in src\/errors\.ts/,
  );
  const declared = parseSource('spec.yaml', SPEC.replace("'204': {", "'409': { description: In use. }\n        '204': {")).document;
  expect(() => assert(declared)).toThrow('book_in_use');
  expect(() => assert(declared, 'book_in_use')).not.toThrow();
  expect(() => assert(parseSource('spec.yaml', SPEC.replace('    delete:', '    head:')).document)).not.toThrow();
});

test('names in snake case are read as those in camel case, and decimal numbers are strings in numeric columns', async () => {
  const { source, ...planned } = await plan({ properties: ['valid_from:date', 'book_id:books?', 'unit_kind:a|b', 'price:decimal'] });
  const { document } = await writeSpec({ source, ...planned, tag: undefined });
  const [statement] = planTable(document, planned.resource, constraintsOf(document, planned.resource)).actions;
  expect(statement).toMatchObject({ statement: expect.stringMatching(/valid_from date NOT NULL,\s+book_id bigint,/) });
  expect(statement).toMatchObject({ statement: expect.stringMatching(/unit_kind text NOT NULL CHECK [^]*price numeric NOT NULL,/) });
  expect(planned.resource.properties[1]).toMatchObject({ reference: { role: 'book', names: { noun: 'books' } } });
  expect(document.components?.schemas).toMatchObject({
    AuthorUnitKind: { enum: ['a', 'b'] },
    NewAuthor: {
      properties: { valid_from: { description: 'The valid from of the author.' }, price: { type: 'string', format: 'decimal' } },
    },
  });
});

test('a table has a column for each property, or the property is named', async () => {
  const { source, ...planned } = await plan(
    { noun: 'shelves', schema: 'Shelf' },
    SPEC.replace('height: {', 'more: { oneOf: [{ type: string }, { type: boolean }] }\n        height: {'),
  );
  const { document } = await writeSpec({ source, ...planned, tag: undefined });
  expect(() => planTable(document, planned.resource, [])).toThrow(
    /^shelves: not every property has a column:\n {2}shelves\.more: more .*: add it/,
  );
});

describe('what a broken constraint means', () => {
  const ofAuthors = async () => {
    const { source, ...planned } = await plan({ properties: ['name:string', 'book:books?', 'bornAt:date-time?'] });
    const { document } = await writeSpec({ source, ...planned, tag: undefined });
    return { resource: planned.resource, constraints: constraintsOf(document, planned.resource) };
  };
  const CODES = { invalidReference: 'invalid_request', inUse: () => 'conflict' };

  test('each constraint is answered, and that of an account', async () => {
    const { resource, constraints } = await ofAuthors();
    const { onWrite, onDelete } = constraintEntries({ ...resource, owner: 'account_id' }, constraints, CODES);
    expect(onWrite).toEqual([
      "...accountReferences('authors'),",
      "authors_book: ['invalid_request', { location: 'body', pointer: '/bookId', code: 'reference', message: 'refers to a book that does not exist' }],",
      "authors_born_at_range: ['invalid_request', { location: 'body', pointer: '/bornAt', code: 'format', message: 'must be in the years 0001 to 9999' }],",
    ]);
    expect(onDelete).toEqual(["authors_book: ['conflict', 'the book still has authors'],"]);
    expect(constraintEntries(resource, [], CODES)).toEqual({ onWrite: [], onDelete: [] });
  });
});

test('a file with uncommitted changes is not changed; a folder that is no checkout has none', () => {
  const project = { root: root.path } as ProjectConfig;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: root.path });
  root.write('a.ts', '1');
  root.write('b.ts', '1');
  expect(() => assertCommitted(project, ['a.ts'])).not.toThrow();
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  root.write('a.ts', '2');
  expect(() => assertCommitted(project, ['b.ts'])).not.toThrow();
  expect(() => assertCommitted(project, ['a.ts', 'b.ts'])).toThrow(
    /^uncommitted changes, nothing was changed: [^]*--allow-dirty\n {2}a\.ts$/,
  );
});

describe("in somebody else's document", () => {
  const written = async (request: Partial<ResourceRequest>, from = SPEC) => {
    const { source, ...planned } = await plan(request, from);
    const spec = await writeSpec({ source, ...planned, tag: undefined });
    const operation = (path: string, method: 'get' | 'delete' | 'patch' | 'post') => spec.document.paths[path]?.[method] as OperationObject;
    return { spec, operation };
  };

  test('every line stays, the document is valid, and errors are those that it has', async () => {
    const { spec, operation } = await written({ properties: ['name:string', 'kind:a|b?', 'book:books'] });
    const lines = spec.source.split('\n');
    let at = -1;
    for (const line of SPEC.trimEnd().split('\n')) expect((at = lines.indexOf(line, at + 1))).toBeGreaterThan(-1);
    expect(await checkDocument(spec)).toEqual([]);
    const { responses } = operation('/authors/{authorId}', 'delete');
    expect(Object.keys(responses)).toEqual(['204', '400', '401', '404', '412']);
    expect(responses['400']).toEqual({ $ref: '#/components/responses/Invalid' });
    for (const status of ['401', '404', '412']) {
      const response = responses[status];
      expect(Object.keys((response && resolve<Response>(spec.document, response).content) ?? {})).toEqual(['application/problem+json']);
    }
    const names = (operation('/authors', 'get').parameters ?? []).map((one) => resolve<{ name: string }>(spec.document, one).name);
    expect(names).toEqual(['kind', 'bookId', 'limit', 'cursor']);
    expect(operation('/authors', 'get').responses['200']).toMatchObject({ headers: { Link: expect.anything() } });
    expect(operation('/authors', 'post').responses['201']).toMatchObject({
      headers: { Location: expect.anything(), ETag: expect.anything() },
    });
  });

  test('a header that requests for the same usually have is one of it, and another that is declared is not', async () => {
    const KEY = '{ name: Idempotency-Key, in: header, schema: { type: string } }';
    const declared = SPEC.replace('components:\n', `components:\n  parameters:\n    Key: ${KEY}\n`);
    const parameters = async (spec: string) =>
      (await written({ properties: ['name:string'] }, spec)).operation('/authors', 'post').parameters;
    expect(await parameters(declared)).toBeUndefined();
    const post =
      "    post: { operationId: addBook, parameters: [{ $ref: '#/components/parameters/Key' }], responses: { '204': { description: Added. } } }\n";
    expect(await parameters(declared.replace('  /books:\n', `  /books:\n${post}`))).toEqual([{ $ref: '#/components/parameters/Key' }]);
  });

  test.each([
    ['of whole numbers from 1, with a default', '{ type: integer, minimum: 1, default: 10 }', true],
    ['of numbers', '{ type: number, minimum: 1, default: 10 }', false],
    ['without a default', '{ type: integer, minimum: 1 }', false],
    ['of no records', '{ type: integer, minimum: 0, default: 10 }', false],
  ])('a list takes the limit that the document declares: %s', async (_, schema, isTaken) => {
    const declared = SPEC.replace('components:\n', `components:\n  parameters:\n    Size: { name: limit, in: query, schema: ${schema} }\n`);
    const { operation } = await written({ properties: ['name:string'] }, declared);
    const references = JSON.stringify(operation('/authors', 'get').parameters);
    expect(references.includes('#/components/parameters/Size')).toBe(isTaken);
  });

  test('a schema that is there keeps its text; what clients do not give is in no request', async () => {
    const { spec } = await written({ noun: 'shelves', schema: 'Shelf' });
    expect(await checkDocument(spec)).toEqual([]);
    const { NewShelf = {}, ShelfPatch = {}, Shelves } = spec.written.components?.schemas ?? {};
    expect(Object.keys(propertiesOf(NewShelf))).toEqual(['room', 'height']);
    expect(propertiesOf(ShelfPatch)).toMatchObject({ room: { type: 'string', maxLength: 40 }, height: { nullable: true, maximum: 9 } });
    expect(Shelves).toMatchObject({ items: { $ref: '#/components/schemas/Shelf' } });
    expect(spec.source.match(/^ {4}Shelf:$/gm)).toHaveLength(1);
  });

  test('in OpenAPI 3.1 what a patch can remove has null among its types', async () => {
    const { spec } = await written({ noun: 'shelves', schema: 'Shelf' }, SPEC.replace('3.0.3', '3.1.0'));
    const { ShelfPatch = {} } = spec.written.components?.schemas ?? {};
    expect(propertiesOf(ShelfPatch)).toMatchObject({ height: { type: ['integer', 'null'], maximum: 9 } });
    expect(spec.source).not.toContain('nullable');
  });

  test('without any error, a body of errors is declared', async () => {
    const bare = 'openapi: 3.0.3\ninfo: { title: Bare, version: "1" }\npaths: {}\n';
    const { source, ...planned } = await plan({ properties: ['name:string'] }, bare);
    const spec = await writeSpec({ source, ...planned, tag: undefined });
    expect(await checkDocument(spec)).toEqual([]);
    expect(spec.document.components?.schemas?.['Error']).toMatchObject({ required: ['code', 'message', 'status'] });
    expect(isObject(spec.document.paths['/authors'])).toBe(true);
  });
});

test('files are written all or none', () => {
  const at = (name: string) => join(root.path, name);
  writeFileSync(at('a'), 'before');
  writeFileSync(at('blocked'), 'a file, and no folder');
  const files = new Map([
    ['a', 'after'],
    ['new', 'new'],
    ['blocked/b', 'b'],
  ]);
  expect(() => writeAll(root.path, files, ['new'])).toThrow(/^nothing was changed: /);
  expect([readFileSync(at('a'), 'utf8'), existsSync(at('new'))]).toEqual(['before', false]);
  files.delete('blocked/b');
  expect(writeAll(root.path, files, ['new'])).toEqual(['a', 'new']);
  expect(() => writeAll(root.path, new Map([['new', 'another']]), ['new'])).toThrow('nothing was changed: new exists');
  expect(readFileSync(at('new'), 'utf8')).toBe('new');
});
