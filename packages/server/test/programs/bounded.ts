/** A server whose bounds are exhausted: tells its port on standard output, and its memory on standard error when it ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createServer, loadContract } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';

const MIB = 1024 * 1024;
const options = JSON.parse(process.argv[2] ?? '{}') as object;
const responses = { 204: { description: 'ok' } };
const upload = (operationId: string, content: object) => ({
  post: { operationId, 'x-body-limit': 64 * MIB, requestBody: { content }, responses },
});
const files = { type: 'array', maxItems: 1000, items: { type: 'string', format: 'binary' } };
const events = { content: { 'application/jsonl': { 'x-item-schema': { type: 'object' } } }, description: 'ok' };
const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Bounds', version: '1' },
  paths: {
    '/pets': {
      post: { operationId: 'addPet', requestBody: { content: { 'application/json': { schema: { type: 'object' } } } }, responses },
    },
    '/spooled': upload('spooled', { 'multipart/form-data': { schema: { type: 'object', properties: { files } } } }),
    '/whole': upload('whole', { 'application/octet-stream': {} }),
    '/stream': upload('stream', { 'application/octet-stream': { 'x-stream': true } }),
    '/events': { get: { operationId: 'events', responses: { 200: events } } },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bounded-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, text);
const { digest, document } = parseSource(file, text);
const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
rmSync(folder, { recursive: true });

type Reply = (status: number, payload?: object) => never;
const done = (_input: unknown, reply: Reply) => reply(204);
async function* endless({ signal }: { signal: AbortSignal }) {
  yield { begun: true };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}
const handlers = {
  addPet: done,
  spooled: done,
  whole: done,
  stream: async ({ body }: { body: Readable }, reply: Reply) => {
    await finished(body.resume());
    return reply(204);
  },
  events: (_input: unknown, reply: Reply, context: { signal: AbortSignal }) => reply(200, { items: endless(context) }),
};
const silent = { info() {}, warn() {}, error() {}, child: () => silent, isLevelEnabled: () => false };
const server = createServer({ contract, handlers, security: {}, log: silent, ...options });
let most = 0;
setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('SIGTERM', () => {
  console.error(most / MIB);
  process.exit(0);
});
