/** Documents of OpenAPI 3.0, 3.1 and 3.2 are read; of others the message says what to do. */
import { describe, expect, test } from '@jest/globals';
import { checkDocument } from '../src/reading/check-document.ts';
import { operationTable } from '../src/reading/operation-table.ts';
import { parseSource } from '../src/reading/source-document.ts';
import { versionProblem } from '../src/document/openapi-version.ts';

const INFO = "info: { title: Test, version: '1' }\n";

const read = (version: string, yaml: string) => parseSource('api.yaml', `openapi: ${version}\n${INFO}${yaml}`);
const problemsOf = async (version: string, yaml: string) =>
  (await checkDocument(read(version, yaml))).map(({ line, message }) => `${line} ${message}`);

test.each([
  ['3.1', "openapi: '3.1'", 'has no full OpenAPI version: write `openapi: 3.1.2`'],
  ['4.0.0', 'openapi: 4.0.0', 'is OpenAPI 4.0.0, and only OpenAPI 3.0, 3.1 and 3.2 are supported'],
  ['Swagger 2.0', "swagger: '2.0'", 'is Swagger 2.0, and only OpenAPI 3.0, 3.1 and 3.2 are supported: `npx swagger2openapi api.yaml'],
  ['none', 'title: Test', 'is not an OpenAPI document'],
])('refuses a document of version %s, with what to do', async (_version, first, message) => {
  const problems = await checkDocument(parseSource('api.yaml', `${first}\n${INFO}paths: {}\n`));
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain(message);
});

describe('a type that is null', () => {
  const schema = (type: string) =>
    `paths: { /a: { get: { operationId: a, responses: { 200: { description: ok, content: { application/json: { schema: { type: ${type} } } } } } } } }\n`;
  test.each([
    ['3.1.0', 'null', "3 `type` is null, which is no text: write 'null', in quotes (struct)"],
    ['3.2.0', '[string, null]', "3 `type` is null, which is no text: write 'null', in quotes (struct)"],
    ['3.0.3', "'null'", '3 OpenAPI 3.0 has no type null: write `nullable: true` beside the type of the other values, and remove'],
    ['3.0.3', 'null', '3 OpenAPI 3.0 has no type null: write `nullable: true` beside the type of the other values, and remove'],
    ['3.0.3', "[string, 'null']", '3 OpenAPI 3.0 has no type null: write `nullable: true` beside the type of the other values, and remove'],
  ])('in OpenAPI %s, %s, is refused with what to write', async (version, type, message) => {
    expect(await problemsOf(version, schema(type))).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['3.1.0', "'null'"],
    ['3.1.0', "[string, 'null']"],
  ])('in OpenAPI %s, %s, is accepted', async (version, type) => {
    expect(await problemsOf(version, schema(type))).toEqual([]);
  });
});

