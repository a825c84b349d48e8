/** Features of real documents that validators get wrong. Each row: a fragment, a request, and the result that OpenAPI defines. */
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { checkDocument } from '../src/reading/check-document.ts';
import { operationTable } from '../src/reading/operation-table.ts';
import { parseSource } from '../src/reading/source-document.ts';
import { assertSchemasCompile } from '../src/open-contract.ts';
import { concreteType, declaredType } from '../src/http/media-types.ts';
import { listUnsupported } from '../src/unsupported.ts';
import { operationOf, requestValidator, responseValidator } from './support/contract.ts';

const HEAD = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\n";
const sourceOf = (yaml: string) => parseSource('test.yaml', yaml.startsWith('openapi:') ? yaml : HEAD + yaml);
const operation = (yaml: string) => `paths:\n  /things:\n    post:\n      operationId: op\n${yaml.replace(/^/gm, '      ')}\n`;
const OK = "responses: { '204': { description: none } }";
const body = (schema: string, components = '') =>
  `${operation(`${OK}\nrequestBody: { required: true, content: { application/json: { schema: ${schema} } } }`)}${components}`;
const query = (parameter: string) => operation(`${OK}\nparameters: [{ in: query, name: q, ${parameter} }]`);

/** Checks and compiles a document, and validates a request. @returns the input, or the problems. */
async function validate(
  yaml: string,
  request: { body?: unknown; query?: string; headers?: Record<string, string>; path?: Record<string, string>; type?: string },
) {
  const source = sourceOf(yaml);
  expect(await checkDocument(source)).toEqual([]);
  assertSchemasCompile(source);
  return (await requestValidator(source.document))({ ...('body' in request ? { type: 'application/json' } : {}), ...request });
}

