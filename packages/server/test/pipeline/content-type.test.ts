/** The Content-Type of a body of JSON: its media type in any case, with no charset but UTF-8. */
import { expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { sendRaw } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things:
    post:
      operationId: op
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: none } }
  /notes:
    post:
      operationId: note
      requestBody: { content: { application/json: { schema: { type: object } }, text/plain: { schema: { type: string } } } }
      responses: { '204': { description: none } }
`;
const done = () => HandlerResponse.reply(204);
const app = withApp(() => serve(YAML, { handlers: { op: done, note: done } }));

test.each([
  ['application/json', 204],
  ['Application/JSON', 204],
  ['application/json; charset=utf-8', 204],
  ['application/json;Charset="UTF-8"', 204],
  ['application/json; charset=us-ascii', 204],
  ['application/json; version=1', 204],
  ['application/json; charset=utf-16', 415],
  ['application/json; charset=utf-8; charset=utf-8', 415],
  ['application/json; charset', 415],
  ['text/json', 415],
])('%s: %i', async (type, status) => {
  const headers = [`Content-Type: ${type}`, 'Content-Length: 2'];
  const response = await sendRaw(app.url, { method: 'POST', path: '/things', headers, body: ['{}'] });
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  if (status === 415) expect(response).toContain(`header/Content-Type must be application/json, not ${type.replaceAll('"', '\\"')}`);
});

test('a type is read anew where it differs from that of the last request, and where that was refused', async () => {
  for (const [path, type, body, status] of [
    ['/things', 'application/json', '{}', 204],
    ['/things', 'text/json', '{}', 415],
    ['/things', 'text/json', '{}', 415],
    ['/things', 'application/json; charset=utf-16', '{}', 415],
    ['/things', 'application/json; charset=utf-16', '{}', 415],
    ['/notes', 'application/json', '{}', 204],
    ['/notes', 'text/plain', 'a', 204],
    ['/notes', 'text/plain', 'a', 204],
    ['/notes', 'application/json', 'a', 400],
  ] as const) {
    const response = await fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect([type, response.status]).toEqual([type, status]);
  }
});
