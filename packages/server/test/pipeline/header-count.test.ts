/** No header field is dropped in silence: a request with too many is refused, in this server and in a host's. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bearer, createRequestHandler, HandlerResponse, type PlanTable } from '@specwright/server';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { optionsOf, serve } from '../support/serve.ts';

/** What a request may have. */
const MAX = 500;

const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: 1000, day: 1000 } }
  address: { minute: 1000, day: 1000 }
paths:
  /things/1:
    get:
      operationId: getThing
      security: [{ key: [] }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
    delete:
      operationId: deleteThing
      parameters: [{ name: If-Match, in: header, schema: { type: string } }]
      responses: { '204': { description: ok } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

let deleted: (string | undefined)[];
beforeEach(() => {
  deleted = [];
});
const options = {
  handlers: {
    getThing: () => HandlerResponse.reply(200, { body: {} }),
    deleteThing: ({ headers }: { headers: { 'If-Match'?: string } }) => {
      deleted.push(headers['If-Match']);
      return HandlerResponse.reply(204);
    },
  },
  security: { key: bearer(async (token: string) => token) } as never,
  rateLimit: {
    subject: (caller: unknown, { plans }: PlanTable) => ({ bucket: String(caller), quota: plans['Free'] as never, key: undefined }),
    trustProxy: { header: 'x-forwarded-for', hops: 1 } as never,
  },
};

const app = withApp(() => serve(YAML, options));
const host = (prepare: (server: Server) => void) =>
  withApp(async () => {
    const server = createHttpServer(createRequestHandler((await optionsOf(YAML, options)) as never));
    prepare(server);
    return listenOnFreePort(server);
  });
const mounted = host(() => undefined);
const strict = host((server) => (server.maxHeadersCount = 20));
const unbounded = host((server) => (server.maxHeadersCount = 0));

/** Sends a request with this many fields, `last` after all others. @returns the head of the response. */
const send = (server: { readonly server: Server }, line: string, count: number, last: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const fields = ['Host: a', 'Connection: close', ...Array.from({ length: count - 3 }, (_, i) => `X${i}: a`), last];
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`),
    );
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('close', () => resolve(text)).on('error', reject);
  });

const DELETE = 'DELETE /things/1';

describe.each([
  ['this server', app, MAX],
  ['a server of node:http', mounted, MAX],
  ['one without a bound', unbounded, MAX],
  ['one that keeps 20 fields', strict, 19],
] as const)('%s', (_, server, max) => {
  test('reads the last field of as many as a request may have', async () => {
    expect(await send(server, DELETE, max, 'If-Match: "nope"')).toMatch(/^HTTP\/1\.1 204 /);
    expect(deleted).toEqual(['"nope"']);
    expect(await send(server, 'GET /things/1', max, 'Authorization: Bearer a')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([max + 1, 1000, 1001, 1100])('refuses %i fields with 431, and calls no handler', async (count) => {
    for (const line of [DELETE, 'GET /things/1', 'GET /nothing', 'OPTIONS /things/1']) {
      const answer = await send(server, line, count, 'If-Match: "nope"');
      expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/);
    }
    expect(deleted).toEqual([]);
  });
});

test('what is refused counts for the client that a late X-Forwarded-For names', async () => {
  const remaining = async (address: string) => {
    const answer = await send(app, 'GET /nothing', 1100, `X-Forwarded-For: ${address}`);
    return /X-RateLimit-Remaining: (\d+)/.exec(answer)?.[1];
  };
  expect([await remaining('192.0.2.1'), await remaining('192.0.2.1'), await remaining('192.0.2.2')]).toEqual(['999', '998', '999']);
});