describe('schemas', () => {
  const bad = (...problems: string[]) => problems;
  test.each<[trap: string, schema: string, value: unknown, problems: string[] | undefined, components?: string]>([
    ['nullable without type accepts null', '{ nullable: true, allOf: [{ type: object }] }', null, undefined],
    [
      'nullable without type refuses other types',
      '{ properties: { a: { nullable: true, enum: [x] } } }',
      { a: 1 },
      bad('body/a must be null', 'body/a must be equal to one of the allowed values: x', 'body/a must match a schema in anyOf'),
    ],
    [
      'an enum of objects names them in the problem',
      '{ enum: [{ a: 1 }, x] }',
      { a: 2 },
      bad('body must be equal to one of the allowed values: {"a":1}, x'),
    ],
    [
      'a property __proto__',
      '{ properties: { __proto__: { type: integer } } }',
      JSON.parse('{ "__proto__": "x" }'),
      bad('body/__proto__ must be integer'),
    ],
    ['nullable alone accepts anything', '{ nullable: true }', 5, undefined],
    [
      'a property named id, with an example',
      '{ properties: { id: { type: string, example: { id: 5 } }, $id: { type: integer } } }',
      { id: 'x', $id: 1 },
      undefined,
    ],
    ['an example that has an id', '{ type: object, example: { id: "#foo", $ref: nowhere } }', {}, undefined],
    [
      'keywords beside $ref are ignored',
      "{ properties: { a: { $ref: '#/components/schemas/N', maximum: 1 } } }",
      { a: 5 },
      undefined,
      'components: { schemas: { N: { type: integer } } }',
    ],
    [
      'a component whose name has dots',
      "{ $ref: '#/components/schemas/a.b-c' }",
      { n: 'x' },
      bad('body/n must be integer'),
      'components: { schemas: { a.b-c: { properties: { n: { type: integer } } } } }',
    ],
    [
      'a $ref into a path',
      "{ properties: { a: { $ref: '#/paths/~1other/get/responses/200/content/application~1json/schema' } } }",
      { a: 'x' },
      bad('body/a must be integer'),
      OTHER_PATH(),
    ],
    [
      'a $ref into a property',
      "{ $ref: '#/components/schemas/A/properties/b' }",
      'x',
      bad('body must be integer'),
      'components: { schemas: { A: { properties: { b: { type: integer } } } } }',
    ],
    [
      'a schema that contains itself',
      "{ $ref: '#/components/schemas/T' }",
      { t: { t: { t: 1 } } },
      bad('body/t/t/t must be object'),
      "components: { schemas: { T: { type: object, properties: { t: { $ref: '#/components/schemas/T' } } } } }",
    ],
    ['a pattern with an escape that Unicode forbids', "{ type: string, pattern: '^[a-z\\_]+\\@$' }", 'a_@', undefined],
    ['such a pattern is enforced', "{ type: string, pattern: '^[a-z\\_]+\\@$' }", 'a1', bad('body must match pattern "^[a-z\\_]+\\@$"')],
    ['a case-insensitive pattern', "{ type: string, pattern: '(?i)^abc$' }", 'ABC', undefined],
    [
      'a pattern with anchors of other dialects',
      "{ type: string, pattern: '\\A[a-z]+\\z' }",
      'a1',
      bad('body must match pattern "\\A[a-z]+\\z"'),
    ],
    ['an invalid pattern is not enforced', "{ type: string, pattern: '(?<' }", 'x', undefined],
    ['an unknown format is not enforced', '{ type: string, format: sku }', 'x', undefined],
    [
      'contradictory bounds refuse every value',
      '{ type: string, minLength: 3, maxLength: 2 }',
      'xxx',
      bad('body must NOT have more than 2 characters'),
    ],
    ['an exclusive bound as a number', '{ type: number, exclusiveMinimum: 1 }', 1, bad('body must be > 1')],
    ['an exclusive bound as a flag', '{ type: number, minimum: 1, exclusiveMinimum: true }', 1, bad('body must be > 1')],
    ['an empty enum', '{ type: string, maxLength: 1 }', 'xx', bad('body must NOT have more than 1 characters')],
    [
      'readOnly in one part of a composition',
      '{ allOf: [{ required: [id], properties: { id: { type: integer, readOnly: true } } }, { type: object }] }',
      {},
      undefined,
    ],
    [
      'readOnly of what is no property is ignored',
      "{ type: array, items: { anyOf: [{ $ref: '#/components/schemas/Id' }, { type: string, readOnly: true }] } }",
      [1, 'x'],
      undefined,
      'components: { schemas: { Id: { type: integer, readOnly: true } } }',
    ],
  ])('%s', async (_trap, schema, value, problems, ...[components]) => {
    if (schema.includes('exclusiveMinimum: 1 }')) {
      // Not OpenAPI 3.0, which `checkDocument` says; the compilers take it all the same.
      const validate = await requestValidator(sourceOf(body(schema)).document);
      expect(await validate({ body: value, type: 'application/json' })).toEqual(problems);
      return;
    }
    const result = await validate(body(schema, components), { body: value });
    if (problems === undefined) expect(result).toMatchObject({ body: value });
    else expect(result).toEqual(problems);
  });

  test('readOnly of a property by reference, which is ignored', async () => {
    const schema = "{ required: [id], properties: { id: { $ref: '#/components/schemas/Id' } } }";
    const components = 'components: { schemas: { Id: { type: integer, readOnly: true } } }';
    expect((await validate(body(schema, components), { body: { id: 1 } })) as unknown).toHaveProperty('body', {});
  });

  function OTHER_PATH(): string {
    return "  /other: { get: { operationId: other, responses: { '200': { description: ok, content: { application/json: { schema: { type: integer } } } } } } }\n";
  }
});

test.each([
  '{ allOf: [{ properties: { id: { type: integer, readOnly: true, default: 5 } } }, { type: object }] }',
  '{ properties: { id: { allOf: [{ type: integer, readOnly: true, default: 5 }] } } }',
  '{ properties: { id: { readOnly: true, allOf: [{ type: integer, default: 5 }] } } }',
])('the default of what is readOnly in a composition is not filled into a request: %s', async (schema) => {
  expect((await validate(body(schema), { body: {} })) as { body?: unknown }).toHaveProperty('body', {});
});

