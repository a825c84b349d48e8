/** Bodies that a handler gets as a stream (`x-stream`): bounds, content codings, cut off, refused and slow ones. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createRequestHandler } from '@specwright/server';
import { createTestLog, scaleTimeout, until, withApp } from 'specwright/testing';
import { headOf, rawClient } from '../support/raw-client.ts';
import { loadContractOf, serve } from '../support/serve.ts';

const LIMIT = 300_000;
const TIMEOUT_MS = scaleTimeout(400);
const OBJECT = 'content: { application/json: { schema: { type: object } } }';
const OK = `responses: { '200': { description: ok, ${OBJECT} }, '503': { description: later, ${OBJECT} } }`;
const STREAM = 'x-stream: true, schema: { type: string, format: binary }';
const YAML = `paths:
  /files: { post: { operationId: upload, x-body-limit: ${LIMIT}, requestBody: { required: true, content: { application/octet-stream: { ${STREAM} } } }, ${OK} } }
  /sized: { post: { operationId: sized, x-body-limit: ${LIMIT}, requestBody: { content: { text/csv: { x-stream: true, schema: { type: string, minLength: 3, maxLength: 10 } } } }, ${OK} } }
`;

type Reply = (status: number, payload: object) => unknown;
type Handler = (input: { body: Readable | undefined }, reply: Reply) => unknown;

async function read(body: Readable | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What the last handler was called with, and what reading its body has thrown. */
let last: { body: Readable | undefined; error?: unknown } | undefined;
let handler: Handler;
const readAll: Handler = async ({ body }, reply) => {
  const bytes = await read(body);
  return reply(200, { body: { length: bytes.length, sha: sha(bytes) } });
};
const run: Handler = async (input, reply) => {
  last = { body: input.body };
  try {
    return await handler(input, reply);
  } catch (error) {
    last.error = error;
    throw error;
  }
};
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const digestOf = (bytes: Uint8Array, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('base64');

const app = withApp(() => serve(YAML, { handlers: { upload: run, sized: run }, requestTimeoutMs: TIMEOUT_MS, metrics: { maxAgeMs: 0 } }));
beforeEach(() => {
  handler = readAll;
  last = undefined;
});

async function post(
  body: Uint8Array | string,
  headers: Record<string, string> = {},
  path = '/files',
): Promise<[number, Record<string, unknown>]> {
  const given = { 'Content-Type': path === '/files' ? 'application/octet-stream' : 'text/csv', ...headers };
  const response = await fetch(app.url + path, { method: 'POST', headers: given, body: body as never });
  return [response.status, (await response.json()) as Record<string, unknown>];
}

const BYTES = Buffer.alloc(LIMIT, 'abcdefg');
const whole = { length: LIMIT, sha: sha(BYTES) };

describe('bytes', () => {
  test('reach the handler up to the limit, and one more is 413 before it is read', async () => {
    expect(await post(BYTES)).toEqual([200, whole]);
    last = undefined;
    expect((await post(Buffer.concat([BYTES, Buffer.of(1)])))[0]).toBe(413);
    expect(last).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync(BYTES)],
    ['deflate', deflateSync(BYTES)],
    ['br', brotliCompressSync(BYTES)],
  ])('are decompressed from %s', async (coding, compressed) => {
    expect(await post(compressed, { 'Content-Encoding': coding })).toEqual([200, whole]);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)(
    'that expand from %s to more than the limit are 413, and the handler gets no more than the limit',
    async (coding, compress) => {
      let length = 0;
      handler = async ({ body }, reply) => {
        for await (const chunk of body ?? []) length += (chunk as Buffer).length;
        return reply(200, { body: {} });
      };
      const [status, { message }] = await post(compress(Buffer.alloc(100 * LIMIT)), { 'Content-Encoding': coding });
      expect([status, message]).toEqual([413, `the body is larger than ${LIMIT} bytes`]);
      expect(length).toBeLessThanOrEqual(LIMIT);
    },
  );

  test('that cannot be decompressed are 400', async () => {
    const compressed = gzipSync(BYTES);
    for (const body of [compressed.subarray(0, compressed.length / 2), Buffer.from('no gzip')])
      expect((await post(body, { 'Content-Encoding': 'gzip' }))[0]).toBe(400);
    expect((await post(BYTES, { 'Content-Encoding': 'zstd' }))[0]).toBe(415);
  });

  test('are as many as the schema allows', async () => {
    expect((await post('abc', {}, '/sized'))[0]).toBe(200);
    expect((await post('ab', {}, '/sized'))[1]).toMatchObject({ status: 400, message: 'body must have at least 3 bytes' });
    expect((await post('a'.repeat(11), {}, '/sized'))[1]).toMatchObject({ status: 413 });
    const chunked = await rawClient(app.url);
    chunked.write(headOf('/sized', { 'Content-Type': 'text/csv', 'Transfer-Encoding': 'chunked' }) + `b\r\n${'a'.repeat(11)}\r\n0\r\n\r\n`);
    expect(await chunked.status()).toBe(413);
  });

  test('are required where the contract requires them', async () => {
    expect((await post(''))[0]).toBe(400);
    const empty = await rawClient(app.url);
    empty.write(`${headOf('/files', { 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`);
    expect(await empty.status()).toBe(400);
    expect((await post('', {}, '/sized'))[0]).toBe(200);
    expect(last?.body).toBeUndefined();
  });

  test('in chunks without a length end the request with 413 at the limit', async () => {
    const client = await rawClient(app.url);
    client.write(headOf('/files', { 'Transfer-Encoding': 'chunked' }));
    for (let i = 0; i < 4; i++) client.write(`19000\r\n${'x'.repeat(0x19000)}\r\n`);
    expect(await client.status()).toBe(413);
  });

  test('of two uploads at once do not mix, and the connection is used again', async () => {
    const client = await rawClient(app.url);
    const [first] = await Promise.all([post(BYTES), post(Buffer.alloc(1000, 'z'))]);
    expect(first).toEqual([200, whole]);
    for (const nth of [1, 2]) {
      client.write(`${headOf('/files', { 'Content-Length': 3 })}abc`);
      expect(await client.status(nth)).toBe(200);
    }
  });
});

describe('Content-Digest', () => {
  test.each([
    ['sha-256', `sha-256=:${digestOf(BYTES)}:`, 200],
    ['sha-512 beside an unknown one', `crc32c=:AAAA:, sha-512=:${digestOf(BYTES, 'sha512')}:`, 200],
    ['only unknown ones', 'md5=:AAAA:', 200],
    ['another digest', `sha-256=:${digestOf(Buffer.of(1))}:`, 400],
    ['one of two that is another', `sha-256=:${digestOf(BYTES)}:, sha-512=:${digestOf(Buffer.of(1), 'sha512')}:`, 400],
    ['one that is too short', 'sha-256=:AAAA:', 400],
    ['one that is no dictionary', `sha-256=${digestOf(BYTES)}`, 400],
  ])('%s', async (_name, field, status) => {
    expect((await post(BYTES, { 'Content-Digest': field }))[0]).toBe(status);
  });

  test('is that of the bytes as they are sent', async () => {
    const compressed = gzipSync(BYTES);
    const headers = { 'Content-Encoding': 'gzip', 'Content-Digest': `sha-256=:${digestOf(compressed)}:` };
    expect((await post(compressed, headers))[0]).toBe(200);
  });
});

describe('a client', () => {
  test('that stops in the middle makes the stream fail with 400', async () => {
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': 10 })}abc`);
    await until(() => last !== undefined);
    client.socket.destroy();
    await until(() => last?.error !== undefined);
    expect(last?.error).toMatchObject({ code: 'invalid_request' });
  });

  test('that stops before the handler reads makes the stream fail with 400', async () => {
    let go: (() => void) | undefined;
    handler = async (input, reply) => {
      await new Promise<void>((resolve) => (go = resolve));
      return readAll(input, reply);
    };
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': 10 })}abc`);
    await until(() => go !== undefined);
    client.socket.destroy();
    await until(() => client.isClosed());
    go?.();
    await until(() => last?.error !== undefined);
    expect(last?.error).toMatchObject({ code: 'invalid_request' });
  });

  test('that stops ends no process whose handler does not read', async () => {
    handler = () => new Promise(() => undefined);
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': 10 })}abc`);
    await until(() => last !== undefined);
    client.socket.destroy();
    await until(() => client.isClosed());
    handler = readAll;
    expect((await post(BYTES))[0]).toBe(200);
  });

  test('that sends what are no chunks is answered 400, and makes the stream fail with it', async () => {
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Transfer-Encoding': 'chunked' })}3\r\nabc\r\n`);
    await until(() => last !== undefined);
    client.write('no chunk');
    expect(await client.status()).toBe(400);
    await until(() => last?.error !== undefined);
    expect(last?.error).toMatchObject({ code: 'invalid_request' });
  });

  test('that takes longer than the deadline is served, as long as the handler waits for it', async () => {
    const client = await rawClient(app.url);
    client.write(headOf('/files', { 'Content-Length': 4 }));
    const began = performance.now();
    for (let sent = 0; sent < 4; sent++) {
      await until(() => performance.now() - began > (sent + 1) * 0.6 * TIMEOUT_MS);
      client.write('x');
    }
    expect(await client.status()).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(2 * TIMEOUT_MS);
  });

  test('holds no slot while the handler waits for it, and gives back all that it had', async () => {
    const metric = async (name: string) =>
      Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]);
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': 4 })}abc`);
    await until(() => last !== undefined);
    // Handlers of earlier tests never end.
    const running = async () => (await metric('http_server_admission_running')) - (await metric('http_server_admission_expired'));
    await until(async () => (await running()) === 0);
    expect(await metric('http_server_body_bytes')).toBeGreaterThan(0);
    client.write('d');
    expect(await client.status()).toBe(200);
    await until(async () => (await metric('http_server_body_bytes')) === 0);
    expect(await running()).toBe(0);
  });

  test('is told to send the body when the handler begins to read', async () => {
    let go: (() => void) | undefined;
    handler = async (input, reply) => {
      await new Promise<void>((resolve) => (go = resolve));
      return readAll(input, reply);
    };
    const client = await rawClient(app.url);
    client.write(headOf('/files', { 'Content-Length': 3, Expect: '100-continue' }));
    await until(() => go !== undefined);
    expect(client.received()).toBe('');
    go?.();
    await until(() => client.received().startsWith('HTTP/1.1 100 Continue'));
    client.write('abc');
    expect(await client.status()).toBe(200);
  });
});

