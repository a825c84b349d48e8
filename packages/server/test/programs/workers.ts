/** A service of two workers, whose starts depend on files of a folder: with `fails` they fail, with `waits` they do not end once it listens. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { close, createServer, HandlerResponse, listen, loadContract, runService } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';

const [folder = '', options = '{}'] = process.argv.slice(2);
const responses = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } } };
const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Workers', version: '1' },
  paths: { '/pid': { get: { operationId: 'pid', responses } }, '/slow': { get: { operationId: 'slow', responses } } },
});

async function contractOf() {
  const spec = mkdtempSync(join(tmpdir(), 'workers-'));
  const file = join(spec, 'openapi.json');
  writeFileSync(file, text);
  const { digest, document } = parseSource(file, text);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  rmSync(spec, { recursive: true });
  return contract;
}

const handlers = {
  pid: () => HandlerResponse.reply(200, { body: process.pid }),
  slow: async () => {
    await sleep(500);
    return HandlerResponse.reply(200, { body: process.pid });
  },
};

const has = (name: string) => existsSync(join(folder, name));

runService(
  async ({ log, greet, isFirstWorker }) => {
    log.info({ isFirstWorker }, 'starting');
    if (has('fails')) throw new Error('this start fails');
    const server = createServer({ contract: await contractOf(), handlers, security: {}, log, ...JSON.parse(options) } as never);
    const port = await listen(server, 0, '127.0.0.1');
    while (has('waits')) await sleep(20);
    greet({ title: 'Workers', version: '1', port });
    return () => close(server, 2000);
  },
  () => ({ workers: 2, shutdownTimeout: 3000 }),
);
