/** Sequences in contract tests: what may never end is read for a while, and each of its items is validated. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { createWitness, listenOnFreePort } from 'specwright/testing';
import { readBody } from '../../src/testing/contract/operation-client.ts';

const STOCK = { type: 'object', required: ['count'], additionalProperties: false, properties: { count: { type: 'integer' } } };
const EVENT = { type: 'object', required: ['data'], properties: { id: { type: 'string' }, data: STOCK } };
const spec = createWitness({
  openapi: '3.1.0',
  info: { title: 'Sequences', version: '1' },
  paths: {
    '/a': {
      get: {
        operationId: 'listen',
        responses: {
          200: {
            description: 'ok',
            content: {
              'text/event-stream': { 'x-item-schema': EVENT },
              'application/jsonl': { 'x-item-schema': STOCK },
              'application/json-seq': { 'x-item-schema': STOCK },
            },
          },
        },
      },
    },
  },
});
const problems = (type: string, text: string) =>
  spec.problems('listen', { status: 200, headers: new Headers({ 'Content-Type': type, 'X-Accel-Buffering': 'no' }), text });

test.each([
  ['text/event-stream', ':\n\nid: 1\ndata: {"count":1}\n\nretry: 5\n\ndata: {"count":\ndata: 2}\n\n'],
  ['application/jsonl', '{"count":1}\n{"count":2}\n'],
  ['application/json-seq', '\x1E{"count":1}\n'],
  ['text/event-stream', ''],
])('accepts valid items of %s', (type, text) => expect(problems(type, text)).toEqual([]));

test.each([
  ['text/event-stream', 'data: {"count":1}\n\ndata: {"count":"x"}\n\n', 'item 1/data/count must be integer'],
  ['text/event-stream', 'data: {"count":1,"secret":2}\n\n', 'item 0/data must NOT have additional properties'],
  ['application/jsonl', '{}\n', "item 0 must have required property 'count'"],
])('rejects invalid items of %s', (type, text, problem) => expect(problems(type, text)).toEqual([problem]));

test('reads a stream that does not end, up to its last whole item', async () => {
  const server = await listenOnFreePort(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"count":1}\n\ndata: {"cou');
    }),
  );
  try {
    expect(await readBody(await fetch(server.url))).toBe('data: {"count":1}\n\n');
  } finally {
    await server.close();
  }
});