describe('a handler', () => {
  test('that does not read while bytes are there is answered 503 at the deadline', async () => {
    handler = () => new Promise(() => undefined);
    expect((await post(BYTES))[0]).toBe(503);
    await until(() => last?.body?.destroyed === true);
  });

  test('that answers without the body leaves the connection to the next request', async () => {
    handler = (_input, reply) => reply(200, { body: {} });
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': 10 })}abc`);
    expect(await client.status()).toBe(200);
    handler = readAll;
    client.write(`defghij${headOf('/files', { 'Content-Length': 3 })}abc`);
    expect(await client.status(2)).toBe(200);
    expect(client.received()).not.toMatch(/Connection: close/i);
  });

  test('that answers after a part of the body leaves the connection to the next request', async () => {
    handler = async ({ body }, reply) => {
      for await (const chunk of body ?? []) return reply(200, { body: { length: (chunk as Buffer).length } });
      return reply(200, { body: {} });
    };
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Content-Length': LIMIT })}abc`);
    expect(await client.status()).toBe(200);
    handler = readAll;
    client.write(Buffer.alloc(LIMIT - 3));
    client.write(`${headOf('/files', { 'Content-Length': 3 })}abc`);
    expect(await client.status(2)).toBe(200);
  });

  test('that reads slowly makes its client wait', async () => {
    let go: (() => void) | undefined;
    handler = async ({ body }, reply) => {
      let length = 0;
      for await (const chunk of body as Readable) {
        length += (chunk as Buffer).length;
        if (go !== undefined) continue;
        await new Promise<void>((resolve) => (go = resolve));
        expect((body as Readable).readableLength).toBeLessThan(LIMIT / 2);
      }
      return reply(200, { body: { length } });
    };
    const pending = post(BYTES);
    await until(() => go !== undefined);
    go?.();
    expect(await pending).toEqual([200, { length: LIMIT }]);
  });
});

