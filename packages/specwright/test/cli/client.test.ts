/** A generated client against servers: what it sends, what it makes of responses, when it sends again. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { generate, generatedForm } from '../../src/generate/generate.ts';
import { createFolder, loadClient, sourceOf, withServedClient, writeClient, type LoadedClient } from './support/client.ts';
import { withRecordingServer, type Respond } from './support/recording-server.ts';

const LIST = 'schema: { type: array, items: { type: string } }';
const OBJECT = 'schema: { type: object, additionalProperties: false, properties: { R: { type: integer }, G: { type: string } } }';
const ANY = "'200': { description: ok, content: { application/json: { schema: {} } } }";

const STYLES = `paths:
  /echo/{simple}/{label}/{matrix}/{list}:
    post:
      operationId: echo
      parameters:
        - { name: simple, in: path, required: true, schema: { type: string } }
        - { name: label, in: path, required: true, style: label, explode: true, ${LIST} }
        - { name: matrix, in: path, required: true, style: matrix, explode: true, ${OBJECT} }
        - { name: list, in: path, required: true, ${LIST} }
        - { name: repeated, in: query, ${LIST} }
        - { name: joined, in: query, explode: false, ${LIST} }
        - { name: piped, in: query, style: pipeDelimited, explode: false, ${LIST} }
        - { name: spaced, in: query, style: spaceDelimited, explode: false, ${LIST} }
        - { name: deep, in: query, style: deepObject, explode: true, ${OBJECT} }
        - { name: pairs, in: query, explode: false, ${OBJECT} }
        - { name: json, in: query, content: { application/json: { ${OBJECT} } } }
        - { name: flag, in: query, schema: { type: boolean } }
        - { name: X-List, in: header, ${LIST} }
        - { name: X-Object, in: header, explode: true, ${OBJECT} }
        - { name: session, in: cookie, schema: { type: string } }
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { a: { type: string }, list: { type: array, items: { type: integer } }, nested: { type: object, properties: { b: { type: string } } } } }
      responses: { ${ANY} }
`;

const CALLS = `paths:
  /things:
    get:
      operationId: list
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: ok
          headers: { Link: { schema: { type: string } }, Total: { schema: { type: integer } }, Ids: { schema: { type: array, items: { type: integer } } } }
          content: { application/json: { schema: { type: array, items: { type: integer } } } }
        4XX: { description: no, content: { application/problem+json: { schema: {} } } }
        '429': { description: later, content: { application/json: { schema: {} } } }
        '503': { description: down }
    post:
      operationId: create
      security: [{ both: [], key: [] }, { basic: [] }]
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: { '201': { description: ok }, '503': { description: down }, default: { description: no } }
  /things/{id}:
    post: { operationId: act, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '204': { description: ok }, '503': { description: down } } }
components:
  securitySchemes:
    both: { type: http, scheme: bearer }
    key: { type: apiKey, in: query, name: api key }
    basic: { type: http, scheme: basic }
`;

const echo = (input: unknown, reply: (status: number, payload: object) => unknown) => reply(200, { body: input });
const styles = withServedClient(sourceOf(STYLES), { echo });
const { folder, remove } = createFolder();
let calls: LoadedClient;
beforeAll(async () => {
  await writeClient(folder, sourceOf(CALLS));
  calls = await loadClient(folder);
});
afterAll(remove);

const server = withRecordingServer();
const answer = (response: ServerResponse, status: number, headers: Record<string, string> = {}, body?: unknown) =>
  response.writeHead(status, { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers }).end(JSON.stringify(body));

test('parameters and forms arrive at a server as the values that were given, in every style', async () => {
  const object = { R: 1, G: 'ä&=' };
  const input = {
    path: { simple: 'a/b c?#%2F', label: ['x', 'y'], matrix: { R: 100, G: 'g' }, list: ['1', 'ü'] },
    query: {
      repeated: ['a b', 'c&d', ''],
      joined: ['a', 'b'],
      piped: ['a', 'b'],
      spaced: ['a', 'b'],
      deep: object,
      pairs: { R: 2 },
      json: object,
      flag: false,
    },
    headers: { 'X-List': ['a', 'b'], 'X-Object': { R: 1, G: 'g' } },
    cookies: { session: 'a;b c' },
    body: { a: '1 +&', list: [1, 2], nested: { b: 'é' } },
  };
  const reply = await styles.module.createClient({ baseUrl: `${styles.url}/` })['echo']?.(input);
  expect(reply).toMatchObject({ status: 200, body: input });
});

test('generate writes the client of a project that has one, and none otherwise', async () => {
  const source = sourceOf(STYLES);
  const at = join(styles.folder, 'source');
  expect([styles.folder, at].map((folder) => generatedForm(folder).client)).toEqual([false, true]);
  expect([...(await generate(source)).keys()]).not.toContain('client.ts');
  expect((await generate(source, { client: true })).get('client.ts')).toBe(readFileSync(join(at, 'client.ts'), 'utf8'));
});

test.each(['', '.', '..'])('a value "%s" of a path is not sent, because the URL would be another one', async (id) => {
  await expect(calls.createClient({ baseUrl: server.url })['act']?.({ path: { id } })).rejects.toThrow(`path/id must not be "${id}"`);
  expect(server.requests).toEqual([]);
});

test('sends the credentials of the first alternative that is complete, and none where there is no security', async () => {
  server.respond = (_, response) => answer(response, 201);
  const credentials = { both: async () => 'token', basic: { username: 'ü', password: 'p' } };
  await calls.createClient({ baseUrl: server.url, credentials })['create']?.();
  await calls.createClient({ baseUrl: server.url, credentials: { ...credentials, key: 'a&b' } })['create']?.();
  await calls.createClient({ baseUrl: server.url })['create']?.();
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/things', `Basic ${Buffer.from('ü:p').toString('base64')}`],
    ['/things?api%20key=a%26b', 'Bearer token'],
    ['/things', undefined],
  ]);
});

test('reads declared headers as their types, ranges of statuses, and bodies of other JSON types', async () => {
  server.respond = (_, response, count) =>
    count === 1
      ? answer(response, 200, { Total: '7', Ids: '1, 2', Other: 'x' }, [1])
      : answer(response, 418, { 'Content-Type': 'application/problem+json; charset=utf-8' }, { title: 'teapot' });
  const client = calls.createClient({ baseUrl: server.url });
  expect(await client['list']?.()).toMatchObject({ status: 200, ok: true, headers: { Total: 7, Ids: [1, 2] }, body: [1] });
  const refused = client['list']?.();
  expect(await refused).toMatchObject({ status: 418, ok: false, contentType: 'application/problem+json', body: { title: 'teapot' } });
  await expect(calls.orThrow(refused)).rejects.toThrow(`418 from ${server.url}/things: {"title":"teapot"}`);
});

test.each<[string, Respond, string]>([
  ['an undeclared status', (_, response) => answer(response, 302, { Location: 'http://elsewhere.example/' }), 'is not declared'],
  ['an undeclared success beside `default`', (_, response) => answer(response, 202), 'is not declared'],
  [
    'another media type',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>proxy'),
    'is text/html, not application/json: <p>proxy',
  ],
  ['text that is no JSON', (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{'), 'is not JSON: {'],
])('%s is an UnexpectedResponseError', async (name, first, message) => {
  server.respond = first;
  const client = calls.createClient({ baseUrl: server.url, retry: true });
  await expect(client[name.includes('default') ? 'create' : 'list']?.()).rejects.toThrow(message);
  expect(server.requests).toHaveLength(1);
});

test('with `retry`, waits for Retry-After and sends the same request with the same Idempotency-Key', async () => {
  const times: number[] = [];
  server.respond = (_, response, count) => {
    times.push(Date.now());
    answer(response, count === 1 ? 503 : 201, count === 1 ? { 'Retry-After': '1' } : {});
  };
  expect(await calls.createClient({ baseUrl: server.url })['create']?.({}, { retry: true })).toMatchObject({ status: 201 });
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

test('without `retry` nothing is sent again, and no key is made', async () => {
  server.respond = (_, response) => answer(response, 503, { 'Retry-After': '0' });
  expect(await calls.createClient({ baseUrl: server.url })['create']?.()).toMatchObject({ status: 503 });
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
});

test('after 503 nothing is sent again that might be done twice; after 429 everything, at most as often as asked for', async () => {
  server.respond = (_, response) => answer(response, 503, { 'Retry-After': '0' });
  const client = calls.createClient({ baseUrl: server.url, retry: { attempts: 4 } });
  expect(await client['act']?.({ path: { id: '1' } })).toMatchObject({ status: 503 });
  expect(server.requests).toHaveLength(1);
  server.respond = (_, response) => answer(response, 429, { 'Retry-After': 'Thu, 01 Jan 1970 00:00:00 GMT' }, {});
  expect(await client['list']?.()).toMatchObject({ status: 429 });
  expect(server.requests).toHaveLength(5);
});

test('a connection that breaks is tried again for what can be repeated', async () => {
  server.respond = (request, response, count) => (count % 2 === 1 ? request.socket.destroy() : answer(response, 200, {}, []));
  const client = calls.createClient({ baseUrl: server.url, retry: true });
  expect(await client['list']?.()).toMatchObject({ status: 200 });
  await expect(client['act']?.({ path: { id: '1' } })).rejects.toMatchObject({ name: 'NetworkError', operation: 'act' });
  expect(server.requests).toHaveLength(3);
});

test('does not wait longer than maxDelayMs, and an aborted signal ends the wait', async () => {
  server.respond = (_, response) => answer(response, 429, { 'Retry-After': '3600' }, {});
  const client = calls.createClient({ baseUrl: server.url });
  expect(await client['list']?.({}, { retry: true })).toMatchObject({ status: 429 });
  const started = Date.now();
  const signal = AbortSignal.timeout(50);
  await expect(client['list']?.({}, { signal, retry: { maxDelayMs: 1e9 } })).rejects.toThrow(/timeout/i);
  expect(Date.now() - started).toBeLessThan(scaleTimeout(5000));
});

test('a signal that only the call refers to ends it, whatever garbage was collected meanwhile', async () => {
  server.respond = () => undefined;
  setFlagsFromString('--expose-gc');
  const collecting = setInterval(runInNewContext('gc') as () => void, 20);
  try {
    const client = calls.createClient({ baseUrl: server.url, timeoutMs: scaleTimeout(5000) });
    await expect(client['list']?.({}, { signal: AbortSignal.timeout(200) })).rejects.toThrow('The operation was aborted due to timeout');
    await expect(client['list']?.({}, { signal: AbortSignal.abort(new Error('not now')) })).rejects.toThrow('not now');
  } finally {
    clearInterval(collecting);
  }
});

test('paginate follows rel="next" among other links, and stops where it would leave the server or a page fails', async () => {
  server.respond = (_, response, count) =>
    answer(response, 200, count < 3 ? { Link: `</first>; rel="first", <?after=${count}>; title="a, b"; rel="prefetch next"` } : {}, [
      count,
    ]);
  const client = calls.createClient({ baseUrl: server.url });
  const pages = async () => {
    const bodies: unknown[] = [];
    for await (const { body } of calls.paginate(client, 'list', { query: { limit: 1 } })) bodies.push(body);
    return bodies;
  };
  expect(await pages()).toEqual([[1], [2], [3]]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/things?limit=1', '/things?after=1', '/things?after=2']);
  server.respond = (_, response) => answer(response, 200, { Link: '<http://elsewhere.example/>; rel=next' }, []);
  await expect(pages()).rejects.toThrow('elsewhere.example');
  server.respond = (_, response) => answer(response, 400, { 'Content-Type': 'application/problem+json' }, {});
  await expect(pages()).rejects.toThrow('400 from');
});
