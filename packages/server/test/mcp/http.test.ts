/** Tools over HTTP, called by the official client: in the revision of 2026, and in those of before. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { request as sendRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startToolApi, type ToolApi } from './support/api.ts';

let api: ToolApi;
const open: Client[] = [];
beforeEach(async () => {
  api = await startToolApi();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await api.close();
});

interface ConnectOptions {
  readonly mode?: 'auto' | 'legacy';
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function connect({ mode = 'auto', key = 'good', headers = {} }: ConnectOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  open.push(client);
  const requestInit = { headers: { ...(key && { Authorization: `Bearer ${key}` }), ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit }));
  return client;
}

type Result = Awaited<ReturnType<Client['callTool']>>;
const textOf = ({ content }: Result, index = 0) => (content[index] as { text: string }).text;
const problemOf = (result: Result) => {
  expect(result.isError).toBe(true);
  return JSON.parse(textOf(result)) as { status: number; code: string; message: string; fix: string; retryAfterSeconds?: number };
};

/** `auto` is the revision of 2026 here, `legacy` one of before. */
describe.each(['auto', 'legacy'] as const)('%s', (mode) => {
  test('lists the operations with x-mcp, with schemas that need no document', async () => {
    const client = await connect({ mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['listPets', 'create_pet', 'getPet', 'deletePet', 'slow']);
    const [list, create, , remove] = tools;
    expect(list).toMatchObject({
      title: 'List pets',
      description: 'The pets.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        properties: { limit: { type: 'integer', minimum: 1, maximum: 10, default: 2 }, cursor: { type: 'string' } },
      },
      outputSchema: { type: 'object', required: ['items'], properties: { items: { type: 'array', items: { $ref: '#/$defs/Pet' } } } },
    });
    const sent = { name: { type: 'string', minLength: 1 }, secret: { type: 'string' }, tag: { type: ['string', 'null'] } };
    expect(create?.inputSchema).toMatchObject({ required: ['body'], properties: { body: { required: ['name'], properties: sent } } });
    expect(JSON.stringify(create?.inputSchema)).not.toMatch(/"id"|x-other|components/);
    expect(JSON.stringify(create?.outputSchema)).not.toContain('secret');
    expect([create?.annotations, remove?.annotations]).toEqual([
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      { readOnlyHint: false, idempotentHint: true },
    ]);
  });

  test('calls each kind of operation, and follows pages', async () => {
    const client = await connect({ mode });
    const first = await client.callTool({ name: 'listPets', arguments: { status: ['a', 'b'] } });
    expect(first.structuredContent).toEqual({ items: [expect.anything(), expect.anything()], next: { limit: 2, cursor: '2' } });
    expect(JSON.parse(textOf(first))).toEqual(first.structuredContent);
    const { next } = first.structuredContent as { next: object };
    const second = await client.callTool({ name: 'listPets', arguments: { status: ['a', 'b'], ...next } });
    expect(second.structuredContent).toEqual({ items: [{ id: 3, name: 'Pet 3' }] });

    const created = await client.callTool({ name: 'create_pet', arguments: { body: { name: 'Rex' } } });
    expect(created.structuredContent).toEqual({ id: 9, name: 'Rex' });
    expect([textOf(created, 1), textOf(created, 2)]).toEqual(['ETag: "1"', 'Location: /pets/9']);
    await client.callTool({ name: 'create_pet', arguments: { body: { name: 'Rex' }, 'Idempotency-Key': 'mine' } });
    expect(api.seen.keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'mine']);
    expect((await client.callTool({ name: 'getPet', arguments: { petId: 2 } })).structuredContent).toEqual({ id: 2, name: 'Pet 2' });
    expect(textOf(await client.callTool({ name: 'deletePet', arguments: { petId: 2 } }))).toBe('done: 204');
  });

  test('arguments are written as the contract has them: with brackets, in JSON, in one text', async () => {
    const client = await connect({ mode });
    const given = { filter: { size: 3 }, near: [1, 2], ids: [4, 5] };
    expect((await client.callTool({ name: 'listPets', arguments: given })).isError).not.toBe(true);
    expect(api.seen.queries).toEqual([{ limit: 2, ...given }]);
    const broken = await client.callTool({
      name: 'create_pet',
      arguments: { body: { name: 'Rex' }, 'Idempotency-Key': 'a\r\nX-Admin: 1' },
    });
    expect([broken.isError, textOf(broken)]).toEqual([
      true,
      expect.stringContaining('the argument Idempotency-Key has characters that a header cannot have'),
    ]);
    expect(api.seen.keys).toEqual([]);
  });

  test('errors are tool errors with their fix', async () => {
    const client = await connect({ mode });
    const call = async (name: string, args: Record<string, unknown>) => problemOf(await client.callTool({ name, arguments: args }));
    expect(await call('getPet', { petId: 7 })).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'there is no pet 7',
      fix: expect.stringMatching(/ids/),
    });
    expect(await call('getPet', { petId: 'x' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('path/petId must be integer'),
    });
    expect(await call('create_pet', { body: { name: '' } })).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: expect.stringContaining('body/name'),
    });
    expect(await call('create_pet', { body: { name: 'x'.repeat(2000) } })).toMatchObject({ status: 400, code: 'body_too_large' });
    expect(await call('getPet', { petId: '..' })).toMatchObject({ message: 'the argument petId must not be ".."' });
    // 9007199254740993, as the protocol's library reads it: another pet's id.
    expect(await call('getPet', { petId: 9007199254740992 })).toMatchObject({ message: expect.stringContaining('may have been rounded') });
    expect(await call('create_pet', { body: { name: 'Rex', tags: [-9007199254740994] } })).toMatchObject({ status: 400 });
    expect(await call('getPet', { petId: 1, colour: 1 })).toMatchObject({ message: 'there is no argument colour: the tool has petId' });
    await expect(client.callTool({ name: 'hidden', arguments: {} })).rejects.toThrow(/Unknown tool: hidden/);
  });

  test('each call is counted for the caller once, and beyond the limit it says how long to wait', async () => {
    const client = await connect({ mode });
    const remaining = async () =>
      Number((await fetch(`${api.url}/hidden`, { headers: { Authorization: 'Bearer good' } })).headers.get('x-ratelimit-remaining'));
    const before = await remaining();
    await client.callTool({ name: 'getPet', arguments: { petId: 1 } });
    expect(await remaining()).toBe(before - 2);
    while ((await remaining()) > 0);
    const problem = problemOf(await client.callTool({ name: 'getPet', arguments: { petId: 1 } }));
    expect(problem).toMatchObject({ status: 429, code: 'rate_limited', fix: expect.stringMatching(/^Wait/) });
    expect(problem.retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('a batch', () => {
  const LIMIT = 20;
  const post = (messages: unknown, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer good',
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(messages),
    });
  const callPet = (petId: unknown) => ({ method: 'tools/call', params: { name: 'getPet', arguments: { petId } } });
  const batchOf = (length: number, message: object = callPet(1)) => Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, ...message }));
  const remaining = async () =>
    Number((await fetch(`${api.url}/hidden`, { headers: { Authorization: 'Bearer good' } })).headers.get('x-ratelimit-remaining'));
  const refusals = async (response: Response) => (await response.text()).match(/rate_limited/g)?.length ?? 0;

  test('counts each call of an operation: up to the limit all are answered, the next one is refused', async () => {
    const all = await post(batchOf(LIMIT));
    expect([all.status, all.headers.get('x-ratelimit-remaining'), await refusals(all)]).toEqual([200, '0', 0]);
    expect((await post(batchOf(1))).headers.get('x-ratelimit-remaining')).toBe('0');
  });

  test('of one call more than the limit, one is refused', async () => {
    const response = await post(batchOf(LIMIT + 1));
    expect(response.status).toBe(200);
    expect(await refusals(response)).toBe(1);
  });

  test.each<[string, object]>([
    ['lists of tools', { method: 'tools/list' }],
    ['calls with arguments that are not valid', callPet('..')],
    ['calls of tools that there are not', { method: 'tools/call', params: { name: 'none' } }],
  ])('counts messages that call no operation: %s', async (_name, message) => {
    const all = await post(batchOf(LIMIT, message));
    expect([all.status, all.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    expect((await post(batchOf(1, message))).status).toBe(429);
  });

  test('of one message more than the limit, nothing is answered', async () => {
    expect((await post(batchOf(LIMIT + 1, { method: 'tools/list' }))).status).toBe(429);
  });

  test('counts calls and other messages together; a message alone is one', async () => {
    const before = await remaining();
    await post([...batchOf(3), ...batchOf(2, { method: 'tools/list' }), ...batchOf(4, callPet('..'))]);
    expect(await remaining()).toBe(before - 9 - 1);
    await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await remaining()).toBe(before - 10 - 2);
  });

  test('what the protocol refuses as a whole is one', async () => {
    const before = await remaining();
    for (const body of [[], batchOf(101, { method: 'tools/list' })]) expect((await post(body)).status).toBe(400);
    expect(await remaining()).toBe(before - 3);
  });
});

