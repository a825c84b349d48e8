/** A document in several files is read as one, and everything in it is located in the file where it is written. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { loadContract } from '@specwright/contract';
import { checkDocument, ContractError, operationTable, proveSpec, readDocument, type ProvenSpec } from '@specwright/contract/document';
import { readFast } from '../src/reading/source-document.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const SPLIT: Readonly<Record<string, string>> = {
  'openapi.yaml': `openapi: 3.0.3
info: { title: Books, version: '1' }
paths:
  /books:
    $ref: 'paths/books.yaml#/all'
  /books/{id}:
    $ref: 'paths/books.yaml#/one'
components:
  schemas:
    Book: { $ref: schemas/book.yaml }
    Error: { type: object, properties: { message: { type: string } } }
`,
  'paths/books.yaml': `all:
  get:
    operationId: listBooks
    parameters: [{ $ref: '../common.json#/parameters/Page' }]
    responses:
      '200':
        description: ok
        content:
          application/json:
            schema: { type: array, items: { $ref: '../schemas/book.yaml' } }
      default: { $ref: '../common.json#/responses/Failed' }
one:
  get:
    operationId: getBook
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '../schemas/book.yaml' } } } } }
`,
  'schemas/book.yaml': `type: object
required: [title]
properties:
  title: { type: string }
  author: { $ref: 'people%20and%20firms.yaml#/Person' }
  sequel: { $ref: '#' }
`,
  'schemas/people and firms.yaml': `Person:
  type: object
  properties:
    books: { type: array, items: { $ref: book.yaml } }
    error: { $ref: 'error.yaml' }
`,
  'schemas/error.yaml': `type: string\n`,
  'common.json': JSON.stringify(
    {
      parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
      responses: {
        Failed: { description: 'failed', content: { 'application/json': { schema: { $ref: 'openapi.yaml#/components/schemas/Error' } } } },
      },
    },
    null,
    2,
  ),
};

const folder = withFolder();
let spec: string;
beforeEach(() => {
  spec = join(folder.path, 'openapi.yaml');
  for (const [name, text] of Object.entries(SPLIT)) {
    folder.write(name, text);
  }
});

const edit = (name: string, from: string, to: string) => {
  const text = SPLIT[name] ?? '';
  expect(text).toContain(from);
  folder.write(name, text.replace(from, to));
};

/** `file:line` of a part. */
const place = (...path: string[]) => {
  const { file = spec, line } = readDocument(spec).locate(path);
  return `${relative(folder.path, file)}:${line}`;
};

/** The problems of reading or checking it, from the folder of the document. */
async function problems(): Promise<string[]> {
  const listed = await (async () => checkDocument(readDocument(spec)))().catch((error: unknown) => {
    if (!(error instanceof ContractError)) throw error;
    return error.problems;
  });
  return listed.map(
    ({ file = spec, line, message }) => `${relative(folder.path, file)}:${line} ${message.replaceAll(`${folder.path}/`, '')}`,
  );
}

