/** What a generated client does where a browser hides headers, lacks `crypto.randomUUID` or waits, and what its errors print. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFolder, loadClient, sourceOf, writeClient, type LoadedClient, type LoadedReply } from './support/client.ts';

const LIST = 'application/json: { schema: { type: array, items: { type: integer } } }';
const CALLS = `paths:
  /things:
    get:
      operationId: list
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: ok
          headers: { Link: { schema: { type: string } }, Total: { required: true, schema: { type: integer } } }
          content: { ${LIST} }
        '404': { description: no, content: { application/json: { schema: {} } } }
    post:
      operationId: create
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: { '201': { description: ok }, '503': { description: down } }
  /others:
    get:
      operationId: others
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok, headers: { Link: { schema: { type: string } } }, content: { ${LIST} } } }
  /lines:
    get:
      operationId: lines
      responses: { '200': { description: ok, content: { application/jsonl: { x-item-schema: { type: integer } } } } }
`;

const { folder, remove } = createFolder();
let loaded: LoadedClient;
beforeAll(async () => {
  await writeClient(folder, sourceOf(CALLS));
  loaded = await loadClient(folder);
});
afterAll(remove);

const PAGE = 'http://api.example/things';
/** As `fetch` gives it to a page of another origin (`cors`) or the same one: with the headers that may be read. */
function received(status: number, headers: Record<string, string>, body: unknown, type = 'cors'): Response {
  const response = new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
  return Object.defineProperties(response, { type: { value: type }, url: { value: PAGE } });
}
const clientOf = (...responses: Response[]) =>
  loaded.createClient({ baseUrl: 'http://api.example', fetch: () => Promise.resolve(responses.shift()) });

const call = async (client: ReturnType<typeof clientOf>, operation: string, ...args: [object?, object?]) =>
  (await client[operation]?.(...args)) as LoadedReply;

async function read(operation: string, ...responses: Response[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of loaded.items(clientOf(...responses), operation)) all.push(item);
  return all;
}
const NEXT = { Link: '<?cursor=2>; rel="next"' };

test.each<[string, string, Record<string, string>, string]>([
  ['nothing is exposed', 'list', {}, 'cors'],
  ['a required header is not exposed', 'list', { 'X-Request-Id': '1' }, 'cors'],
  ['nothing is exposed, and nothing required', 'others', {}, 'cors'],
  ['Link is not among what is exposed', 'list', { Total: '1', 'Access-Control-Expose-Headers': 'Total, X-Link' }, 'cors'],
])('pages of another origin throw for a missing Link: %s', async (_, operation, headers, type) => {
  const items = loaded.items(clientOf(received(200, headers, [1], type)), operation);
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await expect(items.next()).rejects.toThrow(
    new TypeError(
      `${operation}: the response has no Link that this page may read: name its origin in CORS_ORIGINS, or send Access-Control-Expose-Headers: Link, Access-Control-Expose-Headers`,
    ),
  );
});

test.each<[string, string, Record<string, string>, string]>([
  ['of the same origin', 'list', {}, 'basic'],
  ['required headers are exposed', 'list', { Total: '1' }, 'cors'],
  ['X-Request-Id is exposed', 'others', { 'X-Request-Id': '1' }, 'cors'],
  ['the server says so', 'others', { 'Access-Control-Expose-Headers': 'X-Other,link' }, 'cors'],
  ['the server exposes all', 'others', { 'Access-Control-Expose-Headers': '*' }, 'cors'],
])('the last page is the one without Link: %s', async (_, operation, headers, type) => {
  expect(await read(operation, received(200, headers, [1, 2], type))).toEqual([1, 2]);
});

test('items are those of all pages, and a Link of one page tells that of the others can be read', async () => {
  expect(await read('list', received(200, NEXT, [1, 2]), received(200, NEXT, []), received(200, {}, [3]))).toEqual([1, 2, 3]);
  await expect(read('list', received(200, NEXT, { data: [] }))).rejects.toThrow('list: the body is no list: use paginate');
});