test('a path parameter may be of a schema that is readOnly', async () => {
  const yaml = `paths:\n  /things/{c}:\n    get:\n      operationId: op\n      ${OK}\n      parameters: [{ in: path, name: c, required: true, schema: { type: integer, readOnly: true } }]\n`;
  expect(await validate(yaml, { path: { c: '5' } })).toMatchObject({ path: { c: 5 } });
});

describe('a default that its own schema rejects is not filled in, and listed as unsupported', () => {
  test.each<[schema: string, inQuery: unknown]>([
    ['{ type: integer, default: 5 }', 5],
    ['{ type: integer, nullable: true, default: null }', null],
    ["{ type: integer, default: '10' }", 10],
    ["{ type: boolean, default: 'true' }", true],
    ['{ type: string, default: 007 }', '7'],
    ['{ type: array, items: { type: string }, default: [] }', []],
    ['{ type: integer, default: null }', undefined],
    ['{ oneOf: [{ type: string }, { type: integer }], default: null }', undefined],
    ["{ $ref: '#/components/schemas/Size' }", undefined],
    ["{ allOf: [{ type: string, enum: ['', s, m] }], default: xl }", undefined],
    ['{ type: string, pattern: ^a, default: b }', undefined],
    ['{ type: string, maxLength: 1, default: bb }', undefined],
    ['{ type: string, format: date, default: now }', undefined],
    ['{ type: string, format: byte, default: "?" }', undefined],
    ['{ type: integer, minimum: 1, default: 0 }', undefined],
    ['{ type: integer, maximum: 1, exclusiveMaximum: true, default: 1 }', undefined],
    ['{ type: array, items: { type: string }, default: [1] }', undefined],
    ['{ type: array, items: { type: string }, default: a }', undefined],
  ])('%s', async (schema, value) => {
    const components = 'components: { schemas: { Size: { type: string, enum: [s, m], default: xl } } }\n';
    const inQuery = operation(`${OK}\nparameters: [{ in: query, name: q, schema: ${schema} }]`) + components;
    expect(await validate(inQuery, {})).toEqual({ path: {}, query: value === undefined ? {} : { q: value }, headers: {}, cookies: {} });
    expect(operationTable(sourceOf(inQuery).document)['op']?.defaults.query).toEqual(value === undefined ? [] : ['q']);
    const inBody = body(`{ properties: { q: ${schema} } }`, components);
    expect(await validate(inBody, { body: {} })).toMatchObject({ body: value === undefined ? {} : { q: value } });
    const notes = listUnsupported(sourceOf(inBody)).map(({ behavior }) => behavior);
    expect(notes).toEqual(value === undefined ? ['it is not filled in'] : []);
  });

  test('not where no request gets one', () => {
    const responses =
      "responses: { '200': { description: ok, content: { application/json: { schema: { type: string, default: 5, maxLength: 0 } } } } }";
    expect(listUnsupported(sourceOf(operation(responses)))).toEqual([]);
  });
});

