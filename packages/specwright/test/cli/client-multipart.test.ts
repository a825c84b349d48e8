/** What a generated client sends as multipart arrives at a server as it was: fields of each type, and files from blobs and streams. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { sourceOf, strictProblems, withServedClient } from './support/client.ts';

const SOURCE = sourceOf(`paths:
  /albums:
    post:
      operationId: add
      x-body-limit: 20000000
      requestBody:
        required: true
        content:
          multipart/form-data:
            encoding: { note: { contentType: application/json } }
            schema:
              type: object
              required: [title, photos]
              properties:
                photos: { type: array, maxItems: 3, items: { type: string, format: binary } }
                title: { type: string }
                count: { type: integer }
                isShown: { type: boolean }
                tags: { type: array, items: { type: string } }
                position: { type: object, additionalProperties: false, properties: { x: { type: number } } }
                note: { type: string }
                cover: { type: string, format: binary }
      responses: { '204': { description: done } }
`);

let sent: RequestInit[] = [];
let received: { body?: unknown; files: object[] };
const add = async (
  input: { body: unknown; files: AsyncIterable<{ stream: Readable } & Record<string, unknown>> },
  reply: (status: number) => unknown,
) => {
  received = { body: input.body, files: [] };
  for await (const { name, filename, type, stream } of input.files) {
    const chunks = await stream.toArray();
    received.files.push({ name, filename, type, text: Buffer.concat(chunks as Buffer[]).toString() });
  }
  return reply(204);
};
const record = (url: string, init: RequestInit) => {
  sent.push(init);
  return fetch(url, init);
};
const served = withServedClient(SOURCE, { add }, { fetch: record });
beforeEach(() => {
  sent = [];
});

test('fields and blobs', async () => {
  const fields = { title: 'é&"\r\n', count: 3, isShown: false, tags: ['a', 'b,c'], position: { x: 1.5 }, note: 'n' };
  const lineBreak = new File(['png'], 'a\r\nb.png');
  await expect(served.client['add']?.({ body: { title: 't', photos: [lineBreak] } })).rejects.toThrow('the filename of body/photos');
  const named = new File(['png'], 'kätz "1".png', { type: 'image/png' });
  expect(await served.client['add']?.({ body: { photos: [named, new Blob(['b'])], ...fields, cover: undefined } })).toMatchObject({
    status: 204,
  });
  expect(received).toEqual({
    body: fields,
    files: [
      { name: 'photos', filename: 'kätz "1".png', type: 'image/png', text: 'png' },
      { name: 'photos', filename: 'blob', type: 'application/octet-stream', text: 'b' },
    ],
  });
  expect(sent[0]?.body).toBeInstanceOf(Blob);
});

test('a stream is sent while it is made, and not again', async () => {
  let made = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (; made < 100; made++) yield await Promise.resolve(Buffer.alloc(100_000, 'x'));
  }
  const body = { title: 't', photos: [{ stream: bytes(), filename: 'a.bin', type: 'image/jpeg' }], cover: new Blob(['c']).stream() };
  expect(await served.client['add']?.({ body: { ...body, cover: { stream: body.cover } } }, { retry: true })).toMatchObject({
    status: 204,
  });
  expect(received.files).toMatchObject([
    { filename: 'a.bin', type: 'image/jpeg', text: 'x'.repeat(10_000_000) },
    { name: 'cover', text: 'c' },
  ]);
  const failing = { stream: (async function* () { yield await Promise.reject(new Error('no more')); })() }; // prettier-ignore
  await expect(served.client['add']?.({ body: { title: 't', photos: [failing] } }, { retry: true })).rejects.toThrow();
  expect(sent).toHaveLength(2);
});

test('a FormData is sent as it is', async () => {
  const data = new FormData();
  data.append('title', 't');
  data.set('photos', new Blob(['p']), 'p.png');
  expect(await served.client['add']?.({ body: data })).toMatchObject({ status: 204 });
});

const USE = `import { createClient } from './CLIENT';
const client = createClient({ baseUrl: 'http://localhost' });
declare const blob: Blob;
export const uses = () => [
  client.add({ body: { title: 't', photos: [blob], position: { x: 1 } } }),
  client.add({ body: { title: 't', photos: [{ stream: blob.stream(), filename: 'a' }], cover: blob } }),
  client.add({ body: new FormData() }),
  // @ts-expect-error photos are required
  client.add({ body: { title: 't' } }),
  // @ts-expect-error a text is no file
  client.add({ body: { title: 't', photos: ['a'] } }),
  // @ts-expect-error an undeclared property
  client.add({ body: { title: 't', photos: [blob], more: 1 } }),
];
`;

test(
  'the types say which properties are files',
  () => {
    writeFileSync(join(served.folder, 'source/use.ts'), USE.replace('CLIENT', 'client.ts'));
    expect(strictProblems(served.folder, ['source/use.ts', 'source/client.ts'])).toEqual([]);
  },
  scaleTimeout(60_000),
);
