/** A request whose validation would take more work than its bytes is answered, and other requests meanwhile. */
import { expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const [GROUPS, BRANCHES] = [40, 40];
/** Branches of which each reads the whole list. */
const group = (number: number) =>
  `    Group${number}:\n      anyOf: ${JSON.stringify(Array.from({ length: BRANCHES }, (_, i) => ({ type: 'array', items: { type: 'integer', maximum: number * BRANCHES + i } })))}\n`;
const numbers = Array.from({ length: GROUPS }, (_, i) => i);

const YAML = `paths:
  /folders:
    get:
      operationId: findFolder
      parameters:
        - { in: query, name: q, content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }
      responses: { '204': { description: found }, '400': { description: invalid } }
    post:
      operationId: createFolder
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }
      responses: { '204': { description: made }, '400': { description: invalid } }
  /lists:
    post:
      operationId: createList
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/List' } } } }
      responses: { '204': { description: made }, '400': { description: invalid } }
components:
  schemas:
    Node: { oneOf: [{ $ref: '#/components/schemas/Folder' }, { $ref: '#/components/schemas/Project' }] }
    Folder:
      type: object
      required: [folder]
      properties: { folder: { type: string }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } }
    Project:
      type: object
      required: [project]
      properties: { project: { type: string }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } }
    List: { anyOf: ${JSON.stringify(numbers.map((number) => ({ $ref: `#/components/schemas/Group${number}` })))} }
${numbers.map(group).join('')}`;

const app = withApp(() =>
  serve(YAML, {
    metrics: { maxAgeMs: 0 },
    // The first request compiles 1,600 branches.
    requestTimeoutMs: 60_000,
    handlers: Object.fromEntries(['findFolder', 'createFolder', 'createList'].map((id) => [id, () => HandlerResponse.reply(204)])),
  }),
);

const post = (path: string, value: unknown) =>
  fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });

function tree(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = { folder: 'a', children: [value] };
  return value;
}

/** The time of the processor, in ms: of all threads, so that of garbage collection in a process that has run many tests is in it. */
async function costOf(send: () => Promise<Response>): Promise<{ status: number; text: string; ms: number }> {
  const before = process.cpuUsage();
  const response = await send();
  const text = await response.text();
  const { user, system } = process.cpuUsage(before);
  return { status: response.status, text, ms: (user + system) / 1000 };
}

test('a tree of branches is validated in proportion to its bytes, in a body and in a query', async () => {
  expect((await post('/folders', tree(24, { folder: 'x' }))).status).toBe(204);
  const body = await costOf(() => post('/folders', tree(24, { folder: 1 })));
  expect(body).toMatchObject({ status: 400 });
  expect(body.text).toMatch(/children\/0\/folder must be string/);
  expect(body.ms).toBeLessThan(1_000);
  const query = await costOf(() => fetch(`${app.url}/folders?q=${encodeURIComponent(JSON.stringify(tree(24, { folder: 1 })))}`));
  expect(query).toMatchObject({ status: 400 });
  expect(query.ms).toBeLessThan(1_000);
});

test('a value that takes too many steps is refused with 400, and counted', async () => {
  const count = async () =>
    Number(/^http_server_too_complex_requests_total (\d+)$/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]);
  expect((await post('/lists', [GROUPS * BRANCHES - 1])).status).toBe(204);
  expect(await count()).toBe(0);
  const answer = await costOf(() => post('/lists', [...Array.from({ length: 30_000 }, () => 0), GROUPS * BRANCHES - 1]));
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toContain('body is too complex to validate');
  // All of its 120 million steps take 50 s here, and the 5 million that are allowed 2 s and the garbage of this process.
  expect(answer.ms).toBeLessThan(12_000);
  expect(await count()).toBe(1);
  expect((await post('/lists', [1])).status).toBe(204);
});
