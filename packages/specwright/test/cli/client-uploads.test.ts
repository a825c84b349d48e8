/** How much of an upload a generated client reports as sent, in Node; in browsers: test/browser/cors.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFolder, loadClient, sourceOf, strictProblems, writeClient, type LoadedClient } from './support/client.ts';
import { withRecordingServer } from './support/recording-server.ts';

const BYTES = '{ type: string, format: binary }';
const SOURCE = sourceOf(`paths:
  /photo:
    put:
      operationId: setPhoto
      requestBody: { content: { application/octet-stream: { schema: ${BYTES} } } }
      responses: { '204': { description: done }, '503': { description: down } }
    post:
      operationId: addPhoto
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { photo: ${BYTES} } } } } }
      responses: { '204': { description: done } }
    delete: { operationId: remove, responses: { '204': { description: done } } }
`);

const { folder, remove } = createFolder();
let module: LoadedClient;
beforeAll(async () => {
  await writeClient(folder, SOURCE);
  module = await loadClient(folder);
});
afterAll(remove);
const server = withRecordingServer();

/** More than the buffers of a connection take. */
const SIZE = 40_000_000;
let reported: [sent: number, total: number | undefined][];
const send = (operation: string, body: unknown, options: object = {}) => {
  reported = [];
  const onUploadProgress = (...report: (typeof reported)[number]) => reported.push(report);
  return module.createClient({ baseUrl: server.url, ...options })[operation]?.({ body }, { onUploadProgress });
};
const sent = () => reported.map(([bytes]) => bytes);
/** Answers when the whole request is there. */
const answer =
  (status: number): typeof server.respond =>
  (request, response) => {
    let size = 0;
    request.on('data', ({ length }: Buffer) => (size += length));
    request.on('end', () => response.writeHead(status, { 'X-Size': size, 'Retry-After': '0' }).end());
  };

test('an upload is reported while the server takes it, up to its size', async () => {
  server.respond = (request, response, count) => {
    request.pause();
    setTimeout(() => (answer(204)(request, response, count), request.resume()), 500);
  };
  const reply = send('setPhoto', new Blob([new Uint8Array(SIZE)]));
  while (server.requests.length === 0) await sleep(10);
  await sleep(200);
  const [first, begun] = [reported[0], sent().at(-1) ?? 0];
  expect([first, begun > 0, begun < SIZE]).toEqual([[0, SIZE], true, true]);
  expect(await reply).toMatchObject({ status: 204, response: expect.anything() });
  expect(reported.at(-1)).toEqual([SIZE, SIZE]);
  expect(sent()).toEqual(sent().sort((a, b) => a - b));
});

test('a request that is sent again starts at 0 again', async () => {
  server.respond = (request, response, count) => answer(count === 1 ? 503 : 204)(request, response, count);
  expect(await send('setPhoto', new Uint8Array(SIZE), { retry: true })).toMatchObject({ status: 204 });
  const second = sent().lastIndexOf(0);
  expect([sent()[second - 1], sent().at(-1), server.requests.length]).toEqual([SIZE, SIZE, 2]);
});

test('what the function throws ends the call, and is not sent again', async () => {
  server.respond = answer(204);
  const failure = new TypeError('of the caller');
  const onUploadProgress = (bytes: number) => {
    if (bytes > 0) throw failure;
  };
  const client = module.createClient({ baseUrl: server.url, retry: true });
  await expect(client.setPhoto?.({ body: new Blob([new Uint8Array(SIZE)]) }, { onUploadProgress })).rejects.toBe(failure);
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

test('nothing is reported of a call that has ended', async () => {
  // The body is left unread, and its connection open.
  server.respond = (_, response) => response.writeHead(204).end();
  await send('setPhoto', new Blob([new Uint8Array(SIZE)]));
  const { length } = reported;
  await sleep(300);
  expect(reported).toHaveLength(length);
});

test('a stream that the types do not know is not sent again', async () => {
  server.respond = (request, response, count) => answer(503)(request, response, count);
  const stream = new Blob([new Uint8Array(1000)]).stream();
  await expect(module.createClient({ baseUrl: server.url, retry: true }).setPhoto?.({ body: stream })).resolves.toMatchObject({
    status: 503,
  });
  expect(server.requests).toHaveLength(1);
});

const formOf = () => {
  const form = new FormData();
  form.append('photo', new Blob([new Uint8Array(1000)]), 'a.png');
  return form;
};
test.each<[string, () => unknown, boolean]>([
  ['a file', () => ({ photo: new File([new Uint8Array(1000)], 'a.png') }), true],
  ['a stream', () => ({ photo: { stream: new Blob([new Uint8Array(1000)]).stream(), filename: 'a.png' } }), false],
  ['a FormData', formOf, false],
])('the parts of multipart count, with their heads: %s', async (_, body, isKnown) => {
  server.respond = answer(204);
  const reply = (await send('addPhoto', body())) as unknown as { response: Response };
  expect(server.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=./);
  const size = Number(reply.response.headers.get('X-Size'));
  expect(reported.at(-1)).toEqual([size, isKnown ? size : undefined]);
});

test('operations without files have no progress', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient } from './source/client.ts';
const client = createClient({ baseUrl: '' });
const onUploadProgress = (sent: number, total: number | undefined) => [sent, total];
void client.setPhoto({ body: new Blob() }, { onUploadProgress });
// @ts-expect-error
void client.remove({}, { onUploadProgress });
`,
  );
  expect(strictProblems(folder, ['use.ts'])).toEqual([]);
});
