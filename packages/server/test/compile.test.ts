/** Schemas that only fail when they are compiled are found by `npm run generate`, not by the first request. */
import { expect, test } from '@jest/globals';
import { parseSource } from '../src/contract/source-document.ts';
import { assertSchemasCompile } from '../src/contract/load-contract.ts';

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

test('a schema that compiles is no problem', async () => {
  await assertSchemasCompile(document('{ oneOf: [{ type: object }], discriminator: { propertyName: kind } }'));
});

test('one that does not is reported for each place that uses it, with the line of the operation', async () => {
  const source = document('{ type: number, multipleOf: nothing }');
  await expect(assertSchemasCompile(source)).rejects.toMatchObject({
    problems: [
      { line: 5, message: expect.stringContaining('createThing: the schema of the application/json body does not compile') },
      { line: 5, message: expect.stringContaining('createThing: the schema of response 200 does not compile') },
    ],
  });
});