describe('HTTP/2', () => {
  const h2 = withApp(async () => {
    const handle = createRequestHandler({
      contract: await loadContractOf(YAML),
      handlers: { upload: run, sized: run },
      security: {},
      log: createTestLog(),
    });
    const server = createHttp2Server(handle as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const close = () => {
      session.destroy();
      server.close();
    };
    return { session, close };
  });
  const open = (more = {}) =>
    h2.session.request({ ':method': 'POST', ':path': '/files', 'content-type': 'application/octet-stream', ...more });

  test('bodies are streams too, with the same limit', async () => {
    for (const [bytes, status] of [
      [BYTES, 200],
      [Buffer.concat([BYTES, BYTES]), 413],
    ] as const) {
      const stream = open();
      stream.on('error', () => undefined).end(bytes);
      const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
      stream.resume();
      expect(headers[':status']).toBe(status);
    }
  });

  test('one that is shorter than its Content-Length makes the stream fail', async () => {
    const stream = open({ 'content-length': 10 });
    stream.on('error', () => undefined).write('abc');
    await until(() => last !== undefined);
    stream.close(8);
    await until(() => last?.error !== undefined);
    expect(last?.error).toMatchObject({ code: 'invalid_request' });
  });
});

describe('an Idempotency-Key', () => {
  const KEYED = `paths:
  /files:
    post:
      operationId: upload
      parameters:
        - { name: Idempotency-Key, in: header, schema: { type: string } }
        - { name: Content-Digest, in: header, required: true, schema: { type: string } }
      requestBody: { required: true, content: { application/octet-stream: { ${STREAM} } } }
      ${OK}
`;
  const fingerprints: string[] = [];
  const store = {
    run: async ({ fingerprint }: { fingerprint: Buffer }, work: (db: unknown) => Promise<unknown>) => {
      fingerprints.push(fingerprint.toString('hex'));
      return { response: await work(undefined), isReplay: false };
    },
  };
  const keyed = withApp(() => serve(KEYED, { handlers: { upload: run }, idempotency: store as never }));
  const send = async (text: string, digest: string) => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': 'a', 'Content-Digest': digest };
    return (await fetch(`${keyed.url}/files`, { method: 'POST', headers, body: text })).status;
  };
  const of = (text: string) => `sha-256=:${digestOf(Buffer.from(text))}:`;

  test('tells retries by the digest of a streamed body, which is verified', async () => {
    for (const text of ['a', 'b', 'a']) expect(await send(text, of(text))).toBe(200);
    const [first, second, third] = fingerprints;
    expect([first === second, first === third]).toEqual([false, true]);
    expect(await send('b', of('a'))).toBe(400);
  });

  test('needs a digest that can be verified', async () => {
    expect(await send('a', 'md5=:AAAA:')).toBe(400);
  });
});

