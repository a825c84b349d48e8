/** What front ends ask of a generated client: pages one by one, errors by operation, hooks, streams that notice a silent server, queries. */
import type { ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { createFolder, loadClient, sourceOf, strictProblems, writeClient, type LoadedClient, type LoadedReply } from './support/client.ts';
import { withRecordingServer, type Respond } from './support/recording-server.ts';

const YAML = `paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200': { description: ok, headers: { Link: { schema: { type: string } } }, content: { application/json: { schema: { type: array, items: { type: integer } } } } }
    post:
      operationId: createThing
      security: [{ token: [] }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses:
        '201': { description: ok }
        '401': { description: no }
        '409': { description: taken, content: { application/json: { schema: { type: object, required: [code], properties: { code: { type: string } } } } } }
  /things/{id}/photo:
    get:
      operationId: getPhoto
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: size, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { image/png: {} } } }
  /events:
    get:
      operationId: follow
      responses: { '200': { description: ok, content: { text/event-stream: { x-item-schema: { type: object } } } } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
`;

interface Queries {
  key(input?: object): unknown[];
  options(input?: object): { queryKey: unknown[]; queryFn(context: object): Promise<LoadedReply> };
  infinite(input?: object): {
    initialPageParam: unknown;
    queryFn(context: object): Promise<LoadedReply>;
    getNextPageParam(page: LoadedReply): unknown;
  };
  mutation(): { mutationFn(input: object): Promise<LoadedReply> };
}
interface FrontEnd extends LoadedClient {
  isFailure(error: unknown, operation: string): boolean;
  listen(client: object, operation: string, input?: object, options?: object): AsyncGenerator;
  nextPage(client: object, operation: string, page: object, call?: object): Promise<LoadedReply | undefined>;
  urlOf(client: object, operation: string, input?: object): string;
}

const { folder, remove } = createFolder();
let module: FrontEnd;
let queries: (client: object) => Record<string, Queries>;
beforeAll(async () => {
  await writeClient(folder, sourceOf(YAML));
  module = (await loadClient(folder)) as FrontEnd;
  ({ queries } = (await import(pathToFileURL(join(folder, 'queries.js')).href)) as { queries: typeof queries });
});
afterAll(remove);

const server = withRecordingServer();
const client = (options: object = {}) => module.createClient({ baseUrl: server.url, ...options });
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
/** Three pages of a list, by their cursor. */
const pages: Respond = ({ url = '' }, response) => {
  const page = Number(/cursor=(\d)/.exec(url)?.[1] ?? 1);
  json(response, 200, [page], page === 3 ? { Link: '</things>; rel="first"' } : { Link: `</things?cursor=${page + 1}>; rel="next"` });
};
const thrown = (work: Promise<unknown> | undefined) =>
  (work ?? Promise.resolve()).then(
    () => undefined,
    (error: unknown) => error,
  );

test('pages are read one by one, also from one that was serialized', async () => {
  server.respond = pages;
  const calls = client();
  const bodies: unknown[] = [];
  for (let page = await calls['listThings']?.(); page !== undefined;) {
    bodies.push(page.body);
    page = await module.nextPage(calls, 'listThings', JSON.parse(JSON.stringify(page)) as object);
  }
  expect(bodies).toEqual([[1], [2], [3]]);
  const elsewhere = { headers: { Link: '<http://other.example/things>; rel="next"' } };
  await expect(module.nextPage(calls, 'listThings', elsewhere)).rejects.toThrow('http://other.example, which is not');
});

test('a reply has nothing that cannot be serialized, and fetch’s response beside it', async () => {
  server.respond = pages;
  const reply = await client()['listThings']?.();
  expect(structuredClone(reply)).toEqual({
    status: 200,
    operation: 'listThings',
    ok: true,
    headers: { Link: '</things?cursor=2>; rel="next"' },
    contentType: 'application/json',
    body: [1],
  });
  expect((reply as unknown as { response: unknown }).response).toBeInstanceOf(Response);
});

test('a failure is known by its operation', async () => {
  server.respond = (_, response) => json(response, 409, { code: 'taken' });
  const error = await thrown(module.orThrow(client()['createThing']?.({ body: {} })));
  expect([
    module.isFailure(error, 'createThing'),
    module.isFailure(error, 'listThings'),
    module.isFailure(new Error(), 'createThing'),
  ]).toEqual([true, false, false]);
});

test('a server that cannot be reached is named, with the operation', async () => {
  const error = await thrown(module.createClient({ baseUrl: 'http://127.0.0.1:1' })['listThings']?.({ query: { limit: 1 } }));
  expect(error).toMatchObject({
    name: 'NetworkError',
    operation: 'listThings',
    address: 'http://127.0.0.1:1/things',
    cause: expect.any(TypeError),
  });
  expect((error as Error).message).toBe('listThings: no response from http://127.0.0.1:1/things: bad port');
});

test('a response that ends within its body is an error of the network, and is asked for again', async () => {
  server.respond = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '50' }).write('[1, 2');
    setTimeout(() => response.destroy(), 10);
  };
  expect(await thrown(client()['listThings']?.())).toMatchObject({ name: 'NetworkError', operation: 'listThings' });
  expect(server.requests).toHaveLength(1);
  const broken = server.respond;
  server.respond = (request, response, count) => (count === 2 ? broken(request, response, count) : pages(request, response, count));
  expect(await client({ retry: true })['listThings']?.()).toMatchObject({ body: [1] });
  expect(server.requests).toHaveLength(3);
});

