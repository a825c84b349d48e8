/** Builds a server of any document, as a project is built, and runs it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'specwright';
import { operationTable, parseSource, type Document } from '@specwright/contract/document';
import type { Handlers, ServerReport } from './contract-server.ts';
import { nextMessage } from './running-server.ts';

const SERVER = fileURLToPath(new URL('contract-server.ts', import.meta.url));

export interface ContractProgram {
  readonly document: Document;
  readonly start: () => ChildProcess;
}

/** @param file `spec.yaml` or `spec.json`, as which `text` is read. @param node the path of the executable. */
export async function withContractProgram<T>(
  { file, text, node, handlers }: { file: string; text: string; node: string; handlers: Handlers },
  use: (program: ContractProgram) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-bench-'));
  try {
    const { document, digest } = parseSource(file, text);
    const [spec, table] = [join(folder, file), join(folder, 'table.json')];
    await writeFile(spec, text);
    await writeFile(table, JSON.stringify({ digest, operations: operationTable(document) }));
    await writeFile(join(folder, 'document.json'), JSON.stringify(document, null, 2));
    const contracts = [{ spec: file, generated: '.' }];
    await build({ root: folder, main: relative(folder, SERVER), programs: [], databaseFolder: '.', contracts });
    const module = join(folder, '.build/contract-server.js');
    return await use({ document, start: () => fork(module, [spec, table, handlers], { execPath: node, execArgv: ['--expose-gc'] }) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const failed = (what: string) => new Error(`the server of the contract ${what}`);

/** Starts the server, and stops it whatever happens. @throws Error if it does not start. */
export async function withContractServer<T>(
  program: ContractProgram,
  use: (server: ChildProcess, started: ServerReport) => Promise<T>,
): Promise<T> {
  const server = program.start();
  try {
    return await use(server, await nextMessage<ServerReport>(server, failed));
  } finally {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  }
}

/** @param message `heap` has it collect garbage first. */
export function askReport(server: ChildProcess, message: 'report' | 'heap' = 'report'): Promise<ServerReport> {
  server.send(message);
  return nextMessage(server, failed);
}
