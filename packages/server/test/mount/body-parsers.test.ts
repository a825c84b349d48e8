/** What an application may have read a body with before the contract's handler: it is taken where that is safe, and refused otherwise. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express5 from 'express';
import express4 from 'express4';
import { createRequestHandler, HandlerResponse } from '@specwright/server';
import { listenOnFreePort, withApp, type LogLine } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const operation = (id: string, type: string, schema: string) =>
  `{ operationId: ${id}, x-body-limit: 1000, requestBody: { required: true, content: { ${type}: { schema: ${schema} } } }, ` +
  `responses: { '200': { description: ok, content: { application/json: { schema: {} } } } } }`;
const OBJECT = '{ type: object, additionalProperties: true }';

const YAML = `paths:
  /json:
    get: { operationId: read, responses: { '204': { description: ok } } }
    post: ${operation('json', 'application/json', OBJECT)}
  /more: { post: ${operation('more', 'application/json', OBJECT)} }
  /form: { post: ${operation('form', 'application/x-www-form-urlencoded', OBJECT)} }
  /bytes: { post: ${operation('bytes', 'application/octet-stream', '{ type: string, format: binary }')} }
`;

const echo = ({ body }: { body: unknown }) =>
  HandlerResponse.reply(200, { body: Buffer.isBuffer(body) ? { bytes: body.toString() } : body });
const handlers = { json: echo, more: echo, form: echo, bytes: echo, read: () => HandlerResponse.reply(204) };

/** As many services do that verify signatures. */
const keepRawBody = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
  (request as IncomingMessage & { rawBody?: Buffer }).rawBody = bytes;
};

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('in %s', (_, express) => {
  const log: LogLine[] = [];
  const app = withApp(async () => {
    const main = express();
    const add = async (path: string, ...parsers: express5.RequestHandler[]) => {
      main.use(path, ...parsers, createRequestHandler(await optionsOf(YAML, { handlers }, log)));
    };
    await add('/json', express.json());
    await add('/all', express.json(), express.urlencoded({ extended: true }));
    await add('/raw', express.raw({ type: () => true }));
    await add('/verify', express.json({ verify: keepRawBody }));
    await add('/text', express.text({ type: 'application/x-www-form-urlencoded' }));
    return listenOnFreePort(createHttpServer(main));
  });
  const post = async (path: string, body: string, type = 'application/json') => {
    log.length = 0;
    const response = await fetch(app.url + path, { method: 'POST', body, headers: { 'Content-Type': type } });
    return [response.status, await response.json()];
  };
  const warnings = () => log.filter(({ message }) => message.includes('express.json()'));

  test('express.json(): the parsed value is validated, with one line in the log for all operations', async () => {
    expect(await post('/json/json', '{"a":[1.5,"ä",null]}')).toEqual([200, { a: [1.5, 'ä', null] }]);
    expect(warnings()).toMatchObject([{ message: expect.stringContaining('give app.use the handler before express.json()') }]);
    expect(await post('/json/more', '{"a":1}')).toEqual([200, { a: 1 }]);
    expect(warnings()).toEqual([]);
    expect(await post('/json/json', '[1]')).toMatchObject([400, { code: 'invalid_request' }]);
  });

  test('express.json(): a number that may have been rounded is 400', async () => {
    for (const number of ['9007199254740993', '-9007199254740993', '1e400'])
      expect(await post('/json/json', `{"a":{"b":[${number}]}}`)).toMatchObject([400, { code: 'invalid_request' }]);
    expect(await post('/json/json', '{"a":9007199254740991}')).toEqual([200, { a: 9007199254740991 }]);
  });

  test('express.json(): the limit of the contract holds, and another type is refused', async () => {
    expect(await post('/json/json', `{"a":"${'x'.repeat(1000)}"}`)).toMatchObject([413, { code: 'body_too_large' }]);
    expect(await post('/json/json', 'a', 'text/plain')).toMatchObject([415, {}]);
  });

  test('a request without a body is served as ever', async () => {
    for (const path of ['/json', '/all', '/raw', '/verify']) expect((await fetch(`${app.url}${path}/json`)).status).toBe(204);
    expect(await post('/json/json', '')).toMatchObject([400, { message: 'body is required' }]);
  });

  test.each(['/raw', '/verify'])('the bytes that a parser keeps are validated as if they were read here: %s', async (path) => {
    expect(await post(`${path}/json`, '{"a":1}')).toEqual([200, { a: 1 }]);
    expect(warnings()).toEqual([]);
    expect(await post(`${path}/json`, '{"a":1,"a":2}')).toMatchObject([400, { message: 'body/a is given twice' }]);
    expect(await post(`${path}/json`, '{"a":9007199254740993}')).toMatchObject([400, {}]);
  });

  test('express.raw() and express.text() keep what is not JSON', async () => {
    expect(await post('/raw/bytes', 'abc', 'application/octet-stream')).toEqual([200, { bytes: 'abc' }]);
    expect(await post('/text/form', 'a=1&b=2', 'application/x-www-form-urlencoded')).toEqual([200, { a: '1', b: '2' }]);
  });

  test('a form that express.urlencoded() has read cannot be had again: 500, and the log says what to do', async () => {
    expect(await post('/all/form', 'a=1', 'application/x-www-form-urlencoded')).toMatchObject([500, { code: 'internal_error' }]);
    const message = expect.stringMatching(/^the body of application\/x-www-form-urlencoded was read before .* before what parses bodies$/);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', operation: 'form', err: expect.objectContaining({ message }) }));
  });

  test('what the parser does not read is read here', async () => {
    expect(await post('/json/form', 'a=1', 'application/x-www-form-urlencoded')).toEqual([200, { a: '1' }]);
    expect(await post('/all/bytes', 'abc', 'application/octet-stream')).toEqual([200, { bytes: 'abc' }]);
    expect(warnings()).toEqual([]);
  });
});

test('a body that something has read and thrown away is 500, not a request that never ends', async () => {
  const log: LogLine[] = [];
  const api = createRequestHandler(await optionsOf(YAML, { handlers }, log));
  const server = createHttpServer((request, response) => request.resume().on('end', () => api(request, response)));
  const { url, close } = await listenOnFreePort(server);
  const response = await fetch(`${url}/json`, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  expect(response.status).toBe(500);
  expect(log).toContainEqual(expect.objectContaining({ level: 'error', operation: 'json' }));
  await close();
});
