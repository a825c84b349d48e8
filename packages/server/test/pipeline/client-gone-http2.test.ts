/** A stream of HTTP/2 that is reset before or within its body: what has come of it is never taken for a whole body. */
import { createServer } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bearer, createRequestHandler, HandlerResponse } from '@specwright/server';
import { until, withFixture, type LogLine } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const upload = (id: string, content: string) =>
  `  /${id}: { post: { operationId: ${id}, security: [{ key: [] }], requestBody: { content: { ${content} } }, responses: { '204': { description: ok } } } }\n`;
const YAML = `paths:
${upload('text', 'text/plain: { schema: { type: string } }')}${upload('stream', 'application/octet-stream: { x-stream: true }')}${upload('items', 'application/jsonl: { x-item-schema: { type: object } }')}${upload('files', 'multipart/form-data: { schema: { type: object, properties: { file: { type: string, format: binary } } } }')}components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;
/** What the handlers have read, and how it ended. */
let ends: string[] = [];
const take = () => {
  ends.push('whole');
  return HandlerResponse.reply(204);
};
const read = async ({ body }: { body?: AsyncIterable<unknown> }) => {
  try {
    for await (const part of body ?? []) ends.push(typeof part);
    ends.push('whole');
  } catch (error) {
    ends.push('failed');
    throw error;
  }
  return HandlerResponse.reply(204);
};

const lines: LogLine[] = [];
let calls = 0;
let authenticated: Promise<void> | undefined;
const authenticate = async () => {
  calls++;
  await authenticated;
  return 'me';
};
const app = withFixture(
  async () => {
    const handlers = { text: take, files: take, stream: read, items: read };
    const handler = createRequestHandler(await optionsOf(YAML, { handlers, security: { key: bearer(authenticate) } }, lines));
    const server = createServer({}, handler);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const close = async () => {
      await handler.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { port: (server.address() as AddressInfo).port, close };
  },
  ({ close }) => close(),
);

// Frames by hand (RFC 9113, section 6): a client of Node's ends the body of a stream that it resets.
const [DATA, HEADERS, RST_STREAM, SETTINGS] = [0, 1, 3, 4];
const END_HEADERS = 4;
const NOTHING = Buffer.alloc(0);
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
/** Without a table and without Huffman codes (RFC 7541, section 6.2.2). */
const field = ([name, value]: readonly [string, string]) =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

const sockets: Socket[] = [];

/** Begins a request, and the body of it. @returns what resets its stream, or ends its connection. */
async function begin(path: string, type: string, length: number | undefined, body: string) {
  const socket = connect(app.port);
  sockets.push(socket);
  socket.resume().on('error', () => undefined);
  const fields = [
    ...Object.entries({ ':method': 'POST', ':path': `/${path}`, ':scheme': 'http', ':authority': 'a', authorization: 'Bearer x' }),
    ['content-type', type] as const,
    ...(length === undefined ? [] : [['content-length', String(length)] as const]),
  ];
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(SETTINGS, 0, 0, NOTHING));
  socket.write(frame(HEADERS, END_HEADERS, 1, Buffer.concat(fields.map(field))));
  socket.write(frame(DATA, 0, 1, Buffer.from(body)));
  const before = calls;
  await until(() => calls > before);
  return {
    reset: (code: number) => socket.write(frame(RST_STREAM, 0, 1, Buffer.from([0, 0, 0, code]))),
    end: () => void socket.destroy(),
  };
}

afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
beforeEach(() => {
  ends = [];
  lines.length = 0;
  authenticated = undefined;
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 30));
/** What became of it: one line, and no whole body. */
async function expectGone(path: string): Promise<void> {
  await until(() => lines.length > 0);
  await settle();
  expect(lines).toMatchObject([{ level: 'info', message: 'the client went away', operation: path }]);
  expect(ends).not.toContain('whole');
}

const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nabc';
const BODIES = [
  ['text', 'text/plain', 'abc'],
  ['stream', 'application/octet-stream', 'abc'],
  ['items', 'application/jsonl', '{}\n'],
  ['files', 'multipart/form-data; boundary=b', FORM],
] as const;
const WAYS = [
  ['CANCEL', 8],
  ['NO_ERROR', 0],
  ['the end of the connection', undefined],
] as const;

describe.each(WAYS)('by %s', (_, code) => {
  describe.each([undefined, 1000])('with Content-Length %p', (length) => {
    const leave = (client: Awaited<ReturnType<typeof begin>>) => (code === undefined ? client.end() : client.reset(code));

    test.each(BODIES)('%s, before the body is read', async (path, type, body) => {
      let authenticatedNow: () => void = () => undefined;
      authenticated = new Promise((resolve) => (authenticatedNow = resolve));
      leave(await begin(path, type, length, body));
      await until(() => lines.length > 0);
      authenticatedNow();
      await expectGone(path);
    });

    test.each(BODIES)('%s, while it is read', async (path, type, body) => {
      const client = await begin(path, type, length, body);
      await settle();
      leave(client);
      await expectGone(path);
    });
  });
});
