/** Authenticators get Express's request, though the steps of an operation do not pass through its application. */
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { HandlerResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    get:
      operationId: op
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

let seen: object | undefined;
const read = (request: Request) => ({
  id: request.get('X-Thing'),
  type: request.accepts('json', 'html'),
  url: request.originalUrl,
  query: { ...request.query },
  host: request.hostname,
  ip: request.ip,
  isFresh: request.fresh,
  isOwn: request.res?.req === request,
});
const app = withApp(() =>
  serve(YAML, {
    handlers: { op: () => HandlerResponse.reply(200) },
    security: { key: ((request: Request) => (seen = read(request))) as never },
    responseValidation: 'off',
  }),
);

test('headers, negotiation, URL, query, address and the response are there', async () => {
  const response = await fetch(`${app.url}/things/7`, { headers: { 'X-Thing': 'a', Accept: 'text/html' } });
  expect(response.status).toBe(200);
  const address = { host: '127.0.0.1', ip: expect.stringContaining('127.0.0.1') };
  expect(seen).toEqual({ id: 'a', type: 'html', url: '/things/7', query: {}, ...address, isFresh: false, isOwn: true });
});
