/** A reference into a schema inside a path has a name that the type generator understands, and means what it meant. */
import { expect, test } from '@jest/globals';
import { generate } from '../../src/generate/generate.ts';
import { hoistReferences } from '../../src/generate/types-document.ts';
import { parseSource } from '@specwright/contract/document';

const INSIDE = '#/paths/~1things/get/responses/200/content/application~1json/schema/properties/owner';
const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things:
    get:
      operationId: getThing
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  owner: { type: object, properties: { name: { type: string } } }
                  lender: { $ref: '${INSIDE}' }
  /owners:
    get:
      operationId: getOwner
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '${INSIDE}' } } } }
`;

test('each place that is referred to is one component, and every reference leads to it', () => {
  const { document } = parseSource('test.yaml', SPEC);
  const hoisted = hoistReferences(document);
  expect(hoisted.components?.schemas).toEqual({ Inline1: { type: 'object', properties: { name: { type: 'string' } } } });
  expect(JSON.stringify(hoisted)).not.toContain('#/paths/');
  expect(JSON.stringify(hoisted).match(/#\/components\/schemas\/Inline1/g)).toHaveLength(2);
});

test('an example that is elsewhere is not fetched', async () => {
  const source = parseSource(
    'test.yaml',
    SPEC.replace(
      '              schema:',
      "              examples: { all: { externalValue: 'http://127.0.0.1:9/example.json' } }\n              schema:",
    ),
  );
  expect((await generate(source)).get('openapi.ts')).toMatch(/Inline1: \{/);
});

test('the generated types say what stands there, and the contract itself is left as it is', async () => {
  const source = parseSource('test.yaml', SPEC);
  const types = (await generate(source)).get('openapi.ts') ?? '';
  expect(types).toMatch(/Inline1: \{\s+name\?: string;/);
  expect(types).toMatch(/lender\?: components\["schemas"\]\["Inline1"\]/);
  expect(JSON.stringify(source.document)).toContain(INSIDE);
});
