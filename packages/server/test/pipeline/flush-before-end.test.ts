/** `background: false`: no response ends before the parts of the server are flushed, whatever answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { bearer, HandlerResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things:
    get:
      operationId: getThing
      security: [{ key: [] }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: string } } } }
        default: { description: error }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

let flushed: number;
let fails: boolean;
beforeEach(() => {
  flushed = 0;
  fails = false;
});
const app = withApp(() =>
  serve(YAML, {
    handlers: { getThing: () => HandlerResponse.reply(200, { body: 'Rex' }) },
    security: { key: bearer(async (token) => (token === 'good' ? token : undefined)) },
    background: false,
    parts: [
      {
        flush: async () => {
          await sleep(30);
          flushed++;
          if (fails) throw new Error('the database is away');
        },
      },
    ],
  }),
);

const get = async (path: string, token = 'good') => {
  const response = await fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return [response.status, await response.text(), flushed] as const;
};

test('the work is done when the client has the whole response, of an operation, an error or a probe', async () => {
  expect(await get('/things')).toEqual([200, '"Rex"', 1]);
  expect(await get('/things', 'bad')).toEqual([401, expect.any(String), 2]);
  expect(await get('/nothing')).toEqual([404, expect.any(String), 3]);
  expect(await get('/livez')).toEqual([200, expect.any(String), 4]);
});

test('a response ends also if the work fails', async () => {
  fails = true;
  expect(await get('/things')).toEqual([200, '"Rex"', 1]);
});