test('a body that is read whole is verified before it is validated', async () => {
  const json = await serve(
    `paths:\n  /a: { post: { operationId: json, requestBody: { content: { application/json: { schema: { type: string } } } }, ${OK} } }\n`,
    { handlers: { json: (_input: unknown, reply: Reply) => reply(200, { body: {} }) } },
  );
  const send = async (body: string | undefined, digest: string, length = 1) => {
    const client = await rawClient(json.url);
    const head = headOf('/a', {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body ?? ''),
      'Content-Digest': digest,
    });
    client.write(head + (body ?? '').slice(0, length));
    if (body !== undefined && body.length > length) setImmediate(() => client.write(body.slice(length)));
    const status = await client.status();
    client.socket.destroy();
    return [status, /"message":"([^"]*)/.exec(client.received())?.[1]];
  };
  const of = (text: string) => `sha-256=:${digestOf(Buffer.from(text))}:`;
  for (const length of [1, 100]) {
    expect(await send('"ab"', of('"ab"'), length)).toEqual([200, undefined]);
    expect(await send('{"a":1}', of('"ab"'), length)).toEqual([400, 'body does not have the sha-256 of header/Content-Digest']);
  }
  expect(await send(undefined, of(''))).toEqual([200, undefined]);
  expect((await send(undefined, of('a')))[0]).toBe(400);
  await json.close();
});
