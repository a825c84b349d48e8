/** The option `mock`: it answers where a handler or a security scheme is not written, and nowhere else. */
import { expect, test } from '@jest/globals';
import { AppError, HandlerResponse, unimplementedScheme, type MockRequest, type MockResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const OK = "{ '200': { description: ok, content: { application/json: { schema: { type: string } } } } }";
const YAML = `paths:
  /written: { get: { operationId: written, responses: ${OK} } }
  /failing: { get: { operationId: failing, responses: ${OK} } }
  /stub/{id}:
    get:
      operationId: stub
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: ${OK}
  /secured: { get: { operationId: secured, security: [{ key: [] }], responses: ${OK} } }
  /once:
    post:
      operationId: once
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: ${OK}
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;

const mock = ({ operation, input, headers }: MockRequest): MockResponse => {
  if (headers['prefer'] === 'nothing') return { refusal: { code: 'not_found', message: 'nothing is there' } };
  return { status: headers['prefer'] === 'undeclared' ? 201 : 200, body: `${operation.id} ${JSON.stringify(input.path)}` };
};
const handlers = {
  written: () => HandlerResponse.reply(200, { body: 'written' }),
  failing: () => {
    throw new AppError('conflict', 'no');
  },
};
const idempotency = {
  run: async (_: unknown, work: (db: unknown) => Promise<unknown>) => ({ response: await work(undefined), isReplay: false }),
};
const app = withApp(() => serve(YAML, { handlers, security: { key: unimplementedScheme }, mock, idempotency } as never));
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(app.url + path, { method, headers });

test('a handler that is written answers, whatever it throws', async () => {
  const written = await get('/written');
  expect([await written.json(), written.headers.get('x-mock')]).toEqual(['written', null]);
  expect((await get('/failing')).status).toBe(500);
});

test('a stub is answered for, in the transaction of an Idempotency-Key too, after the request was validated', async () => {
  const response = await get('/stub/7');
  expect([await response.json(), response.headers.get('x-mock')]).toEqual(['stub {"id":7}', 'true']);
  expect((await get('/stub/x')).status).toBe(400);
  expect(await (await get('/once', { 'Idempotency-Key': 'a' }, 'POST')).json()).toBe('once {}');
});

test('a scheme that is not written takes any credentials that are well-formed', async () => {
  expect((await get('/secured')).status).toBe(401);
  expect((await get('/secured', { Authorization: 'Bearer any' })).status).toBe(200);
});

test('its responses are validated; what it refuses is sent, declared or not', async () => {
  expect((await get('/stub/7', { Prefer: 'undeclared' })).status).toBe(500);
  const refused = await get('/stub/7', { Prefer: 'nothing' });
  expect([refused.status, await refused.json()]).toEqual([404, { code: 'not_found', message: 'nothing is there', status: 404 }]);
});

test('pages of any origin may call', async () => {
  expect((await get('/stub/7', { Origin: 'http://localhost:5173' })).headers.get('access-control-allow-origin')).toBe('*');
});
