/** `Accept` of HTTP/2, whose requests have none of Express's methods: an operation that declares 406 refuses and answers as in HTTP/1. */
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createRequestHandler, HandlerResponse } from '@specwright/server';
import { optionsOf } from '../support/serve.ts';

const YAML = `paths:
  /things:
    get:
      operationId: read
      responses:
        '200': { description: a thing, content: { application/json: { schema: { type: object } } } }
        '406': { description: no such type, content: { application/json: { schema: { type: object } } } }
`;

test.each([
  ['application/json', 200],
  ['text/html, */*;q=0.1', 200],
  ['application/*', 200],
  ['text/html', 406],
  ['application/json;q=0', 406],
])('%s is %i', async (accept, status) => {
  const handler = createRequestHandler(await optionsOf(YAML, { handlers: { read: () => HandlerResponse.reply(200, { body: {} }) } }));
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const client = connect(`http://localhost:${(server.address() as AddressInfo).port}`);
  const request = client.request({ ':path': '/things', accept });
  const headers = await new Promise<{ ':status'?: number }>((resolve) => request.once('response', resolve));
  request.close();
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  await handler.close();
  expect(headers[':status']).toBe(status);
});
