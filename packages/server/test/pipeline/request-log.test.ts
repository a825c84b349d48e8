/** The id of a request, in its response and in its line of the log, and which requests have a line. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { AppError } from '@specwright/contract/runtime';
import { until, withApp, type ListeningServer } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things:
    get:
      operationId: op
      parameters: [{ name: status, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok }, default: { description: bad } }
`;

const op = ({ query }: { readonly query: { readonly status?: number } }) => {
  const { status } = query;
  if (status !== undefined) throw new AppError('other', 'no', { status });
  return HandlerResponse.reply(200);
};
const app = withApp(() => serve(YAML, { handlers: { op }, responseValidation: 'off' }));
const quiet = withApp(() => serve(YAML, { handlers: { op }, logRequests: 'errors', responseValidation: 'off' }));

/** Sends requests on one connection. @returns the ids of their responses. */
async function idsOf({ url }: Pick<ListeningServer, 'url'>, count: number, field = ''): Promise<string[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  const head = (connection: string) => `GET /things HTTP/1.1\r\nHost: a\r\n${field}Connection: ${connection}\r\n\r\n`;
  socket.write(head('keep-alive').repeat(count - 1) + head('close'));
  let received = '';
  for await (const part of socket) received += String(part);
  return Array.from(received.matchAll(/^X-Request-Id: (.*)\r$/gm), ([, id = '']) => id);
}

test('each request has a random UUID of its own, however many there are', async () => {
  const ids = await idsOf(app, 600);
  expect(ids).toHaveLength(600);
  expect(new Set(ids).size).toBe(600);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.each([
  ['a', true],
  ['A.b_c-9'.padEnd(100, '0'), true],
  ['a'.repeat(101), false],
  ['a b', false],
  ['a/b', false],
])('the id %s of a client is kept: %s', async (id, isKept) => {
  const [given] = await idsOf(app, 1, `X-Request-Id: ${id}\r\n`);
  if (isKept) expect(given).toBe(id);
  else expect(given).toMatch(/^[0-9a-f-]{36}$/);
});

test('of requests that are answered, those with a status from 500 on alone have a line, if that is asked for', async () => {
  for (const status of [200, 404, 499, 500, 503]) {
    const response = await fetch(`${quiet.url}/things${status === 200 ? '' : `?status=${status}`}`);
    expect(response.status).toBe(status);
    await response.text();
  }
  const logged = () => quiet.log.filter(({ message }) => message === 'answered').map(({ status }) => status);
  await until(async () => logged().includes(503));
  expect(logged()).toEqual([500, 503]);
});
