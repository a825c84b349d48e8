/** A handler of JavaScript that returns bytes or items where the contract declares JSON alone: a 500, and what it has opened is closed. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { ReplyPayload } from '@specwright/contract';
import { HandlerResponse } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /thing:
    get:
      operationId: getThing
      parameters: [{ name: kind, in: query, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }`;

const opened: Readable[] = [];
const open = () => {
  const source = new Readable({ read: () => undefined });
  opened.push(source);
  return source;
};
const payloads: Record<string, () => ReplyPayload> = {
  bytes: () => ({ stream: open() }),
  items: () => ({ items: open() }),
  'bytes that fail': () => ({ stream: createReadStream('/there/is/none') }),
};
const app = withApp(() =>
  serve(YAML, { handlers: { getThing: ({ query }: { query: { kind: string } }) => HandlerResponse.reply(200, payloads[query.kind]?.()) } }),
);

test.each([
  ['bytes', 'must not be a stream of bytes'],
  ['items', 'has no items'],
])('%s', async (kind, problem) => {
  opened.length = 0;
  for (let i = 0; i < 2; i++) expect((await fetch(`${app.url}/thing?kind=${kind}`)).status).toBe(500);
  expect(app.log.filter(({ level, err }) => level === 'error' && (err as Error).message.includes(problem))).toHaveLength(2);
  await until(async () => opened.length === 2 && opened.every(({ destroyed }) => destroyed));
});

test('an error of what was opened does not end the process', async () => {
  expect((await fetch(`${app.url}/thing?kind=bytes that fail`)).status).toBe(500);
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
});