test('is one document with references within it only, whose components have readable names', async () => {
  const { document, text, files } = readDocument(spec);
  expect(await problems()).toEqual([]);
  expect(text).not.toMatch(/"\$ref":"[^#]/);
  expect(document.components?.schemas).toMatchObject({
    Book: { properties: { author: { $ref: '#/components/schemas/Person' }, sequel: { $ref: '#/components/schemas/Book' } } },
    Error: { type: 'object' },
    Person: {
      properties: { books: { items: { $ref: '#/components/schemas/Book' } }, error: { $ref: '#/components/schemas/error' } },
    },
    error: { type: 'string' },
  });
  expect(Object.keys(document.components ?? {})).toEqual(['schemas', 'parameters', 'responses']);
  expect(document.components?.['responses']).toMatchObject({
    Failed: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  });
  expect(operationTable(document)).toMatchObject({ listBooks: { path: '/books' }, getBook: { path: '/books/{id}' } });
  expect(files.map(({ file }) => relative(folder.path, file)).sort()).toEqual(Object.keys(SPLIT).sort());
});

test('a name that is taken gets a number', () => {
  edit('schemas/people and firms.yaml', "'error.yaml'", "'firms/Error.yaml'");
  folder.write('schemas/firms/Error.yaml', 'type: string\n');
  expect(readDocument(spec).document.components?.schemas).toMatchObject({
    Error: { type: 'object' },
    Error2: { type: 'string' },
    Person: { properties: { error: { $ref: '#/components/schemas/Error2' } } },
  });
});

test('a section of components, and a discriminator, may name files', () => {
  writeFileSync(
    spec,
    `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: {}
components:
  schemas: { $ref: pets.yaml }
`,
  );
  folder.write(
    'pets.yaml',
    `Pet:
  oneOf: [{ $ref: '#/Dog' }, { $ref: cat.yaml }]
  discriminator: { propertyName: kind, mapping: { dog: '#/Dog', cat: cat.yaml } }
Dog: { type: object }
`,
  );
  folder.write('cat.yaml', 'type: object\n');
  expect(readDocument(spec).document.components?.schemas).toEqual({
    Pet: {
      oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/cat' }],
      discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog', cat: '#/components/schemas/cat' } },
    },
    Dog: { type: 'object' },
    cat: { type: 'object' },
  });
});

test('the children of a parent in another file are those beside it that build on it, under the names that they have there', () => {
  writeFileSync(
    spec,
    `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'pets.yaml#/components/schemas/Pet' } } } } }
components:
  schemas:
    Cat: { type: string }
`,
  );
  folder.write(
    'pets.yaml',
    `components:
  schemas:
    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { tom: Cat } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, properties: { lives: { type: integer } } }] }
    Dog: { allOf: [{ $ref: 'pets.yaml#/components/schemas/Pet' }] }
    Puppy: { allOf: [{ $ref: '#/components/schemas/Dog' }] }
    Stone: { type: object }
`,
  );
  const { document } = readDocument(spec);
  const { schemas = {} } = document.components ?? {};
  expect(Object.keys(schemas)).toEqual(['Cat', 'Pet', 'Cat2', 'Dog', 'Puppy']);
  expect(schemas['Pet']).toMatchObject({
    discriminator: {
      mapping: {
        Cat: '#/components/schemas/Cat2',
        tom: '#/components/schemas/Cat2',
        Dog: '#/components/schemas/Dog/%24defs/DogBase',
        Puppy: '#/components/schemas/Puppy',
      },
    },
  });
});

test('a $ref within an example is data', () => {
  edit('schemas/error.yaml', 'type: string', 'type: string\nexample: { $ref: gone.yaml }');
  expect(readDocument(spec).published.components?.schemas).toMatchObject({ error: { example: { $ref: 'gone.yaml' } } });
});

test('each part is located in the file where it is written', () => {
  expect(place('paths', '/books')).toBe('openapi.yaml:4');
  expect(place('paths', '/books', 'get', 'operationId')).toBe('paths/books.yaml:3');
  expect(place('paths', '/books/{id}', 'get', 'responses', '200')).toBe('paths/books.yaml:16');
  expect(place('components', 'schemas', 'Error', 'type')).toBe('openapi.yaml:11');
  expect(place('components', 'schemas', 'Book', 'properties', 'title')).toBe('schemas/book.yaml:4');
  expect(place('components', 'schemas', 'Person', 'properties', 'books')).toBe('schemas/people and firms.yaml:4');
  expect(place('components', 'parameters', 'Page', 'schema', 'type')).toBe('common.json:7');
});

test('a problem in a part has its file and line', async () => {
  edit('schemas/book.yaml', 'required: [title]', 'required: true');
  expect(await problems()).toEqual(['schemas/book.yaml:2 Expected `required` to be of type `array` but got `boolean`. (struct)']);
});

test('a file of another version of OpenAPI is one problem, where what it says is not of this version', async () => {
  const part = (openapi: string, more: string) =>
    folder.write('schemas/book.yaml', `openapi: ${openapi}\ntype: object\nproperties: { a: { ${more} }, b: { ${more} } }\n`);
  part('3.1.0', 'const: 1');
  expect(await problems()).toEqual([
    'schemas/book.yaml:1 is OpenAPI 3.1.0, and openapi.yaml, which refers to it, is 3.0.3: write both in one version (struct)',
  ]);
  part('3.0.4', 'type: string');
  expect((await problems()).join()).not.toContain('is OpenAPI');
});

test.each<[what: string, file: string, from: string, to: string, problem: RegExp]>([
  [
    'a missing file',
    'paths/books.yaml',
    '../common.json#/parameters/Page',
    '../commn.json#/parameters/Page',
    /^paths\/books\.yaml:4 \$ref \.\.\/commn\.json#\/parameters\/Page leads to nothing: there is no file commn\.json\. Add it, or fix the reference$/,
  ],
  [
    'a missing part',
    'schemas/book.yaml',
    '#/Person',
    '#/Persn',
    /^schemas\/book\.yaml:5 \$ref people%20and%20firms\.yaml#\/Persn leads to nothing: schemas\/people and firms\.yaml has no \/Persn$/,
  ],
  [
    'a URL',
    'schemas/people and firms.yaml',
    "'error.yaml'",
    'https://example.com/error.yaml',
    /^schemas\/people and firms\.yaml:5 \$ref https:\/\/example\.com\/error\.yaml is a URL, which is not fetched: `npx specwright vendor` downloads it, /,
  ],
  [
    'a component of the document, as if it were in the same file',
    'schemas/people and firms.yaml',
    "'error.yaml'",
    "'#/components/schemas/Error'",
    /^schemas\/people and firms\.yaml:5 .* has no \/components\. openapi\.yaml has it: name that file$/,
  ],
  [
    'a syntax error in the target',
    'schemas/error.yaml',
    'type: string',
    'type string\na: b',
    /^schemas\/error\.yaml:1 there is no colon after `type`.* \(read for the \$ref at \S*people and firms\.yaml:5:\d+\)$/,
  ],
])('%s is reported with file and line, and what it leads to', async (_what, file, from, to, problem) => {
  edit(file, from, to);
  expect(await problems()).toEqual([expect.stringMatching(problem)]);
  expect(readFast(spec)).toBeUndefined();
});

test('all references that lead nowhere are reported together', async () => {
  edit('schemas/book.yaml', '#/Person', '#/Persn');
  edit('paths/books.yaml', '../common.json#/parameters/Page', 'gone.yaml');
  expect(await problems()).toHaveLength(2);
});

test('what contains itself without a name is refused', async () => {
  edit(
    'paths/books.yaml',
    'get:\n    operationId: list',
    'get:\n    callbacks: { done: { "/x": { $ref: "#/all" } } }\n    operationId: list',
  );
  expect(await problems()).toEqual([expect.stringMatching(/^paths\/books\.yaml:3 \$ref #\/all contains itself where OpenAPI has no name/)]);
});

test('a reference to an $id of the document leads to no file', async () => {
  writeFileSync(
    spec,
    `openapi: 3.1.0
info: { title: Ids, version: '1' }
components:
  schemas:
    A: { $id: 'https://example.com/a', type: object, properties: { b: { $ref: b }, a: { $ref: 'https://example.com/a' } } }
    B: { $id: 'https://example.com/b', type: string, $defs: { c: { $anchor: c, $ref: '#' }, d: { $ref: '#c' } } }
paths: {}
`,
  );
  expect(await problems()).toEqual([]);
  const { document } = readDocument(spec);
  expect(document.components?.schemas?.['A']).toMatchObject({
    properties: { b: { $ref: '#/components/schemas/B' }, a: { $ref: '#/components/schemas/A' } },
  });
});

test('is read to the same content with and without lines', () => {
  const [fast, whole] = [readFast(spec), readDocument(spec)];
  expect(fast?.digest).toBe(whole.digest);
  expect(fast?.document).toEqual(whole.document);
  edit('schemas/error.yaml', 'type: string', '# A comment.\ntype: string');
  expect(readDocument(spec).digest).toBe(whole.digest);
  edit('schemas/error.yaml', 'type: string', 'type: integer');
  expect(readDocument(spec).digest).not.toBe(whole.digest);
});

test('boots, built or not, and serves the whole document', async () => {
  const { digest, document } = readDocument(spec);
  const load = () => loadContract(spec, { digest, operations: operationTable(document) } as never);
  expect((await load()).document).toEqual(document);
  expect((await load()).toYaml()).not.toMatch(/\$ref: ['"]?[^#'"]/);

  const generated = join(folder.path, 'document.json');
  writeFileSync(generated, JSON.stringify(document));
  const global = globalThis as { SPECWRIGHT_SPECS?: readonly ProvenSpec[] };
  const proven = proveSpec(spec, generated);
  global.SPECWRIGHT_SPECS = proven === undefined ? [] : [proven];
  try {
    expect(Object.keys(proven?.texts ?? {}).sort()).toEqual(Object.keys(SPLIT).sort());
    const built = await load();
    expect(built.document).toEqual(document);
    expect(built.toYaml()).not.toMatch(/\$ref: ['"]?[^#'"]/);
    // The proof is of every file.
    edit('schemas/error.yaml', 'type: string', 'type: integer');
    await expect(load()).rejects.toThrow('generated/ was made from another version of this file');
  } finally {
    delete global.SPECWRIGHT_SPECS;
  }
});
