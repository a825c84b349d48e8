/** A generated client of sequences: items as they come, and events that are followed over connections. */
import { createServer, type ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listenOnFreePort, scaleTimeout, withFixture } from 'specwright/testing';
import { createFolder, loadClient, sourceOf, strictProblems, writeClient, type LoadedClient } from './support/client.ts';

const STOCK = '{ type: object, required: [count], properties: { count: { type: integer } } }';
const YAML = `paths:
  /events:
    get:
      operationId: listen
      responses:
        '200':
          description: ok
          content:
            text/event-stream: { x-item-schema: { type: object, required: [data], properties: { id: { type: string }, event: { type: string }, data: ${STOCK} } } }
            application/jsonl: { x-item-schema: ${STOCK} }
            application/json-seq: { x-item-schema: ${STOCK} }
        '404': { description: gone, content: { application/json: { schema: {} } } }
  /data:
    get: { operationId: data, responses: { '200': { description: ok, content: { text/event-stream: { x-item-schema: ${STOCK} } } } } }
  /texts:
    get: { operationId: texts, responses: { '200': { description: ok, content: { text/event-stream: { x-item-schema: { type: string } } } } } }
`;

const { folder, remove } = createFolder();
let client: LoadedClient & { listen(client: object, operation: string, input?: object, call?: object): AsyncGenerator };
beforeAll(async () => {
  await writeClient(folder, sourceOf(YAML));
  client = (await loadClient(folder)) as typeof client;
});
afterAll(remove);

let answer: (response: ServerResponse, lastEventId: string | undefined) => void;
const server = withFixture(
  () => listenOnFreePort(createServer((request, response) => answer(response, request.headers['last-event-id'] as string | undefined))),
  ({ close }) => close(),
);
const call = (operation: string) =>
  client.createClient({ baseUrl: server.url })[operation]?.() as Promise<{ body: AsyncIterable<unknown> }>;
const collect = async (items: AsyncIterable<unknown>, most = Infinity): Promise<unknown[]> => {
  const seen: unknown[] = [];
  if (most > 0) for await (const item of items) if (seen.push(item) === most) break;
  return seen;
};
const sends =
  (type: string, ...chunks: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': type });
    chunks.forEach((chunk, i) => setTimeout(() => (i === chunks.length - 1 ? response.end(chunk) : response.write(chunk)), i * 20));
  };
let closed: number;
beforeEach(() => {
  closed = 0;
});

test.each<[type: string, chunks: string[], items: unknown[]]>([
  ['application/jsonl', ['{"count":1}\n{"cou', 'nt":2}\n\n{"count":3}'], [{ count: 1 }, { count: 2 }, { count: 3 }]],
  ['application/json-seq', ['\x1E{"count":1}\n\x1E{"count":2}\n'], [{ count: 1 }, { count: 2 }]],
  [
    'text/event-stream',
    [
      ': comment\n\nid: 1\nevent: stock\ndata: {"count"',
      ':1}\n\n',
      'data: {"count":\r\ndata: 2}\r',
      '\n\r\nretry: 5\n\nunknown\n\ndata: {"count":3}',
    ],
    [{ id: '1', event: 'stock', data: { count: 1 } }, { data: { count: 2 } }],
  ],
])('reads %s in whatever parts it comes', async (type, chunks, items) => {
  answer = sends(type, ...chunks);
  expect(await collect((await call('listen')).body)).toEqual(items);
});

test('reads the data alone where the contract describes that, as text if it is one', async () => {
  answer = sends('text/event-stream', 'data: {"count":1}\n\n');
  expect(await collect((await call('data')).body)).toEqual([{ count: 1 }]);
  answer = sends('text/event-stream', 'data: {"a"\ndata: b\n\n');
  expect(await collect((await call('texts')).body)).toEqual(['{"a"\nb']);
  answer = sends('text/event-stream', 'data: {"count":1}\n\n', 'event: error\ndata: {"code":"gone"}\n\n');
  await expect(collect((await call('data')).body)).rejects.toThrow('the server has ended the stream: {"code":"gone"}');
});

test('closes the connection when its reader leaves', async () => {
  answer = (response) => {
    response.on('close', () => closed++);
    response.writeHead(200, { 'Content-Type': 'application/jsonl' });
    response.write('{"count":1}\n{"count":2}\n');
  };
  expect(await collect((await call('listen')).body, 1)).toEqual([{ count: 1 }]);
  for (let i = 0; i < 100 && closed === 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closed).toBe(1);
});

test('listen goes on after the last event with an id, when a connection has ended or failed', async () => {
  const asked: (string | undefined)[] = [];
  answer = (response, last) => {
    asked.push(last);
    const next = Number(last ?? 0) + 1;
    if (asked.length === 2) return void response.destroy();
    sends('text/event-stream', `retry: 10\nid: ${next}\ndata: {"count":${next}}\n\n`)(response);
  };
  const events = client.listen(client.createClient({ baseUrl: server.url }), 'listen');
  expect(await collect(events, 3)).toEqual([1, 2, 3].map((count) => ({ retry: 10, id: String(count), data: { count } })));
  expect(asked).toEqual([undefined, '1', '1', '2']);
});

test('listen ends with the refusal of the server, and with its signal', async () => {
  answer = (response) => void response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
  await expect(collect(client.listen(client.createClient({ baseUrl: server.url }), 'listen'))).rejects.toThrow('404');
  answer = sends('text/event-stream', 'data: {"count":1}\n\n');
  const abort = new AbortController();
  const events = client.listen(client.createClient({ baseUrl: server.url }), 'listen', {}, { signal: abort.signal });
  expect((await events.next()).value).toEqual({ data: { count: 1 } });
  abort.abort(new Error('enough'));
  await expect(events.next()).rejects.toThrow('enough');
});

test(
  'items are typed',
  () => {
    writeFileSync(
      join(folder, 'proof.ts'),
      `import { createClient, listen } from './source/client.ts';
const client = createClient({ baseUrl: '' });
export async function read(): Promise<number> {
  for await (const { id, data } of listen(client, 'listen')) if (id === '1') return data.count;
  for await (const { count } of listen(client, 'data')) return count;
  // @ts-expect-error the data is an object
  for await (const { data } of listen(client, 'listen')) return data;
  const reply = await client.listen();
  if (reply.ok && reply.contentType === 'application/jsonl') for await (const { count } of reply.body) return count;
  return 0;
}
`,
    );
    expect(strictProblems(folder, ['proof.ts', 'source/client.ts'])).toEqual([]);
  },
  scaleTimeout(60_000),
);
