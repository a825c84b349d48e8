/** What the types of a document are made of: its own operations, and the comments of its author. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { openapiTypes } from '../../src/generate/openapi-types.ts';

const typesOf = (yaml: string, version = '3.2.0') =>
  openapiTypes(parseSource('test.yaml', `openapi: ${version}\ninfo: { title: Test, version: '1' }\n${yaml}`));

/** The text of an interface, without indentation. */
const interfaceOf = (types: string, name: string): string =>
  new RegExp(`^export interface ${name} \\{$[^]*?^\\}$`, 'm').exec(types)?.[0].replace(/\n\s+/g, '\n') ?? '';

const OK = "responses: { '200': { description: ok } }";

test('operations of any method are typed by operationId', () => {
  const types = typesOf(`paths:
  /things:
    get: { operationId: list, ${OK} }
    query: { operationId: search, ${OK} }
    additionalOperations: { COPY: { operationId: 'copy#1', ${OK} } }
`);
  expect(interfaceOf(types, 'operations')).toMatch(/\nlist: [^]*\nsearch: [^]*\n"copy#1": /);
});

test('webhooks have types, and are not among the operations', () => {
  const types = typesOf(`webhooks:
  changed: { post: { operationId: same, requestBody: { content: { application/json: { schema: { type: string } } } }, ${OK} } }
  deleted: { $ref: '#/components/pathItems/deleted' }
paths: { /things: { get: { operationId: same, ${OK} } } }
components: { pathItems: { deleted: { post: { operationId: deleted, ${OK} } } } }
`);
  expect(interfaceOf(types, 'webhooks')).toMatch(/\nchanged: [^]*"application\/json": string;[^]*\ndeleted: [^]*\npost: \{/);
  expect(interfaceOf(types, 'operations').match(/^\w+: \{$/gm)).toEqual(expect.arrayContaining(['same: {']));
  expect(interfaceOf(types, 'operations')).not.toMatch(/deleted/);
});

test('path items and media types in components are those of the operations that refer to them', () => {
  const types = typesOf(`paths: { /things: { $ref: '#/components/pathItems/things' } }
components:
  pathItems:
    things:
      get: { operationId: list, responses: { '200': { description: ok, content: { application/json: { $ref: '#/components/mediaTypes/thing' } } } } }
  mediaTypes: { thing: { schema: { type: integer } } }
`);
  expect(interfaceOf(types, 'operations')).toContain('"application/json": number;');
});

test('a document without paths has types', () => {
  expect(interfaceOf(typesOf('components: { schemas: { A: { type: [string, "null"] } } }\n', '3.1.1'), 'components')).toContain(
    'A: string | null;',
  );
});

test.each(['3.0.3', '3.1.0'])('comments are kept in %s, also those beside a $ref', (version) => {
  const types = typesOf(
    `paths: {}
components:
  schemas:
    A: { type: string, format: uuid, example: a, title: An id }
    B: { type: object, properties: { a: { $ref: '#/components/schemas/A', description: the first } } }
`,
    version,
  );
  expect(types).toContain('* An id\n         * Format: uuid\n         * @example a');
  expect(types).toContain('/** @description the first */\n            a?: components["schemas"]["A"];');
});

test('a schema of $defs has its name', () => {
  const types = typesOf(`paths: {}
components:
  schemas:
    A: { type: object, $defs: { Part: { type: integer } }, properties: { part: { $ref: '#/components/schemas/A/$defs/Part' } } }
`);
  expect(interfaceOf(types, 'components')).toMatch(/part\?: components\["schemas"\]\["Part"\];[^]*\nPart: number;/);
  expect(interfaceOf(types, 'components')).not.toContain('$defs');
});
