/** Starts: of the pet store beside its database, and of built servers with 1 and with 845 operations. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { build } from 'specwright';
import { operationTable, parseSource } from '@specwright/contract/document';
import { measureColdStart } from './boot/cold-start.ts';
import { BOOT_RESULTS, fillBoot, formatBoot, type Boot, type ContractBoot } from './boot/report.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';
import { createLargeDocument } from './support/large-document.ts';
import { measureLatency } from './support/measure-latency.ts';

const PROGRAM = fileURLToPath(new URL('support/contract-server.ts', import.meta.url));
const DURATION_MS = 4000;
const IN_FLIGHT = 16;
const OPERATION_COUNTS = [1, 845];

export const help = `npm run bench -- boot [options]

The cold start of the pet store, built, beside a database that runs: wall, CPU and memory. Then the CPU of the start of a server with 1
and with 845 operations, and of a request to the first and to the last of them. About 1 minute.

  --node VERSION|PATH the Node that runs them
  --save              writes bench/results/boot.json and its section of bench/results/README.md`;

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

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { node: { type: 'string' }, save: { type: 'boolean', default: false } } });
  const node = nodeExecutable(values.node);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const { show, clear } = createProgress();
  const coldStart = await measureColdStart(node, show);
  const contracts: ContractBoot[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'boot-bench-'));
  try {
    for (const count of OPERATION_COUNTS) {
      show(`contract of ${count} operations`);
      contracts.push(await measureContract(node, folder, count));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  clear();
  const { date, commit, machine } = describeRun('', {}, {});
  const measured = { date, commit, machine, node: version, load: loadavg()[1] ?? 0, coldStart, contracts };
  console.log(formatBoot(measured));
  if (!values.save) return 0;
  const saved: Boot = { ...readJson<Boot>(BOOT_RESULTS, {}), [major(version)]: measured };
  await writeFormatted(BOOT_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillBoot(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}

async function measureContract(node: string, folder: string, operations: number): Promise<ContractBoot> {
  const text = stringify(createLargeDocument(operations), { aliasDuplicateObjects: false });
  const { document, digest } = parseSource('spec.yaml', text);
  const files: ContractFiles = { folder, spec: join(folder, 'spec.yaml'), table: join(folder, 'table.json') };
  await writeFile(files.spec, text);
  await writeFile(files.table, JSON.stringify({ digest, operations: operationTable(document) }));
  await writeFile(join(folder, 'document.json'), JSON.stringify(document, null, 2));
  await build({
    root: folder,
    main: relative(folder, PROGRAM),
    programs: [],
    databaseFolder: '.',
    contracts: [{ spec: 'spec.yaml', generated: '.' }],
  });
  return withServer(node, files, async (server, { cpuMs, port }) => {
    // One round to warm up, of both, so that neither pays for it.
    await measureRequest(server, port, 0);
    await measureRequest(server, port, operations - 1);
    const first = await measureRequest(server, port, 0);
    const last = await measureRequest(server, port, operations - 1);
    return { operations, specKiB: text.length / 1024, bootMs: cpuMs, first, last };
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
  node: string,
  { folder, spec, table }: ContractFiles,
  use: (server: Server, started: ServerReport) => Promise<T>,
): Promise<T> {
  const server = fork(join(folder, '.build/contract-server.js'), [spec, table], { execPath: node, execArgv: [] });
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
