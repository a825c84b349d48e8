/** Requests with streams: uploads with an Idempotency-Key that are sent again until they are answered, items, and late downloads. */
import { createHash, randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Database } from '@specwright/postgres';
import { parseJson, type HttpAnswer, type HttpClient } from './client.ts';
import { REQUEST_TIMEOUT_MS } from './service.ts';
import { DOWNLOAD_BYTES } from './streams.ts';

export type StreamDraw =
  /** @property parts how many the body is sent in, with a pause before each in ms. @property leave of the first attempt. */
  | { readonly kind: 'copy' | 'lines'; readonly size: number; readonly parts: number; readonly pause: number; readonly leave: number }
  /** @property first when the first item comes, in ms; -1: never. @property leave after so many ms; 0: reads to the end. */
  | {
      readonly kind: 'items';
      readonly of: 'async' | 'sync' | 'late';
      readonly first: number;
      readonly count: number;
      readonly leave: number;
    }
  | { readonly kind: 'download'; readonly wait: number; readonly leave: number };

const LATE_MS = REQUEST_TIMEOUT_MS + 150;

const uploads = fc.record({
  kind: fc.constantFrom('copy' as const, 'lines' as const),
  size: fc.integer({ min: 1, max: 40 }),
  parts: fc.integer({ min: 1, max: 3 }),
  pause: fc.constantFrom(0, 0, 5, 20),
  leave: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) }),
});
const items = fc.record({
  kind: fc.constant('items' as const),
  of: fc.constantFrom(...(['async', 'async', 'async', 'async', 'sync', 'sync', 'late'] as const)),
  first: fc.constantFrom(0, 3, 3, 40, 40, -1, -1, -1, LATE_MS),
  count: fc.constantFrom(0, 3, 40, 100_000),
  leave: fc.constantFrom(0, 4, 15, 60),
});
const downloads = fc.record({
  kind: fc.constant('download' as const),
  wait: fc.constantFrom(0, 0, LATE_MS),
  leave: fc.constantFrom(0, 0, 4),
});

/** What a run is made of: requests of the store alone, with uploads, with streams of items and downloads, or all. */
export const PARTS = ['all', 'store', 'uploads', 'items'] as const;
export type Part = (typeof PARTS)[number];

const none = fc.constant<StreamDraw[]>([]);
const someUploads = fc.array<StreamDraw>(uploads, { maxLength: 3, size: 'max' });
const someItems = fc.array<StreamDraw>(fc.oneof({ weight: 3, arbitrary: items }, { weight: 1, arbitrary: downloads }), {
  maxLength: 3,
  size: 'max',
});

/** The streams of a batch. */
export const streamDraws: Readonly<Record<Part, fc.Arbitrary<StreamDraw[]>>> = {
  all: fc.oneof(none, none, someUploads, someUploads, someItems, fc.array<StreamDraw>(fc.oneof(uploads, items), { maxLength: 3 })),
  store: none,
  uploads: someUploads,
  items: someItems,
};

export interface StreamContext {
  readonly url: () => string;
  readonly client: HttpClient;
  readonly db: Database;
  readonly problem: (text: string) => void;
  /** Streams that go on when the batch has ended: those without an end. */
  readonly open: Set<OpenItems>;
}

/** Items that a client reads. */
export interface OpenItems {
  readonly leave: () => void;
  readonly ended: Promise<void>;
}

const MAX_ATTEMPTS = 8;