describe('OpenAPI 3.1', () => {
  test.each([
    ['only components', 'components: { schemas: { A: { type: string } } }\n'],
    ['only webhooks', 'webhooks: { a: { post: { responses: { 200: { description: ok } } } } }\n'],
  ])('accepts a document with %s, which has no operations', async (_what, yaml) => {
    const source = read('3.1.0', yaml);
    expect(await checkDocument(source)).toEqual([]);
    expect(operationTable(source.document)).toEqual({});
    expect(source.original).not.toHaveProperty('paths');
  });

  test('refuses a document without paths, components and webhooks', async () => {
    expect(await problemsOf('3.1.0', '')).toEqual([expect.stringContaining('at least one of')]);
    expect(await problemsOf('3.0.3', 'components: {}\n')).toEqual([expect.stringContaining('`paths` must be present')]);
  });

  test('reads path items of components, and locates what is in them', async () => {
    const item = `paths:
  /things/{id}: { $ref: '#/components/pathItems/Thing', summary: Beside. }
components:
  pathItems:
    Thing:
      get:
        operationId: getThing
        parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
        responses: { 200: { description: ok } }
`;
    const source = read('3.1.0', item);
    expect(await checkDocument(source)).toEqual([]);
    expect(operationTable(source.document)).toMatchObject({ getThing: { method: 'get', path: '/things/{id}' } });
    expect(source.document.paths['/things/{id}']).toMatchObject({ summary: 'Beside.' });
    expect(source.locate(['paths', '/things/{id}', 'get', 'operationId'])).toEqual({ line: 9, column: 9 });
    expect(source.locate(['paths', '/things/{id}', 'summary']).line).toBe(4);
    expect(await problemsOf('3.1.0', item.replace('operationId', 'operationID'))).toEqual([expect.stringMatching(/^9 .*`operationID`/)]);
  });

  test.each([
    ['the dialect of OpenAPI 3.1', 'jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n'],
    ['the dialect of OpenAPI 3.2', 'jsonSchemaDialect: https://spec.openapis.org/oas/3.2/dialect/2025-09-17\n'],
    ['JSON Schema 2020-12', 'jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\n'],
    ['JSON Schema 2020-12 as it is often misspelt', 'jsonSchemaDialect: "http://json-schema.org/draft/2020-12/schema#"\n'],
  ])('accepts %s', async (_dialect, yaml) => {
    expect(await problemsOf('3.1.0', `${yaml}paths: {}\n`)).toEqual([]);
  });

  test('refuses another dialect of JSON Schema, at the line that names it', async () => {
    const draft7 = 'http://json-schema.org/draft-07/schema#';
    const schemas = `components:\n  schemas:\n    A:\n      $schema: ${draft7}\n      type: string\n`;
    expect(await problemsOf('3.1.0', `jsonSchemaDialect: ${draft7}\npaths: {}\n${schemas}`)).toEqual([
      `3 jsonSchemaDialect "${draft7}" is another dialect of JSON Schema: write the schemas in 2020-12, and remove jsonSchemaDialect`,
      `8 $schema "${draft7}" is another dialect of JSON Schema: write the schemas in 2020-12, and remove $schema`,
    ]);
  });

  test('names the keyword and the line of a schema that is not valid', async () => {
    const schemas = (body: string) => `components:\n  schemas:\n    A:\n      type: object\n      ${body}\n`;
    expect(await problemsOf('3.1.0', schemas('exclusiveMinimum: true'))).toEqual([
      '7 Expected `exclusiveMinimum` to be of type `number` but got `boolean`. (struct)',
    ]);
    expect(await problemsOf('3.1.0', schemas('prefixItems: {}'))).toEqual([expect.stringMatching(/^7 Expected `prefixItems` /)]);
    expect(await problemsOf('3.1.0', schemas("properties: { a: { $ref: '#/components/schemas/B', description: b } }"))).toEqual([
      "7 Can't resolve $ref #/components/schemas/B Did you mean #/components/schemas/A? (no-unresolved-refs)",
    ]);
  });

  test('an unknown keyword of a schema is an annotation, as the nullable that a converter has left', async () => {
    expect(await problemsOf('3.1.0', 'components: { schemas: { A: { type: string, nullable: true, flavor: sweet } } }\n')).toEqual([]);
    expect(await problemsOf('3.0.3', 'paths: {}\ncomponents: { schemas: { A: { type: string, flavor: sweet } } }\n')).toHaveLength(1);
  });

  test('`definitions`, the $defs of earlier drafts, holds schemas, in which nullable is an annotation too', async () => {
    const schemas = (name: string) =>
      `components: { schemas: { A: { $ref: '#/components/schemas/B/definitions/${name}' }, B: { definitions: { C: { type: string, nullable: true } } } } }\n`;
    expect(await problemsOf('3.1.0', schemas('C'))).toEqual([]);
    expect(await problemsOf('3.1.0', schemas('D'))).toEqual([expect.stringMatching(/Can't resolve/)]);
  });

  test('the name of a webhook is no path, whose parameters would have to be declared', async () => {
    const post = '{ post: { responses: { 200: { description: ok } } } }';
    expect(await problemsOf('3.1.0', `webhooks: { '{kind}.written': ${post} }\n`)).toEqual([]);
    expect(await problemsOf('3.1.0', `paths: { '/{kind}': ${post} }\n`)).toEqual([
      expect.stringMatching(/does not define the path parameter/),
    ]);
  });
});

describe('OpenAPI 3.2', () => {
  test('has a flow of devices and a style of cookies', async () => {
    const flow = (scopes: string) => `paths:
  /a: { get: { operationId: a, parameters: [{ name: c, in: cookie, style: cookie, schema: { type: string } }], responses: { 200: { description: ok } } } }
components:
  securitySchemes:
    device: { type: oauth2, flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://e.com/d', tokenUrl: 'https://e.com/t'${scopes} } } }
`;
    expect(await problemsOf('3.2.0', flow(', scopes: { read: Reads. }'))).toEqual([]);
    expect(await problemsOf('3.2.0', flow(''))).toEqual([expect.stringMatching(/^7 .*`scopes` must be present/)]);
    expect(await problemsOf('3.1.0', flow(', scopes: {}'))).toEqual([
      expect.stringMatching(/^4 .*`style` can be one of/),
      expect.stringMatching(/^7 .*`deviceAuthorization` is not expected here/),
    ]);
  });

  const METHODS = `paths:
  /things:
    query:
      operationId: findThings
      responses: { 200: { description: ok } }
    additionalOperations:
      COPY:
        responses: { 200: { description: ok } }
`;

  test('reads the method query and additional operations, and locates them', async () => {
    const source = read('3.2.0', METHODS);
    expect(await checkDocument(source)).toEqual([]);
    expect(operationTable(source.document)).toMatchObject({
      findThings: { method: 'query', path: '/things' },
      copyThings: { method: 'COPY', path: '/things' },
    });
    expect(source.locate(['paths', '/things', 'additionalOperations', 'COPY']).line).toBe(9);
  });

  test('refuses an additional operation whose method is a field of the path item', async () => {
    expect(await problemsOf('3.2.0', METHODS.replace('COPY', 'POST'))).toEqual([
      '9 POST is a field of the path item: write it as `post:` there',
    ]);
  });

  test('refuses them in a document of 3.1', async () => {
    expect(await problemsOf('3.1.1', METHODS)).toEqual([
      expect.stringContaining('`query` is not expected'),
      expect.stringContaining('`additionalOperations` is not expected'),
    ]);
  });

  test('reads media types and security schemes that are referred to', async () => {
    const source = read(
      '3.2.0',
      `$self: https://api.example.com/openapi
tags: [{ name: a, summary: A, kind: nav, parent: b }, { name: b }]
security: [{ '#/components/securitySchemes/Key': [] }]
paths:
  /things:
    get:
      operationId: listThings
      responses: { 200: { description: ok, content: { application/json: { $ref: '#/components/mediaTypes/Things' } } } }
components:
  mediaTypes: { Things: { schema: { type: array, items: { type: string } } } }
  securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } }
`,
    );
    expect(await checkDocument(source)).toEqual([]);
    expect(operationTable(source.document)).toMatchObject({ listThings: { security: [['Key']] } });
    expect(source.document.paths['/things']?.get?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { type: 'array' } } },
    });
  });
});

test('the command that converts Swagger 2.0 quotes a path with a space', () => {
  expect(versionProblem({ swagger: '2.0' }, 'my api.yaml')).toContain("`npx swagger2openapi 'my api.yaml' --outfile openapi.yaml`");
});
