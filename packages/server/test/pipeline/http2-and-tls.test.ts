/** The handler behind HTTP/2 without TLS, and a server with TLS. */
import { readFileSync } from 'node:fs';
import {
  connect,
  createServer as createHttp2Server,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bearer, close, createRequestHandler, createServer, HandlerResponse, listen } from '@specwright/server';
import { createTestLog } from 'specwright/testing';
import { loadContractOf } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    get:
      operationId: getThing
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, headers: { Link: { schema: { type: string } } }, content: { application/json: { schema: { type: string } } } }
        default: { description: error, content: { application/json: { schema: {} } } }
    put:
      operationId: putThing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } }, default: { description: error, content: { application/json: { schema: {} } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;
const options = async () =>
  ({
    contract: await loadContractOf(YAML),
    handlers: {
      getThing: ({ path: { id } }: { path: { id: number } }) =>
        HandlerResponse.reply(200, { headers: { Link: '</things/2>; rel="next"' }, body: 'x'.repeat(id) }),
      putThing: ({ body }: { body: unknown }) => HandlerResponse.reply(200, { body }),
    },
    security: { key: bearer(async (token: string) => (token === 'good' ? token : undefined)) },
    compression: true,
    log: createTestLog(),
  }) as never;

describe('over HTTP/2 without TLS', () => {
  let server: ReturnType<typeof createHttp2Server>;
  let handler: ReturnType<typeof createRequestHandler>;
  let client: ClientHttp2Session;
  beforeAll(async () => {
    handler = createRequestHandler(await options());
    server = createHttp2Server({}, handler);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    client = connect(`http://localhost:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await handler.close();
    await new Promise<void>((resolve) => client.close(resolve));
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  const ask = (fields: OutgoingHttpHeaders, body?: string | Buffer): Promise<{ headers: IncomingHttpHeaders; text: string }> =>
    new Promise((resolve, reject) => {
      const stream = client.request({ ':path': '/things/1', authorization: 'Bearer good', ...fields }, { endStream: body === undefined });
      let headers: IncomingHttpHeaders = {};
      let text = '';
      stream.setEncoding('utf8');
      stream.on('response', (received) => (headers = received));
      stream.on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => resolve({ headers, text })).on('error', reject);
      if (body !== undefined) stream.end(body);
    });

  test.each<[what: string, fields: OutgoingHttpHeaders, status: number, text: RegExp, body?: string]>([
    ['a valid request', {}, 200, /^"x"$/],
    ['an invalid one', { ':path': '/things/x' }, 400, /path\/id must be integer/],
    ['unknown credentials', { authorization: 'Bearer bad' }, 401, /unauthorized/],
    ['an unknown path', { ':path': '/none' }, 404, /there is no \/none/],
    ['another method', { ':method': 'DELETE' }, 405, /only GET, PUT/],
    ['a body', { ':method': 'PUT', 'content-type': 'application/json' }, 200, /^{"a":1}$/, '{"a":1}'],
    ['a body that is not JSON', { ':method': 'PUT', 'content-type': 'application/json' }, 400, /invalid_json/, '{'],
    ['a body that is too large', { ':method': 'PUT', 'content-type': 'application/json' }, 413, /body_too_large/, 'x'.repeat(3_000_000)],
    ['HEAD', { ':method': 'HEAD' }, 200, /^$/],
    ['OPTIONS', { ':method': 'OPTIONS' }, 204, /^$/],
  ])('answers %s', async (_, fields, status, text, ...[body]) => {
    const answer = await ask(fields, body);
    expect([answer.headers[':status'], answer.text]).toEqual([status, expect.stringMatching(text)]);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) });
  });

  test('compresses, and serves many streams of a connection at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ask({ ':path': `/things/${2000 + i}`, 'accept-encoding': 'br' })),
    );
    expect(new Set(answers.map(({ headers }) => `${String(headers[':status'])} ${String(headers['content-encoding'])}`))).toEqual(
      new Set(['200 br']),
    );
  });
});

describe('with TLS', () => {
  const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

  test('the server is the same, by HTTPS', async () => {
    const server = createServer({ ...((await options()) as object), tls: { cert: read('cert'), key: read('key') } } as never);
    const port = await listen(server, 0, '127.0.0.1');
    try {
      const status = await new Promise((resolve, reject) => {
        const headers = { Authorization: 'Bearer good' };
        httpsRequest({ port, host: '127.0.0.1', path: '/things/1', ca: read('cert'), headers }, (response) =>
          resolve(response.resume().statusCode),
        )
          .on('error', reject)
          .end();
      });
      expect(status).toBe(200);
      // What is no TLS ends, without an answer.
      await expect(fetch(`http://127.0.0.1:${port}/things/1`)).rejects.toThrow('fetch failed');
    } finally {
      await close(server, 1000);
    }
  });
});
