/** Tools of a handler that is mounted in an application: their calls are requests of the application's URLs, and have large bodies. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import express from 'express';
import { createRequestHandler, HandlerResponse } from '@specwright/server';
import { mcp } from '@specwright/server/mcp';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const CONTRACT = `paths:
  /texts:
    post:
      operationId: add
      x-mcp: { description: Adds. }
      x-body-limit: 6000000
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        '200':
          description: what was seen
          headers: { Location: { schema: { type: string } } }
          content: { application/json: { schema: { type: object } } }
`;

const seen: object[] = [];
const app = withApp(async () => {
  const application = express();
  const options = await optionsOf(CONTRACT, {
    handlers: {
      add: ({ body: { text } }: { body: { text: string } }) =>
        HandlerResponse.reply(200, { body: { length: text.length }, headers: { Location: '/texts/1' } }),
    },
    use: [({ baseUrl, originalUrl, url }, _response, next) => (seen.push({ baseUrl, originalUrl, url }), next())],
    mcp: mcp(),
  });
  const api = createRequestHandler(options);
  application.use('/v1', api);
  application.use('/v2/:name', api);
  return listenOnFreePort(createServer(application));
});

const call = async (mount: string, text: string) => {
  const response = await fetch(`${app.url}${mount}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { body: { text } } } }),
  });
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
  return { status: response.status, ...(data !== '' && (JSON.parse(data) as { result: { content: object[] } })) };
};

test.each(['/v1', '/v2/a%20b'])('middleware sees the URLs of a call below %s, as those of any request', async (mount) => {
  seen.length = 0;
  expect(await call(mount, 'abc')).toMatchObject({
    result: { content: [{ text: '{"length":3}' }, { text: `Location: ${mount}/texts/1` }] },
  });
  expect(seen).toEqual(['/mcp', '/texts'].map((url) => ({ baseUrl: mount, originalUrl: mount + url, url })));
});

test('a message may be as large as the bodies of its operations', async () => {
  expect(await call('/v1', 'x'.repeat(5_000_000))).toMatchObject({
    status: 200,
    result: { content: [{ text: '{"length":5000000}' }, {}] },
  });
});
