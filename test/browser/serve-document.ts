/** A server with a page at /docs for a document; its operations answer 501. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createServer, loadContract, notImplemented, type ServerOptions } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog } from 'specwright/testing';

export interface DocumentServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** @param port 0 for any that is free. @param guides name -> Markdown. */
export async function serveDocument(document: object, port = 0, guides: Readonly<Record<string, string>> = {}): Promise<DocumentServer> {
  const folder = await mkdtemp(join(tmpdir(), 'document-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  await mkdir(join(folder, 'guides'));
  for (const [name, text] of Object.entries(guides)) await writeFile(join(folder, 'guides', name), text);
  const read = readDocument(file);
  const contract = await loadContract(file, { digest: read.digest, operations: operationTable(read.document), rateLimitPlans: null });
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => notImplemented(id)]));
  const schemes = Object.keys(read.document.components?.securitySchemes ?? {});
  const security = Object.fromEntries(schemes.map((name) => [name, () => undefined]));
  const options = { contract, handlers, security, docs: { reload: true }, log: createTestLog() };
  const server = createServer(options as unknown as ServerOptions<never, unknown>);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }).then(() => rm(folder, { recursive: true }));
  return { port: (server.address() as AddressInfo).port, stop };
}
