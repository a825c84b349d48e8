/** Operations that a service does not serve (`omit` of `loadContract`): for clients it is as if the document did not declare them. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from '@jest/globals';
import { createServer, HandlerResponse, type Contract } from '@specwright/server';
import { mcp } from '@specwright/server/mcp';
import { createTestLog, listenOnFreePort } from 'specwright/testing';
import { loadContractOf } from './support/serve.ts';

const DOCUMENT = `x-rate-limit-plans:
  plans: { free: { minute: 60, day: 1000 } }
  address: { minute: 60, day: 1000 }
  operations: { addThing: { minute: 1, day: 1 }, listThings: { minute: 2, day: 2 } }
paths:
  /things:
    get:
      operationId: listThings
      deprecated: true
      x-mcp: true
      x-deprecated-successor: searchThings
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } }
          links:
            add: { operationId: addThing }
            same: { operationRef: '#/paths/~1things/post' }
            shared: { $ref: '#/components/links/shared' }
            again: { operationId: listThings }
    post:
      operationId: addThing
      x-mcp: true
      callbacks:
        added:
          'https://example.com/added': { post: { operationId: thingAdded, responses: { '200': { description: ok } } } }
      responses: { '204': { description: added } }
  /searches:
    get: { operationId: searchThings, x-mcp: true, responses: { '204': { description: found } } }
components:
  links: { shared: { operationId: searchThings } }
  schemas: { Thing: { type: object } }
`;
const OMIT = ['addThing', 'searchThings'];

const handlers = { listThings: () => HandlerResponse.reply(200, { body: [] }) };
const start = async (contract: Contract, given: object = {}) =>
  listenOnFreePort(createServer({ contract, handlers, security: {}, rateLimit: LIMITS, log: createTestLog(), ...given }));
const LIMITS = { subject: () => ({ bucket: 'all', quota: { minute: 60, day: 1000 }, key: undefined }) };

type Paths = Record<string, { get: Record<string, unknown> }>;

async function toolNames(url: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

test('a request to one is 405 or 404, as for what is not declared, and no tool calls it', async () => {
  const app = await start(await loadContractOf(DOCUMENT, OMIT), { mcp: mcp() });
  const statusOf = async (method: string, path: string) => (await fetch(app.url + path, { method })).status;
  expect([await statusOf('GET', '/things'), await statusOf('POST', '/things'), await statusOf('GET', '/searches')]).toEqual([
    200, 405, 404,
  ]);
  expect((await fetch(`${app.url}/things`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(await toolNames(app.url)).toEqual(['listThings']);
  await app.close();
});

test('the published document has neither them nor what names them', async () => {
  const app = await start(await loadContractOf(DOCUMENT, OMIT));
  const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as Record<string, object> & { paths: Paths };
  const { paths, components } = document;
  expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([['/things', ['get']]]);
  expect(paths['/things']?.get).not.toHaveProperty('x-deprecated-successor');
  expect(paths['/things']?.get['responses']).toMatchObject({ 200: { links: { again: { operationId: 'listThings' } } } });
  expect(document['x-rate-limit-plans']).toMatchObject({ operations: { listThings: { minute: 2, day: 2 } } });
  expect(components).toMatchObject({ links: {} });
  const texts = [JSON.stringify(document), await (await fetch(`${app.url}/openapi.yaml`)).text()];
  expect(texts.flatMap((text) => [...OMIT, '~1things/post', 'links/shared'].filter((name) => text.includes(name)))).toEqual([]);
  await app.close();
});

test('what they declare to send is still there, so that one sender fits every variant', async () => {
  const [whole, part] = [await loadContractOf(DOCUMENT), await loadContractOf(DOCUMENT, OMIT)];
  expect([...whole.outgoing.keys()]).not.toEqual([]);
  expect([...part.outgoing.keys()]).toEqual([...whole.outgoing.keys()]);
});

test('their handlers and middleware may be there; those of other operations have to', async () => {
  const contract = await loadContractOf(DOCUMENT, OMIT);
  const addThing = () => HandlerResponse.reply(204);
  const app = await start(contract, { handlers: { ...handlers, addThing }, use: [{ operations: ['addThing'], use: () => undefined }] });
  await app.close();
  await expect(start(contract, { handlers: {} })).rejects.toThrow('operation listThings has no handler: add one');
  await expect(start(contract, { handlers: { ...handlers, other: addThing } })).rejects.toThrow('the handler other has no operation');
  await expect(start(await loadContractOf(DOCUMENT))).rejects.toThrow('operation addThing has no handler: add one');
});

test('refuses a name of no operation, and an operation of which a part is used elsewhere', async () => {
  await expect(loadContractOf(DOCUMENT, ['addThings'])).rejects.toThrow('the operation addThings of `omit` is not in the contract');
  const shared = DOCUMENT.replace("{ '204': { description: found } }", "{ '204': { $ref: '#/paths/~1things/post/responses/204' } }");
  await expect(loadContractOf(shared, ['addThing'])).rejects.toThrow(
    'the operation addThing of `omit` has #/paths/~1things/post/responses/204, which others use: move it to components',
  );
});