describe('a discriminator selects one of several similar schemas', () => {
  const schemas = `components:
  schemas:
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, name: { type: string } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, name: { type: string } } }
`;
  const one = (mapping: string) =>
    body(
      `{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind${mapping} } }`,
      schemas,
    );
  test.each([
    ['', 'Cat', true],
    ['', 'Cow', false],
    [", mapping: { c: '#/components/schemas/Cat', d: Dog }", 'd', true],
    [", mapping: { c: '#/components/schemas/Cat', d: Dog }", 'Cat', true],
    [", mapping: { Cat: '#/components/schemas/Dog', d: Cat }", 'Cow', false],
  ])('mapping %j, kind %j: %j', async (mapping, kind, isValid) => {
    expect(Array.isArray(await validate(one(mapping), { body: { kind } }))).toBe(!isValid);
  });

  test('with a default schema does not refuse other values (3.2)', async () => {
    const pet = (name: string) =>
      `{ type: object, required: [kind], properties: { kind: { const: ${name} }, ${name}: { type: integer } } }`;
    const schemas = `components:
  schemas:
    Cat: ${pet('Cat')}
    Dog: ${pet('Dog')}
    Other: { type: object, properties: { kind: { not: { enum: [Cat, Dog] } } } }
`;
    const union = ['Cat', 'Dog', 'Other'].map((name) => `{ $ref: '#/components/schemas/${name}' }`).join(', ');
    const schema = `{ oneOf: [${union}], discriminator: { propertyName: kind, defaultMapping: Other } }`;
    const yaml = `openapi: 3.2.0\ninfo: { title: Test, version: '1' }\n${body(schema, schemas)}`;
    for (const value of [{ kind: 'Cat', Cat: 1 }, { kind: 'Cow' }, {}])
      expect(await validate(yaml, { body: value })).toMatchObject({ body: value });
    expect(await validate(yaml, { body: { kind: 'Cat', Cat: 'x' } })).toContain('body/Cat must be integer');
  });

  test('whose problems are the only ones that are reported', async () => {
    const pets = body(
      `{ type: object, properties: { pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } } } }`,
      `components:
  schemas:
    Cat: { type: object, nullable: true, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } }
    Dog: { type: object, required: [kind, name], properties: { kind: { type: string }, name: { anyOf: [{ not: { type: integer } }, { minimum: 1 }] } } }
`,
    );
    const problems = (pet: unknown) => validate(pets, { body: { pet } });
    expect(await problems({ kind: 'Dog', lives: 9 })).toEqual(['body/pet/name is required']);
    expect(await problems({ kind: 'Dog', name: 0 })).toEqual(['body/pet/name must be >= 1']);
    expect(await problems({ kind: 'Cat', lives: 'nine' })).toEqual(['body/pet/lives must be integer']);
    expect(await problems({ kind: 'Cow' })).toEqual(['body/pet/kind must be equal to one of the allowed values: Cat, Dog']);
    expect(await problems({})).toEqual(['body/pet/kind is required']);
    // One of the two schemas has it.
    expect(await problems(null)).toMatchObject({ body: { pet: null } });
    expect(await problems(5)).toContain('body/pet must be object');
  });
});

