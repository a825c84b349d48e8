/** A server of a small contract, for tests of what it does over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, loadContract, notImplemented, type Contract, type ServerOptions } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine } from 'specwright/testing';
import { documentOf } from '../../../contract/test/support/contract.ts';
// Loaded before a request has a deadline: the first time, the transformation of a test run takes longer than a server ever does.
import '../../src/pipeline/body/streamed-bodies.ts';
import '../../src/pipeline/streams/send-streamed.ts';

/** Options of a server whose contract is not known to the compiler. */
export type GivenOptions = Partial<Omit<ServerOptions<never, unknown>, 'handlers' | 'security'>> & {
  readonly handlers?: object;
  readonly security?: object;
};

/**
 * Serves the document of a YAML text that starts at `paths:`. An operation without a handler in `options` answers 501.
 *
 * @returns the server, and what it logs.
 */
export async function serve(yaml: string, options: GivenOptions = {}): Promise<ListeningServer & { readonly log: LogLine[] }> {
  const log: LogLine[] = [];
  return { ...(await listenOnFreePort(createServer(await optionsOf(yaml, options, log)))), log };
}

/** The options of such a server. @param lines gets what is logged. */
export async function optionsOf(yaml: string, given: GivenOptions = {}, lines: LogLine[] = []): Promise<ServerOptions<never, unknown>> {
  const contract = await loadContractOf(yaml);
  const unwritten = Object.fromEntries(contract.operations.map(({ id }) => [id, () => notImplemented(id)]));
  return { security: {}, log: createTestLog(lines), ...given, contract, handlers: { ...unwritten, ...given.handlers } } as never;
}

/** Loads the contract of a YAML text that starts at `paths:`, or anywhere in a document. @param omit the operations that are not served. */
export async function loadContractOf(yaml: string, omit: readonly string[] = []): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, JSON.stringify(documentOf(yaml)));
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never, { omit: omit as never[] });
  await rm(folder, { recursive: true });
  return contract;
}