test.each(['a%00b', '[', 'a b', ''])('a Host that is no part of a URL is answered as in any other request: %p', async (host) => {
  const ask = (path: string, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        Host: host,
        Authorization: 'Bearer good',
        Accept: 'application/json, text/event-stream',
        ...(body !== '' && { 'Content-Type': 'application/json' }),
      };
      const sent = sendRequest(api.url + path, { method: body === '' ? 'GET' : 'POST', headers, setHost: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(body);
    });
  expect(await ask('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toBe(await ask('/hidden', ''));
});

test('a call is logged as its operation, with the id of the request, the caller and the trace', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const client = await connect({ headers: { 'X-Request-Id': 'from-host', traceparent } });
  api.log.length = 0;
  await client.callTool({ name: 'getPet', arguments: { petId: 1 } });
  expect(api.log).toMatchObject([
    { operation: 'getPet', requestId: 'from-host', caller: 'ann', status: 200, trace_id: '0af7651916cd43dd8448eb211c80319c' },
    { path: '/mcp', requestId: 'from-host', caller: 'ann', status: 200 },
  ]);
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const good = { Authorization: 'Bearer good' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getPet', arguments: { petId: 1 } } };

test('without a valid key the endpoint is 401 with a challenge', async () => {
  for (const headers of [{}, { Authorization: 'Bearer bad' }] as Record<string, string>[]) {
    const response = await post(CALL, headers);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
  }
  await expect(connect({ key: '' })).rejects.toThrow();
});

test('only POST is served, a page of another origin is refused, and so is a body that is too large', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(`${api.url}/mcp`, { method, headers: good });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  }
  expect((await post(CALL, { ...good, Origin: 'http://evil.example' })).status).toBe(403);
  expect((await post(CALL, { ...good, Origin: api.url })).status).toBe(403);
  expect((await post(`"${'x'.repeat(200_000)}"`, good)).status).toBe(413);
  expect((await post('{', good)).status).toBe(400);
  expect((await post(CALL, good)).status).toBe(200);
  await api.close();
  api = await startToolApi({ cors: { origins: ['http://app.example'] } });
  expect((await post(CALL, { ...good, Origin: 'http://app.example' })).status).toBe(200);
  const asked = { Origin: 'http://app.example', 'Access-Control-Request-Method': 'POST' };
  const preflight = await fetch(`${api.url}/mcp`, { method: 'OPTIONS', headers: asked });
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
    expect.arrayContaining(['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']),
  );
});

test('a call whose sender has gone is aborted', async () => {
  await api.close();
  // Not by its deadline.
  api = await startToolApi({ requestTimeoutMs: 600_000 });
  const abort = new AbortController();
  const call = { ...CALL, params: { name: 'slow', arguments: {} } };
  const sent = fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...good },
    body: JSON.stringify(call),
    signal: abort.signal,
  });
  setTimeout(() => abort.abort(), 200);
  await expect(sent).rejects.toThrow();
  await api.seen.aborted;
});

test('a call whose connection the server closes has no answer, and is not waited for', async () => {
  await api.close();
  const close = (request: { url: string }, response: { destroy: () => void }, next: () => void) =>
    request.url === '/pets/1' ? response.destroy() : next();
  api = await startToolApi({ requestTimeoutMs: 2000, use: [close] });
  const client = await connect();
  expect(problemOf(await client.callTool({ name: 'getPet', arguments: { petId: 1 } }))).toMatchObject({
    code: 'no_answer',
    message: 'the server did not answer: the connection was closed',
  });
});

test('without tools nothing is at /mcp, and without the option neither', async () => {
  await api.close();
  api = await startToolApi({ mcp: undefined });
  expect((await post(CALL, good)).status).toBe(404);
});