async function upload(draw: StreamDraw & { kind: 'copy' | 'lines' }, { url, client, db, problem }: StreamContext): Promise<void> {
  const tag = randomUUID();
  const isCopy = draw.kind === 'copy';
  const amount = isCopy ? draw.size * 1500 : draw.size;
  const lines = Array.from({ length: draw.size }, (_, n) => `{"n":${n}}\n`);
  const body = isCopy ? Buffer.alloc(amount, 'abcd') : Buffer.from(lines.join(''));
  const partSize = Math.ceil(body.length / draw.parts);
  const parts = Array.from({ length: draw.parts }, (_, n) => ({
    bytes: body.subarray(n * partSize, (n + 1) * partSize),
    pause: draw.pause,
  }));
  const headers = {
    'content-type': isCopy ? 'application/octet-stream' : 'application/jsonl',
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    'idempotency-key': tag,
  };
  const path = isCopy ? `/copies/${tag}` : `/lines/${tag}`;
  let answer: HttpAnswer | undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const leave = attempt === 1 ? draw.leave : 0;
    // One that leaves in the middle of its body sends half of it; others leave when they have sent all or a part.
    answer = await client.send({ url: url() + path, method: 'POST', headers, ...(leave === 1 ? { body } : { parts }), leave });
    const code = (answer && (parseJson(answer.body) as { code?: string } | undefined))?.code;
    const isAgain = answer === undefined || answer.status === 503 || (answer.status === 409 && code === 'idempotency_key_in_use');
    if (answer?.status === 503 && answer.headers['retry-after'] === undefined) problem(`${path} answered 503 without Retry-After`);
    if (!isAgain) break;
    await sleep(20 * attempt);
  }
  const rows = await db('model_rows').where({ tag }).select<{ part: number; bytes: number }[]>('part', 'bytes').orderBy('part');
  const stored = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const isWhole = stored === amount && rows.length === (isCopy ? 1 : draw.size);
  const found = `${rows.length} rows with ${stored} of ${amount} ${isCopy ? 'bytes' : 'lines'}`;
  if (answer?.status === 201) {
    const { bytes } = parseJson(answer.body) as { bytes: number };
    if (bytes !== amount || !isWhole) problem(`${path} was answered 201 with ${bytes}: ${found}`);
  } else if (answer !== undefined && answer.status !== 503)
    problem(`${path} was answered ${answer.status} ${answer.body.toString()}: ${found}`);
  else if (rows.length > 0 && !isWhole) problem(`${path} was not answered, and had a part of its effect: ${found}`);
}

/** Opens the items. @returns when they have ended, or at once if they have no end: then the context has them. */
async function readItems(draw: StreamDraw & { kind: 'items' }, { url, problem, open }: StreamContext): Promise<void> {
  const query = `kind=${draw.of}&first=${draw.of === 'late' ? LATE_MS : draw.first}&count=${draw.count}`;
  let next = 0;
  const request = get(`${url()}/items?${query}`, { agent: false, headers: { accept: 'text/event-stream' } });
  const ended = new Promise<void>((resolve) => {
    request.on('error', () => undefined).on('close', resolve);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', () => undefined);
      const { statusCode = 0 } = response;
      if (statusCode !== 200 && statusCode !== 503) problem(`/items?${query} was answered ${statusCode}`);
      if (statusCode === 503 && response.headers['retry-after'] === undefined)
        problem(`/items?${query} was answered 503 without Retry-After`);
      response.on('data', (chunk: string) => {
        if (statusCode !== 200) return;
        text += chunk;
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const n = /^data: \{"n":(\d+)/m.exec(text.slice(0, end))?.[1];
          if (n !== undefined && Number(n) !== next++) problem(`/items?${query}: item ${n} where ${next - 1} was expected`);
          text = text.slice(end + 2);
        }
      });
    });
  });
  const leave = () => void request.destroy();
  if (draw.leave > 0) void sleep(draw.leave).then(leave);
  const items = { leave, ended };
  open.add(items);
  void ended.then(() => open.delete(items));
  const isEndless = draw.leave === 0 && (draw.first === -1 || draw.count > 1000) && draw.of !== 'late';
  if (!isEndless) await ended;
}

async function download(draw: StreamDraw & { kind: 'download' }, { url, client, problem }: StreamContext): Promise<void> {
  const answer = await client.send({ url: `${url()}/downloads?wait=${draw.wait}`, method: 'GET', leave: draw.leave });
  if (answer === undefined || answer.status === 503) return;
  if (answer.status !== 200 || answer.body.length !== DOWNLOAD_BYTES)
    problem(`/downloads was answered ${answer.status} with ${answer.body.length} bytes`);
}

export function sendStream(draw: StreamDraw, context: StreamContext): Promise<void> {
  if (draw.kind === 'items') return readItems(draw, context);
  if (draw.kind === 'download') return download(draw, context);
  return upload({ ...draw, kind: draw.kind }, context);
}
