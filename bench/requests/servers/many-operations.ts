/** This server with a contract of any number of operations; the handlers answer with the body of the request. No database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServer as createContractServer,
  HandlerResponse,
  loadContract,
  type ContractTypes,
  type GeneratedContract,
  type Log,
} from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';
import { REQUEST_TIMEOUT_MS } from './request-timeout.ts';
import { createLargeDocument } from '../../support/large-document.ts';

const ignore = () => undefined;
const LOG: Log = { info: ignore, warn: ignore, error: ignore, child: () => LOG };

export async function createServer(): Promise<Server> {
  const text = JSON.stringify(createLargeDocument(Number(process.env['OPERATIONS'])));
  const { document, digest } = parseSource('spec.json', text);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'spec.json');
    await writeFile(file, text);
    const table = { digest, operations: operationTable(document) } as unknown as GeneratedContract<ContractTypes>;
    const contract = await loadContract(file, table);
    const echo = async ({ body }: { body?: unknown }) => HandlerResponse.reply(200, { body });
    const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, echo]));
    return createContractServer({ contract, handlers, security: {}, log: LOG, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