test('a required header that is hidden throws when it is used, and not before', async () => {
  const { headers, body } = await call(clientOf(received(200, {}, [1])), 'list');
  expect([body, { ...headers }]).toEqual([[1], {}]);
  expect(() => headers['Total']).toThrow(
    /^list: the response has no header Total that this page may read: name its origin in CORS_ORIGINS/,
  );
  const same = await call(clientOf(received(200, {}, [1], 'basic')), 'list');
  expect(() => same.headers['Total']).toThrow(/^list: the response has no header Total$/);
});

test('an Idempotency-Key needs no secure context', async () => {
  const keys: (string | null)[] = [];
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    const fetch = (_: string, { headers }: { headers: Headers }) => {
      keys.push(headers.get('Idempotency-Key'));
      return Promise.resolve(new Response(null, { status: 201 }));
    };
    await call(loaded.createClient({ baseUrl: 'http://api.example', fetch, retry: true }), 'create');
  } finally {
    Reflect.deleteProperty(crypto, 'randomUUID');
  }
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});

/** Never answers, as `fetch` waits; counts its calls. */
function createSilence() {
  let count = 0;
  const fetch = (_: string, { signal }: { signal: AbortSignal }) => {
    count++;
    return new Promise<Response>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
  };
  return { fetch, count: () => count };
}

test('a request ends after timeoutMs, of the call or of the client, and is not sent again', async () => {
  const silence = createSilence();
  const client = loaded.createClient({ baseUrl: 'http://api.example', fetch: silence.fetch, timeoutMs: 20, retry: true });
  await expect(call(client, 'list')).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'list: no response to GET /things within 20 ms (timeoutMs)',
  });
  await expect(call(client, 'create', {}, { timeoutMs: 10 })).rejects.toThrow(
    'create: no response to POST /things within 10 ms (timeoutMs)',
  );
  expect(silence.count()).toBe(2);
});

test('timeoutMs bounds the body of a response, but not items that have begun', async () => {
  const slow = (type: string) => {
    const encoder = new TextEncoder();
    const fetch = (_: string, { signal }: { signal: AbortSignal }) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(encoder.encode(type === 'application/json' ? '[1' : '1\n'));
          const timer = setTimeout(() => {
            controller.enqueue(encoder.encode(type === 'application/json' ? ']' : '2\n'));
            controller.close();
          }, 200);
          signal.addEventListener('abort', () => {
            clearTimeout(timer);
            controller.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'Content-Type': type } }));
    };
    return loaded.createClient({ baseUrl: 'http://api.example', fetch, timeoutMs: 50 });
  };
  await expect(call(slow('application/json'), 'list')).rejects.toThrow('within 50 ms');
  const { body } = await call(slow('application/jsonl'), 'lines');
  const items: unknown[] = [];
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  expect(items).toEqual([1, 2]);
});

test.each<[unknown, string]>([
  [{ code: 'not_found', message: 'no such thing', details: 'x'.repeat(5000) }, 'not_found: no such thing'],
  [{ error: { code: 'not_found', message: 'no such thing' } }, 'not_found: no such thing'],
  [{ title: 'x'.repeat(5000) }, `{"title":"${'x'.repeat(190)}`],
])('a ResponseError prints one line and its stack', async (body, text) => {
  const error: unknown = await loaded.orThrow(call(clientOf(received(404, {}, body)), 'list')).catch((thrown: unknown) => thrown);
  expect(printed(error)).toBe(`ResponseError: list: 404 from ${PAGE}: ${text}`);
  expect(error).toMatchObject({ status: 404, operation: 'list', body });
});

test('an UnexpectedResponseError of many lines prints one', async () => {
  const text = '<html>\n<body>\n proxy\n' + '</body>\n'.repeat(500);
  const response = Object.defineProperty(new Response(text, { status: 502, headers: { 'Content-Type': 'text/html' } }), 'url', {
    value: PAGE,
  });
  const error: unknown = await call(clientOf(response), 'list').catch((thrown: unknown) => thrown);
  expect(printed(error)).toMatch(/^UnexpectedResponseError: list: 502 from \S+ is not declared: <html> <body> proxy [^\n]{1,200}$/);
  expect(error).toMatchObject({ status: 502, operation: 'list', text });
});

/** Without the lines of the stack, and what marks an error of another realm. */
const printed = (error: unknown): string =>
  inspect(error)
    .split('\n')
    .filter((line) => !line.startsWith('    at '))
    .join('\n');