describe('a property that each branch of a union requires with other values selects the branch', () => {
  const one = (value: string, more: string, keyword = 'const') =>
    `{ type: object, required: [type, ${more}], properties: { type: { ${keyword}: ${value} }, ${more}: { type: integer } } }`;
  const ibanAndCard = `${one('iban', 'iban')}, ${one('[card, wallet]', 'number', 'enum')}`;
  const problemsOf = async (schema: string, value: unknown, schemas = '') => {
    const yaml = `openapi: 3.1.0\ninfo: { title: Test, version: '1' }\n${body(`{ type: object, properties: { v: ${schema} } }`, schemas)}`;
    const found = await validate(yaml, { body: { v: value } });
    return Array.isArray(found) ? found : 'valid';
  };

  test.each(['oneOf', 'anyOf'])('in %s: the problems are those of that branch', async (key) => {
    const union = `{ ${key}: [${ibanAndCard}, { type: 'null' }, { type: string, maxLength: 1 }] }`;
    expect(await problemsOf(union, { type: 'iban', iban: 1 })).toBe('valid');
    expect(await problemsOf(union, { type: 'wallet', number: 1 })).toBe('valid');
    expect(await problemsOf(union, null)).toBe('valid');
    expect(await problemsOf(union, 'a')).toBe('valid');
    expect(await problemsOf(union, { type: 'iban', number: 1 })).toEqual(['body/v/iban is required']);
    expect(await problemsOf(union, { type: 'cash' })).toEqual([
      'body/v/type must be equal to one of the allowed values: iban, card, wallet',
    ]);
    expect(await problemsOf(union, {})).toEqual(['body/v/type is required']);
    expect(await problemsOf(union, 'ab')).toContain('body/v must NOT have more than 1 characters');
    expect(await problemsOf(`{ ${key}: [${ibanAndCard}] }`, 5)).toEqual(['body/v must be object']);
  });

  test('in parts of an allOf, with what is required beside the union', async () => {
    const kind = (value: string) => `{ allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { kind: { const: ${value} } } }] }`;
    const schemas =
      'components: { schemas: { Base: { type: object, properties: { kind: { type: string }, size: { type: integer } } } } }\n';
    const union = (required: string) => `{ ${required}oneOf: [${kind('a')}, ${kind('b')}] }`;
    expect(await problemsOf(union('required: [kind], '), { kind: 'b', size: 'x' }, schemas)).toEqual(['body/v/size must be integer']);
    // Without it an object may have no kind, and matches both.
    expect(await problemsOf(union(''), { size: 'x' }, schemas)).toEqual(['body/v/size must be integer', expect.stringContaining('oneOf')]);
    expect(await problemsOf(union(''), {}, schemas)).toEqual([expect.stringContaining('oneOf')]);
  });

  test('not where two branches have the same value', async () => {
    const both = `{ oneOf: [${one('a', 'x')}, ${one('[a, b]', 'y', 'enum')}] }`;
    expect(await problemsOf(both, { type: 'a', y: 1 })).toBe('valid');
    expect(await problemsOf(both, { type: 'a', x: 1, y: 1 })).not.toBe('valid');
  });
});

describe('names of parameters', () => {
  test('with brackets are no deepObject where none is declared', async () => {
    const text = query('schema: { type: string }');
    expect(await validate(text, { query: 'q[a]=1' })).toEqual(['query/q must be written without brackets']);
  });

  test('may be any', async () => {
    const yaml = operation(
      `${OK}\nparameters: [{ in: query, name: 'page[size]', schema: { type: integer } }, { in: query, name: constructor, schema: { type: string } }]`,
    );
    expect(await validate(yaml, { query: 'page[size]=5&constructor=x' })).toMatchObject({
      query: { 'page[size]': 5, constructor: 'x' },
    });
    expect(await validate(yaml, {})).toHaveProperty('query', {});
  });

  test('that OpenAPI says to ignore in headers are ignored', async () => {
    const yaml = operation(`${OK}\nparameters: [{ in: header, name: Accept, required: true, schema: { type: integer } }]`);
    expect(await validate(yaml, { headers: { accept: 'x' } })).toHaveProperty('headers', {});
  });
});

test('a deepObject that is nested too deep is refused', async () => {
  const yaml = query('style: deepObject, schema: { type: object, properties: { R: { type: integer } } }');
  expect(await validate(yaml, { query: `q${'[a]'.repeat(30)}=1` })).toEqual(['query/q is nested too deep or too long']);
});

test('a form that is declared as a text is the text, whatever is in it', async () => {
  const text = 'a[b]=1&c=%20';
  const yaml = operation(`${OK}\nrequestBody: { content: { application/x-www-form-urlencoded: { schema: { type: string } } } }`);
  expect(await validate(yaml, { body: text, type: 'application/x-www-form-urlencoded' })).toMatchObject({ body: text });
});

test('a media type without a name is any', () => {
  expect(declaredType([''], 'application/json')).toBe('');
  expect(declaredType([''], '')).toBe('');
  expect(declaredType(['application/json'], '')).toBeUndefined();
  expect(concreteType('')).toBe('application/json');
});

