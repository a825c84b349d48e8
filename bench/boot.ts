/** CPU of the start of a built server with 1 and with 845 operations, and of a request to the last operation beside one to the first. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { build } from '@specwright/cli';
import { operationTable, parseSource } from '@specwright/server';
import { createLargeDocument } from './support/large-document.ts';
import { measureLatency } from './support/measure-latency.ts';

const PROGRAM = fileURLToPath(new URL('support/contract-server.ts', import.meta.url));
const DURATION_MS = 4000;
const IN_FLIGHT = 16;
const OPERATION_COUNTS = [1, 845];
const WIDTHS = [10, 10, 9, 10, 9, 12];

/** What the server reports. */
export interface ServerReport {
  /** CPU of its process so far, in ms. */
  readonly cpuMs: number;
  readonly port: number;
}

interface ContractFiles {
  readonly folder: string;
  readonly spec: string;
  readonly table: string;
}

type Server = ReturnType<typeof fork>;

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'boot-bench-'));
  try {
    console.log(`Node ${process.version}. CPU of the server's process; requests and responses validated, no database.\n`);
    printRow(['operations', 'spec KiB', 'boot ms', 'first µs', 'last µs', 'last/first']);
    for (const count of OPERATION_COUNTS) printRow(await measureBoot(folder, count));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const printRow = (cells: readonly string[]) => console.log(cells.map((cell, i) => cell.padStart(WIDTHS[i] ?? 0)).join(''));

async function measureBoot(folder: string, operations: number): Promise<string[]> {
  const text = stringify(createLargeDocument(operations), { aliasDuplicateObjects: false });
  const { document, digest } = parseSource('spec.yaml', text);
  const files: ContractFiles = { folder, spec: join(folder, 'spec.yaml'), table: join(folder, 'table.json') };
  await writeFile(files.spec, text);
  await writeFile(files.table, JSON.stringify({ digest, operations: operationTable(document) }));
  await writeFile(join(folder, 'document.json'), JSON.stringify(document, null, 2));
  await build({ root: folder, main: relative(folder, PROGRAM), programs: [], spec: 'spec.yaml', generated: '.' });
  return withServer(files, async (server, { cpuMs, port }) => {
    // One round to warm up, of both, so that neither pays for it.
    await measureRequest(server, port, 0);
    await measureRequest(server, port, operations - 1);
    const first = await measureRequest(server, port, 0);
    const last = await measureRequest(server, port, operations - 1);
    const sizeKiB = text.length / 1024;
    return [String(operations), sizeKiB.toFixed(0), cpuMs.toFixed(0), first.toFixed(0), last.toFixed(0), (last / first).toFixed(2)];
  });
}

/** @returns CPU of the server for a request to operation `i`, in µs. */
async function measureRequest(server: Server, port: number, i: number): Promise<number> {
  const before = (await report(server)).cpuMs;
  let calls = 0;
  const call = async () => {
    calls += 1;
    const response = await fetch(`http://localhost:${port}/items-${i}/7?limit=5`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","tags":["a"]}',
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await measureLatency(call, IN_FLIGHT, DURATION_MS);
  return (((await report(server)).cpuMs - before) * 1000) / calls;
}

async function withServer<T>(
  { folder, spec, table }: ContractFiles,
  use: (server: Server, started: ServerReport) => Promise<T>,
): Promise<T> {
  const server = fork(join(folder, '.build/contract-server.js'), [spec, table], { execArgv: [] });
  try {
    const [started] = (await once(server, 'message')) as [ServerReport];
    return await use(server, started);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

async function report(server: Server): Promise<ServerReport> {
  server.send('report');
  const [answer] = (await once(server, 'message')) as [ServerReport];
  return answer;
}
