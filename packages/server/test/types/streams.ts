/** Type proofs of streams: bytes where the body of a response is no JSON value, items of the declared schema where it is a sequence, files of requests. */
import { Readable } from 'node:stream';
import type { SpooledFile } from '@specwright/server';
import type { Handler } from './streams/generated/contract.ts';

declare const bytes: AsyncIterable<Uint8Array>;
declare const stocks: AsyncIterable<{ count: number }>;

export const getFile: Handler<'getFile'>[] = [
  (_, reply) => reply(200, { body: Buffer.alloc(1) }),
  (_, reply) => reply(200, { stream: Readable.from([]), filename: 'a.png' }),
  (_, reply) =>
    reply(200, { stream: (range) => (range === undefined ? bytes : Readable.from([range.start])), length: 1, disposition: 'inline' }),
  // @ts-expect-error a body or a stream
  (_, reply) => reply(200, { body: '', stream: bytes }),
  // @ts-expect-error a file has no items
  (_, reply) => reply(200, { items: stocks }),
  // @ts-expect-error a stream is of bytes
  (_, reply) => reply(200, { stream: stocks }),
  // @ts-expect-error there is no such disposition
  (_, reply) => reply(200, { stream: bytes, disposition: 'shown' }),
];

export const listen: Handler<'listen'>[] = [
  (_, reply) => reply(200, { type: 'application/jsonl', items: stocks }),
  (_, reply) => reply(200, { type: 'application/jsonl', items: [{ count: 1 }] }),
  (_, reply) => reply(200, { type: 'text/event-stream', items: [{ id: '1', data: { count: 1 } }] }),
  // @ts-expect-error an event has data
  (_, reply) => reply(200, { type: 'text/event-stream', items: stocks }),
  // @ts-expect-error the count is a number
  (_, reply) => reply(200, { type: 'application/jsonl', items: [{ count: 'x' }] }),
  // @ts-expect-error an undeclared property
  (_, reply) => reply(200, { type: 'application/jsonl', items: [{ count: 1, more: 1 }] }),
  // @ts-expect-error what is writeOnly is never sent
  (_, reply) => reply(200, { type: 'text/event-stream', items: [{ secret: '1', data: { count: 1 } }] }),
  // @ts-expect-error items have no text
  (_, reply) => reply(200, { type: 'application/jsonl', body: '{}' }),
  // @ts-expect-error of several media types one is named
  (_, reply) => reply(200, { items: [{ count: 1 }] }),
];

declare const use: (...values: unknown[]) => void;

export const addAlbum: Handler<'addAlbum'> = async ({ body, files }, reply) => {
  const title: string = body.title;
  const year: number = body.year;
  const x: number | undefined = body.position?.x;
  // @ts-expect-error files are not in the body
  use(title, year, x, body.photos);
  for await (const file of files) {
    const name: 'photos' | 'cover' = file.name;
    const stream: Readable = file.stream;
    // @ts-expect-error a property that is no file
    if (file.name === 'title') continue;
    // @ts-expect-error the size of what has not been read is not known
    use(name, stream, file.size);
  }
  return reply(204);
};

export const addScan: Handler<'addScan'> = ({ body, files }, reply) => {
  const [first]: readonly SpooledFile<'scan'>[] = files;
  const size: number | undefined = first?.size;
  use(size, body !== undefined && 'url' in body && body.url);
  return reply(204);
};

export const addNote: Handler<'addNote'> = (input, reply) => {
  const text: string | undefined = input.body.text;
  // @ts-expect-error a body without files
  use(text, input.files);
  return reply(204);
};

/** What a body of items is iterated as. */
const first = async <T>(items: AsyncIterable<T>): Promise<T | undefined> => {
  for await (const item of items) return item;
  return undefined;
};

export const importStocks: Handler<'importStocks'> = async ({ body }, reply) => {
  const item = await first<{ count: number } | { name: string; size: string }>(body);
  // @ts-expect-error the count is a number
  await first<{ count: string } | { name: string; size: string }>(body);
  return item === undefined ? reply(204) : reply(204);
};

export const replaceStocks: Handler<'replaceStocks'> = async ({ body }, reply) => {
  // @ts-expect-error an optional body may be absent
  await first(body);
  for await (const item of body ?? []) {
    const named: string = item.name;
    // A default makes a property present.
    const size: string = item.size;
    // @ts-expect-error what is readOnly is not in a request
    const id: unknown = item.id;
    // @ts-expect-error an undeclared property
    const more: unknown = item.more;
    if ([named, size, id, more].length === 0) return reply(204);
  }
  // @ts-expect-error the items are not all there
  if (body?.length === 0) return reply(204);
  return reply(204);
};
