/** A server of uploads that tells, on standard output, its port, and on standard error what memory it has taken at most. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createServer, loadContract } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';

const MIB = 1024 * 1024;
const [budget = ''] = process.argv.slice(2);
const media = (more: string, type = 'application/octet-stream') => ({
  requestBody: { content: { [type]: JSON.parse(`{${more}}`) as object } },
});
const ITEM = '"x-item-schema": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } }';
const responses = { 204: { description: 'ok' } };
const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Uploads', version: '1' },
  paths: {
    '/whole': { post: { operationId: 'whole', 'x-body-limit': 64 * MIB, ...media(''), responses } },
    '/stream': { post: { operationId: 'stream', 'x-body-limit': 4096 * MIB, ...media('"x-stream": true'), responses } },
    '/items': { post: { operationId: 'items', 'x-body-limit': 4096 * MIB, ...media(ITEM, 'application/jsonl'), responses } },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, text);
const { digest, document } = parseSource(file, text);
const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
rmSync(folder, { recursive: true });

type Reply = (status: number) => never;
const handlers = {
  whole: (_input: unknown, reply: Reply) => reply(204),
  stream: async ({ body }: { body: Readable }, reply: Reply) => {
    await finished(body.resume());
    return reply(204);
  },
  items: async ({ body }: { body: AsyncIterable<{ name: string }> }, reply: Reply) => {
    let letters = 0;
    for await (const { name } of body) letters += name.length;
    if (letters === 0) throw new Error('there are no items');
    return reply(204);
  },
};
const silent = { info() {}, warn() {}, error() {}, child: () => silent, isLevelEnabled: () => false };
const server = createServer({
  contract,
  handlers,
  security: {},
  log: silent,
  bodyBudgetBytes: Number(budget),
  requestTimeoutMs: 20_000,
});
const begin = process.memoryUsage.rss();
let most = begin;
setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('SIGTERM', () => {
  console.error((most - begin) / MIB);
  process.exit(0);
});
