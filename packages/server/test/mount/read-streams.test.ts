/** Streams, items and files of a body that the application has read before: retries are told apart by what was read. */
import { createHash } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { expect, test } from '@jest/globals';
import express from 'express';
import { createRequestHandler, HandlerResponse, type IdempotencyStore } from '@specwright/server';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const operation = (id: string, content: string) => `  /${id}:
    post:
      operationId: ${id}
      parameters:
        - { name: Idempotency-Key, in: header, schema: { type: string } }
        - { name: Content-Digest, in: header, required: true, schema: { type: string } }
      requestBody: { content: { ${content} } }
      responses: { '204': { description: ok } }
`;
const YAML = `paths:
${operation('stream', 'application/octet-stream: { x-stream: true }')}${operation('items', 'application/jsonl: { x-item-schema: {} }')}${operation('files', 'multipart/form-data: { x-multipart: stream, schema: { type: object, properties: { file: { type: string, format: binary } } } }')}`;
const fingerprints: string[] = [];
const idempotency: IdempotencyStore = {
  run: async ({ fingerprint }, work) => {
    fingerprints.push(fingerprint.toString('hex'));
    return { response: await work(undefined), isReplay: false };
  },
};
const noContent = () => HandlerResponse.reply(204);
const app = withApp(async () => {
  const handlers = { stream: noContent, items: noContent, files: noContent };
  const main = express();
  main.use(express.raw({ type: () => true }), createRequestHandler(await optionsOf(YAML, { handlers, idempotency })));
  return listenOnFreePort(createHttpServer(main));
});

const form = (text: string) => `--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${text}\r\n--b--\r\n`;

test.each([
  ['stream', 'application/octet-stream', (text: string) => text],
  ['items', 'application/jsonl', (text: string) => `"${text}"\n`],
  ['files', 'multipart/form-data; boundary=b', form],
] as const)('%s', async (path, type, bodyOf) => {
  fingerprints.length = 0;
  for (const text of ['one', 'two', 'one']) {
    const body = bodyOf(text);
    const digest = createHash('sha256').update(body).digest('base64');
    const headers = { 'Content-Type': type, 'Idempotency-Key': 'a', 'Content-Digest': `sha-256=:${digest}:` };
    expect((await fetch(`${app.url}/${path}`, { method: 'POST', headers, body })).status).toBe(204);
  }
  const [first, second, third] = fingerprints;
  expect([first === second, first === third]).toEqual([false, true]);
});
