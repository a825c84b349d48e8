/** This server, with uploads, a download and events, whose handlers do nothing with the bytes. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createServer as create, loadContract } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';
import { createTicks, EVENT, GIB, zeros } from './support.ts';

const FILE = { type: 'string', format: 'binary' };
const EVENTS = {
  'text/event-stream': { 'x-item-schema': { type: 'object', required: ['data'], properties: { data: { type: 'object' } } } },
};
const REQUEST_ID = { headers: { 'X-Request-Id': { schema: { type: 'string' } } } };
const ok = (content?: object) => ({ 200: { description: 'ok', ...REQUEST_ID, ...(content && { content }) } });
const form = (more: object) => ({
  content: {
    'multipart/form-data': {
      ...more,
      schema: { type: 'object', required: ['file'], properties: { name: { type: 'string' }, file: FILE } },
    },
  },
});
const JSON_BODY = { 'application/json': { schema: { type: 'object', properties: { pong: { type: 'boolean' } } } } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Bodies', version: '1' },
  paths: {
    '/form': { post: { operationId: 'form', 'x-body-limit': 4 * GIB, requestBody: form({ 'x-multipart': 'stream' }), responses: ok() } },
    '/spooled': {
      post: { operationId: 'spooled', 'x-body-limit': 4 * GIB, requestBody: form({}), responses: ok() },
    },
    '/bytes': {
      put: {
        operationId: 'putBytes',
        'x-body-limit': 4 * GIB,
        requestBody: { content: { 'application/octet-stream': { 'x-stream': true, schema: FILE } } },
        responses: ok(),
      },
      get: { operationId: 'getBytes', responses: ok({ 'application/octet-stream': { schema: FILE } }) },
    },
    '/events': { get: { operationId: 'listen', responses: ok(EVENTS) } },
    '/ticks': { post: { operationId: 'tick', responses: ok() } },
    '/ping': { get: { operationId: 'ping', responses: ok(JSON_BODY) } },
  },
};

type Reply = (status: number, payload?: object) => unknown;
interface Input {
  readonly body: Readable;
  readonly files: AsyncIterable<{ readonly stream: Readable }>;
}

async function drain(stream: Readable): Promise<void> {
  stream.resume();
  await once(stream, 'end');
}

async function drainFiles({ files }: Input, reply: Reply): Promise<unknown> {
  for await (const { stream } of files) await drain(stream);
  return reply(200);
}

export async function createServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
  const file = join(folder, 'openapi.json');
  const text = JSON.stringify(DOCUMENT);
  writeFileSync(file, text);
  const { digest, document } = parseSource(file, text);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  rmSync(folder, { recursive: true });
  const ticks = createTicks();
  const handlers = {
    form: drainFiles,
    spooled: drainFiles,
    putBytes: async ({ body }: Input, reply: Reply) => {
      await drain(body);
      return reply(200);
    },
    getBytes: (_: Input, reply: Reply) => reply(200, { stream: zeros(), length: 2 * GIB }),
    listen: (_: Input, reply: Reply) => reply(200, { items: events() }),
    tick: (_: Input, reply: Reply) => {
      ticks.next();
      return reply(200);
    },
    ping: (_: Input, reply: Reply) => reply(200, { body: { pong: true } }),
  };
  async function* events() {
    for (;;) {
      await ticks.wait();
      yield { data: EVENT };
    }
  }
  const ignore = () => undefined;
  const log = { info: ignore, warn: ignore, error: ignore, child: () => log, isLevelEnabled: () => false };
  return create({
    contract,
    handlers: handlers as never,
    security: {} as never,
    log,
    streams: { total: 50_000, perCaller: 50_000 },
    requestTimeoutMs: 600_000,
  });
}