test('an address that is none is refused at once', async () => {
  const error = await thrown(module.createClient({ baseUrl: 'nonsense', retry: true })['listThings']?.());
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toBe('listThings: nonsense is no address: baseUrl must begin with https:// or http://');
});

test('an address has its parameters; one without a path parameter is refused before it is sent', async () => {
  const calls = client({ baseUrl: 'https://api.example.com/v1/' });
  expect(module.urlOf(calls, 'getPhoto', { path: { id: 'a/b' }, query: { size: 3 } })).toBe(
    'https://api.example.com/v1/things/a%2Fb/photo?size=3',
  );
  expect(() => module.urlOf(calls, 'getPhoto', { path: {} })).toThrow('getPhoto: the path parameter id is missing');
  await expect(calls['getPhoto']?.({ path: {} })).rejects.toThrow('getPhoto: the path parameter id is missing');
  expect(server.requests).toEqual([]);
});

test('onRequest sees each attempt and may change its headers; onRetry says why there is another one', async () => {
  server.respond = (_, response, count) => (count === 1 ? json(response, 503, {}, { 'Retry-After': '0' }) : pages(_, response, count));
  const seen: unknown[] = [];
  const calls = client({
    retry: true,
    onRequest: ({ headers, ...request }: { headers: Headers }) => (headers.set('X-Trace', 'a'), seen.push(request)),
    onRetry: ({ cause, delayMs, ...retry }: { cause: Response; delayMs: number }) =>
      seen.push({ ...retry, status: cause.status, isSoon: delayMs < 1000 }),
  });
  await calls['listThings']?.();
  const request = { operation: 'listThings', method: 'GET', url: `${server.url}/things` };
  expect(seen).toEqual([request, { operation: 'listThings', attempt: 1, status: 503, isSoon: true }, request]);
  expect(server.requests.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a']);
});

test('after a 401 the request is sent once more with new credentials, if onUnauthorized has got some', async () => {
  server.respond = ({ headers }, response) => void response.writeHead(headers.authorization === 'Bearer new' ? 201 : 401).end();
  let token = 'old';
  const asked: string[] = [];
  const renew =
    (to: string, isRenewed = true) =>
    (operation: string) => (asked.push(operation), (token = to), isRenewed);
  const create = (onUnauthorized: unknown) =>
    client({ credentials: { token: () => token }, onUnauthorized })['createThing']?.({ body: {} });
  expect(await create(renew('new'))).toMatchObject({ status: 201 });
  token = 'old';
  expect(await create(renew('wrong'))).toMatchObject({ status: 401 });
  token = 'old';
  expect(await create(renew('new', false))).toMatchObject({ status: 401 });
  expect([asked.length, server.requests.length]).toEqual([3, 5]);
});

test('options of fetch are those of the client, and of the call before them', async () => {
  const given: RequestInit[] = [];
  const fetch = (_: string, init: RequestInit) => (given.push(init), Promise.resolve(Response.json([1])));
  const next = { revalidate: 60 };
  await client({ fetch, init: { cache: 'no-store', credentials: 'include', method: 'DELETE' } })['listThings']?.(
    {},
    { init: { cache: 'reload', next } },
  );
  expect(given[0]).toMatchObject({ cache: 'reload', credentials: 'include', next, method: 'GET' });
});

test('a stream says whether it is open, and leaves a server that is silent for longer than its heartbeat', async () => {
  const idleMs = scaleTimeout(300);
  server.respond = (_, response, count) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`retry: 1\nid: ${count}\ndata: {"n":${count}}\n\n`);
    // Comments keep the first one for longer than `idleMs`; then it is silent, as what has lost its network.
    if (count === 1) for (let i = 1; i < 4; i++) setTimeout(() => response.write(': here\n'), (idleMs / 2) * i).unref();
  };
  const states: unknown[] = [];
  const onState = (state: string, cause?: Error) => states.push(cause === undefined ? state : [state, cause.message]);
  const controller = new AbortController();
  const items: unknown[] = [];
  const start = Date.now();
  for await (const item of module.listen(client(), 'follow', {}, { onState, idleMs, signal: controller.signal })) {
    items.push(item);
    if (items.length === 2) break;
  }
  controller.abort();
  expect(items).toEqual([{ n: 1 }, { n: 2 }]);
  expect(Date.now() - start).toBeGreaterThan(2 * idleMs);
  expect(states).toEqual(['open', ['waiting', `no byte from the server within ${idleMs} ms (idleMs)`], 'open']);
  expect(server.requests[1]?.headers['last-event-id']).toBe('1');
});

