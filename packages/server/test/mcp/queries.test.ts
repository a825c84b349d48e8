/** Tools of operations whose query is one value (`in: querystring`), or the content of a QUERY. */
import { expect, test } from '@jest/globals';
import { documentOf } from '../../../contract/test/support/contract.ts';
import { createTools } from '../../src/mcp/contract-tools.ts';

const DOCUMENT = `openapi: 3.2.0
info: { title: Queries, version: '1' }
paths:
  /form:
    get:
      operationId: byForm
      x-mcp: { description: Searches. }
      parameters:
        - name: filter
          in: querystring
          required: true
          content:
            application/x-www-form-urlencoded:
              schema: { type: object, required: [text], properties: { text: { type: string }, tags: { type: array, items: { type: string } } } }
              encoding: { tags: { style: pipeDelimited, explode: false } }
      responses: { '200': { description: ok } }
  /json:
    get:
      operationId: byJson
      x-mcp: { description: Searches. }
      parameters: [{ name: filter, in: querystring, content: { application/json: { schema: {} } } }]
      responses: { '200': { description: ok } }
  /notes:
    query:
      operationId: findNotes
      x-mcp: { description: Searches. }
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok } }
`;

test('a tool has the value as its argument query, and QUERY only reads', async () => {
  const tools = createTools(documentOf(DOCUMENT));
  expect(tools.get('byForm')?.tool.inputSchema).toMatchObject({ required: ['query'], properties: { query: { required: ['text'] } } });
  expect(tools.get('findNotes')?.tool.annotations).toEqual({ readOnlyHint: true });
  const targets: string[] = [];
  const call = async ({ method, target, body }: { method: string; target: string; body?: string | undefined }) => {
    targets.push(`${method} ${target} ${body ?? ''}`.trim());
    return { status: 200, headers: {}, text: 'null' };
  };
  const { signal } = new AbortController();
  await tools.get('byForm')?.run({ query: { text: 'a b', tags: ['x', 'y'] } }, call, signal);
  await tools.get('byJson')?.run({ query: [1] }, call, signal);
  await tools.get('byJson')?.run({}, call, signal);
  await tools.get('findNotes')?.run({ body: { text: 'a' } }, call, signal);
  expect(targets).toEqual(['GET /form?text=a+b&tags=x%7Cy', 'GET /json?%5B1%5D', 'GET /json', 'QUERY /notes {"text":"a"}']);
});
