/** Split documents become one file of the same meaning; what cannot be bundled is refused with its location. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { applyDefaults, bundleSpec } from '../../src/bundle/bundle-spec.ts';
import { runProgram } from '../../src/program.ts';
import { checkDocument, parseSource } from '@specwright/contract/document';

const folders: string[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }));
});

function write(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, 'openapi.yaml');
}

const HEAD = "openapi: 3.0.1\ninfo: { title: T, version: '1' }\n";
const SPLIT = {
  'openapi.yaml': `${HEAD}paths:\n  /books:\n    $ref: paths/books.yaml\n`,
  'paths/books.yaml': `get:
  operationId: listBooks
  responses:
    '200':
      description: ok
      content:
        application/json:
          schema: { $ref: '../schemas.yaml#/definitions/Book' }
`,
  'schemas.yaml': `definitions:
  Book: { type: object, properties: { owner: { $ref: '#/definitions/Owner' }, name: { type: string } } }
  Owner: { type: object, properties: { books: { type: array, items: { $ref: '#/definitions/Book' } }, born: { type: string, example: 2020-01-01 } } }
`,
};

test('files that refer to each other become one valid document without references to files', async () => {
  const { text, notes } = bundleSpec(write(SPLIT));
  expect(text).not.toMatch(/\$ref:.*yaml/);
  const document = parse(text) as { paths: object; components: { schemas: Record<string, unknown> } };
  expect(document.components.schemas).toMatchObject({
    Book: { properties: { owner: { $ref: '#/components/schemas/Owner' } } },
    Owner: { properties: { books: { items: { $ref: '#/components/schemas/Book' } }, born: { example: '2020-01-01' } } },
  });
  expect(document.paths).toMatchObject({ '/books': { get: { operationId: 'listBooks' } } });
  expect(notes.join('\n')).toContain('3 files');
  expect(await checkDocument(parseSource('bundled.yaml', text))).toEqual([]);
});

test('the command writes the document to standard output, or to a file', async () => {
  const file = write(SPLIT);
  const out = join(dirname(file), 'bundled.yaml');
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await runProgram(['bundle', file])).toBe(0);
  expect(output.mock.calls).toEqual([[bundleSpec(file).text]]);
  expect(await runProgram(['bundle', file, '--out', out])).toBe(0);
  expect(output).toHaveBeenCalledTimes(1);
  expect(readFileSync(out, 'utf8')).toBe(bundleSpec(file).text);
});

test('a reference is a URI: its percent-encoding is decoded to the file name', async () => {
  const { 'schemas.yaml': schemas, ...others } = SPLIT;
  const books = SPLIT['paths/books.yaml'].replace('../schemas.yaml', '../our%20sch%C3%A9mas.yaml');
  const { text } = bundleSpec(write({ ...others, 'our schémas.yaml': schemas, 'paths/books.yaml': books }));
  expect(parse(text)).toMatchObject({ components: { schemas: { Book: { type: 'object' } } } });
});

test('a missing file is reported at the reference to it', async () => {
  const file = write({ ...SPLIT, 'paths/books.yaml': SPLIT['paths/books.yaml'].replace('../schemas.yaml', '../gone.yaml') });
  expect(() => bundleSpec(file)).toThrow(
    /paths\/books\.yaml:8:\d+ \$ref \.\.\/gone\.yaml#\/definitions\/Book leads to nothing: there is no file \S*gone\.yaml/,
  );
});

test('a missing part of a file is reported at the reference to it', async () => {
  const file = write({ ...SPLIT, 'paths/books.yaml': SPLIT['paths/books.yaml'].replace('definitions/Book', 'definitions/Cat') });
  expect(() => bundleSpec(file)).toThrow(
    /paths\/books\.yaml:8:\d+ \$ref \.\.\/schemas\.yaml#\/definitions\/Cat leads to nothing: \S*schemas\.yaml has no \/definitions\/Cat/,
  );
});

test('a YAML file without references to files is unchanged, comments included', async () => {
  const text = `# ours\n${HEAD}paths: {}\n`;
  expect(bundleSpec(write({ 'openapi.yaml': text }))).toMatchObject({ text, notes: [] });
});

describe('operation defaults', () => {
  const text = `# ours\n${HEAD}x-operation-defaults: [{ responses: { 500: { description: failed } } }]
paths: { /books: { get: { responses: { 200: { description: ok } } } } }\n`;

  test('are applied for other tools', async () => {
    const file = write({ 'openapi.yaml': text });
    const applied = applyDefaults(bundleSpec(file));
    const responses = { 200: { description: 'ok' }, 500: { description: 'failed' } };
    expect(parse(applied.text)).toEqual({ ...(parse(HEAD) as object), paths: { '/books': { get: { responses } } } });
  });

  test('that are wrong are refused', async () => {
    const file = write({ 'openapi.yaml': text.replace('responses:', 'response:') });
    const bundled = bundleSpec(file);
    expect(() => applyDefaults(bundled)).toThrow(/openapi\.yaml:4:26 response is not allowed here/);
  });

  test('a document without any is unchanged', async () => {
    const bundled = bundleSpec(write({ 'openapi.yaml': `# ours\n${HEAD}paths: {}\n` }));
    expect(applyDefaults(bundled)).toBe(bundled);
  });
});

test('JSON becomes YAML of the same content, also for readers of YAML 1.1', async () => {
  const document = { openapi: '3.0.0', info: { title: 'no', version: '1.0', description: 'a: b\nc' }, paths: {} };
  const { text } = bundleSpec(write({ 'openapi.yaml': JSON.stringify(document) }));
  expect(parse(text)).toEqual(document);
  expect(parse(text, { version: '1.1' })).toEqual(document);
});

test.each([
  ['Swagger 2', 'swagger: "2.0"\npaths: {}\n', /1:1 is Swagger 2\.0.*npx swagger2openapi/],
  ['half a version', "openapi: '3.0'\npaths: {}\n", /1:1 .*write `openapi: 3\.0\.4`/],
  ['half a version, as a number', 'openapi: 3.0\npaths: {}\n', /1:1 .*write `openapi: 3\.0\.4`/],
  ['OpenAPI 4', 'openapi: 4.0.0\npaths: {}\n', /1:1 is OpenAPI 4\.0\.0, and only OpenAPI 3\.0, 3\.1 and 3\.2 are supported/],
  ['Swagger 2 that calls itself OpenAPI', "openapi: '2.0'\npaths: {}\n", /1:1 is OpenAPI 2\.0.*Swagger 2\.0 says `swagger: '2\.0'`/],
  ['an alias without an anchor', 'openapi: 3.0.3\ninfo: *x\n', /openapi\.yaml:2:7 there is no anchor &x before this alias/],
  ['a tag that is not YAML', 'openapi: 3.0.3\ninfo: !ruby/object:A {}\n', /openapi\.yaml:2:7 Unresolved tag/],
  ['two documents', 'openapi: 3.0.3\n---\npaths: {}\n', /openapi\.yaml:2:1 a second document starts here/],
  ['something else', 'hello: world\n', /1:1 is not an OpenAPI document/],
  ['what cannot be parsed', 'openapi: 3.0.3\n  paths: [\n', /openapi\.yaml:2:3 .*; 2 more errors may follow from it/],
])('%s is refused with what to do', async (_what, text, message) => {
  expect(() => bundleSpec(write({ 'openapi.yaml': text }))).toThrow(message);
});

test.each([
  [
    'a URL',
    'https://api.example.com/openapi.yaml',
    'https://api.example.com/openapi.yaml is a URL, and a file is needed: `curl -fL -o openapi.yaml https://api.example.com/openapi.yaml` downloads it',
  ],
  [
    'a URL that was resolved as a path',
    join(tmpdir(), 'http:/127.0.0.1:9/a.yaml'),
    'http://127.0.0.1:9/a.yaml is a URL, and a file is needed',
  ],
  ['a folder', tmpdir(), 'is a folder: name the OpenAPI document in it'],
  ['nothing', join(tmpdir(), 'nowhere.yaml'), 'nowhere.yaml does not exist: name an OpenAPI document'],
])('%s is refused with what to do', async (_what, file, message) => {
  expect(() => bundleSpec(file)).toThrow(message);
});
