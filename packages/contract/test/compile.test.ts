/** Schemas that do not compile are found before a server starts, not by the first request. */
import { expect, test } from '@jest/globals';
import { parseSource } from '../src/reading/source-document.ts';
import { assertSchemasCompile } from '../src/open-contract.ts';

const document = (schema: string) =>
  parseSource(
    'test.yaml',
    `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things:
    post:
      operationId: createThing
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: ${schema} } } }
`,
  );

test('accepts a schema that compiles', () => {
  assertSchemasCompile(document('{ oneOf: [{ type: object }], discriminator: { propertyName: kind } }'));
});

test('reports each use of a schema that does not compile, with the line of the operation', () => {
  const source = document('{ type: number, multipleOf: nothing }');
  expect(() => assertSchemasCompile(source)).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({
          line: 5,
          message: expect.stringContaining('createThing: the schema of the application/json body does not compile'),
        }),
        expect.objectContaining({ line: 5, message: expect.stringContaining('createThing: the schema of response 200 does not compile') }),
      ],
    }),
  );
});

test('reports what is wrong with several parameters once', () => {
  const schema = '{ type: number, multipleOf: nothing }';
  const source = parseSource(
    'test.yaml',
    `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: a, in: query, schema: ${schema} }, { name: b, in: query, schema: ${schema} }]
      responses: { '200': { description: ok } }
`,
  );
  expect(() => assertSchemasCompile(source)).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ message: expect.stringContaining('listThings: the schema of a parameter does not compile') })],
    }),
  );
});
