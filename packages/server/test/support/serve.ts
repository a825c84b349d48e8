/** A server of a small contract, for tests of what it does over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, loadContract, notImplemented, type Contract, type ServerOptions } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/server/document';
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine } from '@specwright/testing';
import { documentOf } from './contract.ts';

/**
 * Serves the document of a YAML text that starts at `paths:`. An operation without a handler in `options` answers 501.
 *
 * @returns the server, and what it logs.
 */
export async function serve(
  yaml: string,
  options: Partial<Omit<ServerOptions<never, unknown>, 'handlers'>> & { readonly handlers?: object } = {},
): Promise<ListeningServer & { readonly log: LogLine[] }> {
  const contract = await loadContractOf(yaml);
  const log: LogLine[] = [];
  const unwritten = Object.fromEntries(contract.operations.map(({ id }) => [id, () => notImplemented(id)]));
  const handlers = { ...unwritten, ...options.handlers };
  return {
    ...(await listenOnFreePort(createServer({ security: {}, ...options, contract, handlers, log: createTestLog(log) } as never))),
    log,
  };
}

/** Loads the contract of a YAML text that starts at `paths:`, or anywhere in a document. */
export async function loadContractOf(yaml: string): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, JSON.stringify(documentOf(yaml)));
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  await rm(folder, { recursive: true });
  return contract;
}
