/** What a handler returns after its client has left is closed over HTTP/2 too, whose responses do not say that they are destroyed. */
import { connect, constants, createServer, type ClientHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createRequestHandler, HandlerResponse, type Context } from '@specwright/server';
import { until, withFixture, type LogLine } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const YAML = `paths:
  /bytes: { get: { operationId: bytes, responses: { '200': { description: ok, content: { application/octet-stream: {} } } } } }
  /items: { get: { operationId: items, responses: { '200': { description: ok, content: { application/jsonl: { x-item-schema: { type: object } } } } } } }
`;
type Answer = (input: unknown, reply: unknown, context: Context<never, never, unknown>) => Promise<object>;
let source: Readable | undefined;
let calls = 0;
let isLate = true;
const answerWith =
  (name: 'stream' | 'items'): Answer =>
  async (_, __, { signal }) => {
    calls++;
    if (isLate) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    source = new Readable({ objectMode: true, read: () => undefined });
    source.push(name === 'stream' ? Buffer.from('abc') : {});
    return HandlerResponse.reply(200, { [name]: source });
  };
const lines: LogLine[] = [];
const app = withFixture(
  async () => {
    const handler = createRequestHandler(
      await optionsOf(YAML, { handlers: { bytes: answerWith('stream'), items: answerWith('items') } }, lines),
    );
    const server = createServer({}, handler);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const client = connect(`http://localhost:${(server.address() as AddressInfo).port}`);
    const close = async () => {
      await handler.close();
      await new Promise<void>((resolve) => client.close(resolve));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { client, close };
  },
  ({ close }) => close(),
);

const ask = (path: string): ClientHttp2Stream => app.client.request({ ':path': path }).on('error', () => undefined);

test.each(['/bytes', '/items'])('%s: late, and while it is sent', async (path) => {
  for (const late of [true, false]) {
    isLate = late;
    source = undefined;
    const before = calls;
    const asked = ask(path);
    const answered = new Promise((resolve) => asked.once('response', resolve));
    await until(() => calls > before);
    if (!late) await answered;
    asked.close(constants.NGHTTP2_CANCEL);
    await until(() => source?.destroyed === true);
  }
  expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
});
