/** Operations of every method have types: `query` and additional operations of OpenAPI 3.2 too. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { openapiTypes } from '../../src/generate/openapi-types.ts';

test('query and additional operations are in `operations`, with the parameters of their path', () => {
  const responses = "responses: { '200': { description: ok } }";
  const source = parseSource(
    'api.yaml',
    `openapi: 3.2.0
info: { title: T, version: '1' }
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    query: { operationId: findThing, ${responses} }
    additionalOperations: { COPY: { operationId: copyThing, ${responses} } }
`,
  );
  const types = openapiTypes(source);
  expect(types).toContain('operations["findThing"]');
  for (const id of ['findThing', 'copyThing']) expect(types).toMatch(new RegExp(`${id}: \\{\\s+parameters: \\{[^}]*path\\??:`));
  // The document itself is not changed.
  expect(source.document.paths['/things/{id}']?.query?.operationId).toBe('findThing');
});

test('a document without operations has types too', () => {
  const source = parseSource(
    'api.yaml',
    "openapi: 3.1.0\ninfo: { title: T, version: '1' }\ncomponents: { schemas: { A: { type: string } } }\n",
  );
  expect(openapiTypes(source)).toMatch(/operations = Record<string, never>/);
});
