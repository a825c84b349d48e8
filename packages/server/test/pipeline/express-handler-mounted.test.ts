/** Express handlers in other applications: mounted in Express, and in a server of `node:http`. */
import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { createRequestHandler } from '@specwright/server';
import { createTestLog, listenOnFreePort, withApp } from 'specwright/testing';
import { untyped } from '../support/handler-styles.ts';
import { loadContractOf } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    get:
      operationId: read
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: a thing
          headers: { Location: &text { schema: { type: string } }, Link: *text }
          content: { application/json: { schema: { type: object, additionalProperties: true } } }
    post:
      operationId: fail
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: done } }
`;

const read = untyped((req, res) => {
  const { params, url, originalUrl, baseUrl, query } = req;
  const hasMethods = req.get('Host') !== undefined && req.accepts('json') === 'json';
  res.location(`${baseUrl}/things/1`).links({ next: `${baseUrl}/things/2` });
  res.json({ params, url, originalUrl, baseUrl, query, hasMethods, ...res.locals });
});
const fail = untyped(() => {
  throw new Error('broken');
});
const handlerOf = async (options: object = {}) =>
  createRequestHandler({
    contract: await loadContractOf(YAML),
    handlers: { read, fail },
    security: {},
    log: createTestLog(),
    ...options,
  });

describe('an Express handler', () => {
  const app = withApp(async () => {
    const application = express();
    application.use((_req, res, next) => {
      res.locals['user'] = 'Ann';
      next();
    });
    application.use('/v1', await handlerOf());
    application.use('/v2', await handlerOf({ errors: 'next' }));
    application.use((error: Error, req: express.Request, res: express.Response, next: express.NextFunction) => {
      if (res.headersSent) return next(error);
      res.status(500).json({ message: error.message, isOwn: req.res === res });
    });
    return listenOnFreePort(createServer(application));
  });

  test('that is mounted in Express may put the mount path before its paths, or leave it out', async () => {
    const response = await fetch(`${app.url}/v1/things/7`);
    const body = {
      params: { id: 7 },
      url: '/things/7',
      originalUrl: '/v1/things/7',
      baseUrl: '/v1',
      query: {},
      hasMethods: true,
      user: 'Ann',
    };
    expect([response.status, await response.json()]).toEqual([200, body]);
    expect([response.headers.get('Location'), response.headers.get('Link')]).toEqual(['/v1/things/1', '</v1/things/2>; rel="next"']);
  });

  test('that fails leaves the response to the error handler of the application, with `errors: next`', async () => {
    const response = await fetch(`${app.url}/v2/things/7`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([500, { message: expect.any(String), isOwn: true }]);
  });

  const bare = withApp(async () => listenOnFreePort(createServer(await handlerOf())));

  test('has the properties of Express in a server of node:http', async () => {
    const response = await fetch(`${bare.url}/things/7`);
    const body = { params: { id: 7 }, url: '/things/7', originalUrl: '/things/7', baseUrl: '', query: {}, hasMethods: true };
    expect([await response.json(), response.headers.get('Location')]).toEqual([body, '/things/1']);
  });
});