test('queries have keys, abort with their signal, throw failures, and follow pages', async () => {
  server.respond = pages;
  const api = queries(client());
  const { signal } = new AbortController();
  expect([api['listThings']?.key(), api['listThings']?.key({ query: { limit: 2 } })]).toEqual([
    ['listThings'],
    ['listThings', { query: { limit: 2 } }],
  ]);
  const one = api['listThings']?.options({ query: { limit: 2 } });
  expect([one?.queryKey, await one?.queryFn({ signal })]).toMatchObject([['listThings', { query: { limit: 2 } }], { body: [1] }]);
  expect(server.requests[0]?.url).toBe('/things?limit=2');
  expect(await thrown(one?.queryFn({ signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' });

  const list = api['listThings']?.infinite({ query: { limit: 2 } });
  const bodies: unknown[] = [];
  for (let pageParam = list?.initialPageParam, isLast = false; !isLast;) {
    const page = (await list?.queryFn({ signal, pageParam })) as LoadedReply;
    bodies.push(page.body);
    pageParam = list?.getNextPageParam(page);
    isLast = pageParam === undefined;
  }
  expect(bodies).toEqual([[1], [2], [3]]);

  server.respond = (_, response) => json(response, 409, { code: 'taken' });
  expect(await thrown(api['createThing']?.mutation().mutationFn({ body: {} }))).toMatchObject({ name: 'ResponseError', status: 409 });
});

test('all of it is typed, with exactOptionalPropertyTypes', () => {
  writeFileSync(
    join(folder, 'source/use.ts'),
    `import { createClient, isFailure, listen, nextPage, orThrow, urlOf, type Client } from './client.ts';
import { queries } from './queries.ts';
declare const limit: number | undefined;
export async function use(client: Client): Promise<void> {
  const page = await orThrow(client.listThings({ query: { limit } }));
  const next: number[] | undefined = (await nextPage(client, 'listThings', page))?.body;
  await client.listThings({ query: undefined });
  try {
    await client.createThing({ body: {} });
  } catch (error) {
    if (isFailure(error, 'createThing') && error.reply.status === 409) error.reply.body.code satisfies string;
  }
  urlOf(client, 'getPhoto', { path: { id: '1' } }) satisfies string;
  for await (const item of listen(client, 'follow', {}, { onState: (state: 'open' | 'waiting') => state })) item satisfies object;
  const api = queries(client);
  const body: number[] = (await api.listThings.options({ query: { limit } }).queryFn({ signal: AbortSignal.timeout(1) })).body;
  api.listThings.infinite().getNextPageParam(page);
  await api.createThing.mutation().mutationFn({ body: { name: 'a' } });
  // @ts-expect-error -- an operation without pages
  api.createThing.infinite;
  // @ts-expect-error -- the path is required
  api.getPhoto.options();
  createClient({ baseUrl: '', credentials: { token: () => String(next ?? body) }, onUnauthorized: () => true, init: { cache: 'no-store', next: { revalidate: 60 } } });
}
`,
  );
  expect(strictProblems(folder, ['source/use.ts', 'source/client.ts', 'source/queries.ts'])).toEqual([]);
});
