/** A service of several workers, whose starts and readiness depend on files of a folder: `fails`, `never-ready`, and `ready-2` for its second worker. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { close, createReadiness, createServer, HandlerResponse, listen, loadContract, runService } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';

// Not 0: the port must be the same when all workers have ended at once.
const [folder = '', port = ''] = process.argv.slice(2);
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
    await sleep(5000);
    return HandlerResponse.reply(200, { body: process.pid });
  },
};

const has = (name: string) => existsSync(join(folder, name));

runService(
  async ({ log, greet, isFirstWorker }) => {
    if (has('fails')) throw new Error('this start fails');
    const isReady = () => !has('never-ready') && (isFirstWorker || has('ready-2'));
    const readiness = createReadiness({ log, probe: async () => (isReady() ? undefined : 'not yet') });
    const options = { contract: await contractOf(), handlers, security: {}, log, readiness, requestTimeoutMs: 10_000 };
    const server = createServer(options as never);
    await listen(server, Number(port), '127.0.0.1');
    log.info({}, 'listening');
    await readiness.start();
    greet({ title: 'Workers', version: '1', port: Number(port) });
    return async (signal) => {
      log.info({ signal }, 'stopping');
      readiness.stop();
      await close(server, 5000);
    };
  },
  () => ({ workers: 2, replaceTimeout: 5000 }),
);
