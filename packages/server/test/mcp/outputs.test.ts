/** What a tool answers: an object as it is, a list as `items`, and any other value as `value`, in its output schema and in its results. */
import { expect, test } from '@jest/globals';
import { documentOf } from '../../../contract/test/support/contract.ts';
import { createTools } from '../../src/mcp/contract-tools.ts';

const documentWith = (schema: string) =>
  documentOf(`paths:
  /answer:
    get:
      operationId: answer
      x-mcp: { description: Answers. }
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }
components:
  schemas:
    Cat: { type: object, properties: { name: { type: string } } }
    Dog: { type: object, properties: { age: { type: integer } } }
    Text: { type: string }
    Self: { oneOf: [{ $ref: '#/components/schemas/Text' }, { type: object, properties: { self: { $ref: '#/components/schemas/Self' } } }] }
`);
const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
const { signal } = new AbortController();

test.each<[schema: string, value: unknown, property: 'items' | 'value' | undefined]>([
  [ref('Cat'), { name: 'Tom' }, undefined],
  [`{ allOf: [${ref('Cat')}, { description: more }] }`, { name: 'Tom' }, undefined],
  [`{ oneOf: [${ref('Cat')}, ${ref('Dog')}] }`, { name: 'Tom' }, undefined],
  [`{ type: array, items: ${ref('Cat')} }`, [{ name: 'Tom' }], 'items'],
  [ref('Text'), 'Tom', 'value'],
  [`{ oneOf: [${ref('Cat')}, ${ref('Text')}] }`, 'Tom', 'value'],
  [`{ anyOf: [${ref('Text')}, ${ref('Cat')}] }`, { name: 'Tom' }, 'value'],
  ['{ type: object, nullable: true }', null, 'value'],
  [ref('Self'), 'Tom', 'value'],
  ['{}', 1, 'value'],
])('%s', async (schema, value, property) => {
  const answer = createTools(documentWith(schema)).get('answer');
  expect(answer?.tool.outputSchema).toMatchObject(property === undefined ? { type: 'object' } : { type: 'object', required: [property] });
  const headers = { 'content-type': 'application/json' };
  const result = await answer?.run({}, async () => ({ status: 200, headers, text: JSON.stringify(value) }), signal);
  expect(result?.structuredContent).toEqual(property === undefined ? value : { [property]: value });
});

test.each([
  [`{ type: array, items: { type: integer } }`, '[9007199254740993]', '{"items":[9007199254740993],"next":{}}'],
  ['{ type: integer }', '9007199254740993', '{"value":9007199254740993}'],
  ['{ type: object }', '{"id": 9007199254740993}', '{"id": 9007199254740993}'],
])('the text of %s has each number as it was written', async (schema, text, said) => {
  const headers = { 'content-type': 'application/json', link: '</answer?page=2>; rel="next"' };
  const result = await createTools(documentWith(schema))
    .get('answer')
    ?.run({}, async () => ({ status: 200, headers, text }), signal);
  expect(result?.content).toEqual([{ type: 'text', text: said }]);
});

test('the output of branches that lead to one schema, 40 levels deep, is described within a second', () => {
  const document = documentWith(ref('X0'));
  const schemas: Record<string, object> = { X40: { type: 'object' } };
  for (let i = 0; i < 40; i++) schemas[`X${i}`] = { anyOf: [1, 2].map(() => ({ $ref: `#/components/schemas/X${i + 1}` })) };
  const start = process.cpuUsage();
  const answer = createTools({ ...document, components: { schemas } }).get('answer');
  expect(answer?.tool.outputSchema).toMatchObject({ type: 'object' });
  expect(process.cpuUsage(start).user).toBeLessThan(1e6);
});