describe('documents', () => {
  test('derives a missing operationId from method and path, with a number if it is used', () => {
    const empty = `{ ${OK} }`;
    const { document } = sourceOf(
      `paths:\n  /users/{id}: { get: ${empty} }\n  /users/by-id: { get: ${empty} }\n  /: { get: ${empty}, post: { operationId: getUsersById2, ${OK} } }\n`,
    );
    expect(Object.keys(operationTable(document))).toEqual(['getUsersById', 'getUsersById3', 'getRoot', 'getUsersById2']);
  });

  test('refuses two operations with one operationId, and serves a path item that two paths refer to', async () => {
    const source = sourceOf(`paths:\n  /a: { get: { operationId: x, ${OK} } }\n  /b: { get: { operationId: x, ${OK} } }\n`);
    expect(await checkDocument(source)).toMatchObject([
      { line: 5, message: 'the operationId x is that of another operation, at line 4: give each its own' },
    ]);
    const shared = sourceOf(`paths:\n  /a: { $ref: '#/paths/~1b' }\n  /b: { get: { operationId: x, ${OK} } }\n`);
    expect(await checkDocument(shared)).toEqual([]);
    expect(Object.keys(operationTable(shared.document))).toEqual(['x', 'getB']);
    expect(listUnsupported(shared)).toMatchObject([
      { operationId: 'getB', feature: 'shares the operationId "x"', behavior: 'it is called getB' },
    ]);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'then', 'catch', 'toJSON', 'prototype'])(
    'renames an operation called %s, and lists it as unsupported',
    (id) => {
      const source = sourceOf(`paths:\n  /a: { get: { operationId: ${id}, ${OK} } }\n`);
      expect(Object.keys(operationTable(source.document))).toEqual(['getA']);
      expect(listUnsupported(source)).toMatchObject([
        { operationId: 'getA', feature: expect.stringContaining(`"${id}"`), behavior: 'it is called getA' },
      ]);
    },
  );

  test('serves a path item that is a reference', async () => {
    const source = sourceOf(`paths:\n  /a: { $ref: '#/paths/~1b' }\n  /b: { get: { operationId: b, ${OK} } }\n`);
    expect(await checkDocument(source)).toEqual([]);
    expect(Object.values(operationTable(source.document)).map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  test('validates a body of GET', async () => {
    const yaml = `paths:\n  /a: { get: { operationId: op, ${OK}, requestBody: { content: { application/json: { schema: { type: integer } } } } } }\n`;
    expect(await validate(yaml, { body: 'x' })).toEqual(['body must be integer']);
  });

  test('accepts a response without description, a body without schema and a content without types', async () => {
    const yaml =
      "paths:\n  /a: { post: { operationId: op, requestBody: { content: { application/json: {} } }, responses: { '200': { content: {} } } } }\n";
    expect(await validate(yaml, { body: { any: 1 } })).toMatchObject({ body: { any: 1 } });
  });

  test('serves a range of media types as JSON', () => {
    const { document } = sourceOf(
      "paths:\n  /a: { get: { operationId: op, responses: { '200': { description: ok, content: { '*/*': { schema: { type: integer } } } } } } }\n",
    );
    expect(responseValidator(document)({ status: 200, headers: {}, body: 5, type: undefined })).toMatchObject({
      type: 'application/json',
      problems: [],
    });
    expect(responseValidator(document)({ status: 200, headers: {}, body: 'x', type: undefined }).problems).toEqual([
      'response/body must be integer',
    ]);
  });

  test('fills no default into a response', () => {
    const { document } = sourceOf(
      "paths:\n  /a: { get: { operationId: op, responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { n: { type: integer, default: 1 } } } } } } } } }\n",
    );
    const { body, problems } = responseValidator(document)({ status: 200, headers: {}, body: {}, type: undefined });
    expect({ body, problems }).toEqual({ body: {}, problems: [] });
  });

  test('passes bodies on unchanged that are not JSON, and lists them as unsupported', async () => {
    const yaml =
      "paths:\n  /a: { post: { operationId: op, requestBody: { content: { application/xml: { schema: { type: object } }, text/csv: { schema: { maxLength: 9 } } } }, responses: { '200': { description: ok, content: { application/xml: { schema: { type: object } } } } } } }\n";
    const source = sourceOf(yaml);
    expect(await validate(yaml, { body: Buffer.from('<a/>'), type: 'application/xml' })).toMatchObject({
      body: Buffer.from('<a/>'),
    });
    expect(listUnsupported(source).map(({ feature }) => feature)).toEqual([
      'a request body of application/xml',
      'a request body of text/csv',
      'a response of application/xml',
    ]);
    const check = responseValidator(source.document);
    expect(check({ status: 200, headers: {}, body: '<a/>', type: undefined })).toMatchObject({ body: '<a/>', problems: [] });
    expect(check({ status: 200, headers: {}, body: { a: 1 }, type: undefined }).problems).toEqual([
      'response/body must be a string or a Buffer, to be sent as application/xml',
    ]);
    expect(operationOf(source.document, 'op').path).toBe('/a');
  });

  test('lists nothing that is served as written: no operationId, a query in a path, text and bytes', () => {
    const opaque =
      'application/octet-stream: { schema: { type: string, format: binary } }, text/plain: { schema: { type: string } }, image/*: {}';
    const yaml = `x-body-limit: 1000000\npaths:\n  /a?do=x: { post: { requestBody: { content: { ${opaque} } }, responses: { '200': { description: ok, content: { ${opaque} } } } } }\n`;
    expect(listUnsupported(sourceOf(yaml))).toEqual([]);
  });

  test('says which bodies may be larger than what is read, unless the document sets a limit', () => {
    const post = (schema: string, more = '') =>
      `post: { requestBody: { content: { application/json: { schema: ${schema} } } }, ${OK}${more} }`;
    const large = '{ type: array, items: { type: object, properties: { text: { type: string, maxLength: 6250000 } } } }';
    const yaml = (root = '') =>
      `${root}paths:\n  /a: { ${post(large)} }\n  /b: { ${post(large, ', x-body-limit: 7000000')} }\n  /c: { ${post('{ type: string }')} }\n  /d: { post: { requestBody: { content: { image/png: {} } }, ${OK} } }\n`;
    expect(listUnsupported(sourceOf(yaml())).map(({ operationId, feature }) => [operationId, feature])).toEqual([
      ['postA', 'a request body that may have a text of 6250000 characters'],
      ['postD', 'a request body that may have files of any size'],
    ]);
    expect(listUnsupported(sourceOf(yaml('x-body-limit: 7000000\n')))).toEqual([]);
  });

  test('says what a path of one parameter is not called for', () => {
    const [one, ...more] = listUnsupported(
      sourceOf(`paths:\n  /{name}: { get: { ${OK} } }\n  /{name}/a: { get: { ${OK} } }\n  /a{b}: { get: { ${OK} } }\n`),
    );
    expect([one?.operationId, one?.behavior]).toEqual([
      'getByName',
      '/livez, /readyz, /docs, /index.css, /openapi.yaml and /openapi.json are answered by the server',
    ]);
    expect(more).toEqual([]);
  });

  test('says where an operation with a fragment in its path is served', () => {
    const yaml = `paths:\n  /a: { get: { ${OK} } }\n  /a#x: { get: { ${OK} }, post: { ${OK} } }\n  /b#{id}: { get: { ${OK} } }\n`;
    expect(listUnsupported(sourceOf(yaml)).map(({ operationId, feature, behavior }) => [operationId, feature, behavior])).toEqual([
      ['getAX', 'has a fragment in its path, which clients do not send', 'it is served at /a%23x'],
      ['postAX', 'has a fragment in its path, which clients do not send', 'it is served at /a%23x and /a'],
      ['getBById', 'has a fragment in its path, which clients do not send', 'it is served at /b%23{id}'],
    ]);
  });

  test('both YAML parsers give the same document', () => {
    const text = `${HEAD}paths: {}\nx-values: [yes, 012, 0o14, 1_000, 2020-01-01, ~, 1e3, .inf, '5']\n`;
    expect(load(text)).toEqual(parseSource('a.yaml', text).original);
  });
});
