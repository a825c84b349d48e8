/** The arguments of a tool: each parameter has one, whatever its name is. */
import { expect, test } from '@jest/globals';
import { documentOf } from '../../../contract/test/support/contract.ts';
import { createTools } from '../../src/mcp/contract-tools.ts';

const LONG = 'x'.repeat(70);
const QUERY = ['a b', 'a_b', 'a%b', 'constructor', '__proto__', LONG, `${LONG}y`, 'body'];

const tool = createTools(
  documentOf(`paths:
  /things:
    post:
      operationId: find
      x-mcp: { description: Finds. }
      parameters: ${JSON.stringify(QUERY.map((name) => ({ name, in: 'query', schema: { type: 'string' } })))}
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok } }
`),
).get('find');

/** @returns the parts of the query that arguments mean, and the body. */
async function sent(values: object): Promise<[query: [string, string][], body: string | undefined]> {
  let request = { target: '', body: undefined as string | undefined };
  const call = async (given: typeof request) => {
    request = given;
    return { status: 200, headers: {}, text: '' };
  };
  await tool?.run(values as Record<string, unknown>, call as never, new AbortController().signal);
  return [[...new URLSearchParams(request.target.split('?')[1])], request.body];
}

test('parameters whose names are one to a model provider have different arguments, of at most 64 characters', async () => {
  const names = Object.keys(tool?.tool.inputSchema.properties ?? {});
  expect(new Set(names).size).toBe(QUERY.length + 1);
  for (const name of names) expect(name).toMatch(/^[\w.-]{1,64}$/);
  const values = Object.fromEntries(names.map((name) => [name, name === 'body' ? {} : name]));
  const [query, body] = await sent(values);
  expect([query.map(([name]) => name), body]).toEqual([QUERY, '{}']);
  expect(new Set(query.map(([, value]) => value)).size).toBe(QUERY.length);
});

test('an argument that is not given is not sent, though each object inherits a property of its name', async () => {
  expect(await sent({ a_b: '1' })).toEqual([[['a b', '1']], undefined]);
});
