/** Starts: of the pet store beside its database, and of built servers with 1 and with 845 operations. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { createProgress, defineCommand } from '@specwright/server/command';
import { stringify } from 'yaml';
import { percentile } from '../test/support/tools/load-client.ts';
import { measureColdStarts, type Start } from './boot/cold-start.ts';
import { createLargeDocument } from './boot/large-document.ts';
import { nodeExecutable, NODE_OPTION } from './support/arguments.ts';
import { askReport, withContractProgram, withContractServer } from './support/contract-program.ts';
import { describeRun, publish, table } from './support/report.ts';

const DURATION_MS = 4000;
const IN_FLIGHT = 16;
const OPERATION_COUNTS = [1, 845];

export const command = defineCommand({
  description:
    'The cold start of the pet store, built, beside a database that runs: wall, CPU and memory. Then the CPU of the start of a server with 1 and with 845 operations, and of a request to the first and to the last of them. About 1 minute.',
  options: { node: NODE_OPTION, save: { type: 'boolean', description: 'writes bench/results/boot.md' } },
  examples: ['npm run bench -- boot --node 24'],
  failure: 'a server does not start',
  async run({ values }) {
    const node = nodeExecutable(values.node);
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const progress = createProgress();
    const colds = await measureColdStarts(node, (text) => progress.show(text));
    const least = (of: (start: Start) => number) => ms(Math.min(...colds.map(of)));
    const median = percentile(
      colds.map(({ ready }) => ready.wall),
      0.5,
    );
    const contracts: string[][] = [];
    for (const operations of OPERATION_COUNTS) {
      progress.show(`contract of ${operations} operations`);
      contracts.push((await measureContract(node, operations)).map(ms));
    }
    progress.clear();
    const starts = [
      ['until it listens', least(({ listening }) => listening.wall), '', least(({ listening }) => listening.cpu), ''],
      ['until it serves requests', least(({ ready }) => ready.wall), ms(median), least(({ ready }) => ready.cpu), ''],
      ['2 s after the start, with the validator loaded', '', '', least(({ settled }) => settled.cpu), least(({ settled }) => settled.mib)],
    ];
    const parts = [
      describeRun(version),
      table(['cold start of the pet store', 'wall, ms', 'median, ms', 'CPU, ms', 'memory, MiB'], starts),
      table(
        ['operations of a contract', 'spec, KiB', 'CPU of the start, ms', 'CPU of a request to the first, µs', 'to the last, µs'],
        contracts,
      ),
    ];
    await publish('boot', parts, values.save);
  },
});

const ms = (value: number) => value.toFixed(0);

/** @returns operations, KiB of the spec, ms of CPU of the start, and µs of CPU of a request to the first and to the last operation. */
function measureContract(node: string, operations: number): Promise<number[]> {
  const text = stringify(createLargeDocument(operations), { aliasDuplicateObjects: false });
  return withContractProgram({ file: 'spec.yaml', text, node, handlers: 'echo' }, (program) =>
    withContractServer(program, async (server, { cpu, port }) => {
      // One round to warm up, of both, so that neither pays for it.
      await measureRequest(server, port, 0);
      await measureRequest(server, port, operations - 1);
      const first = await measureRequest(server, port, 0);
      const last = await measureRequest(server, port, operations - 1);
      return [operations, text.length / 1024, cpu, first, last];
    }),
  );
}

/** @returns CPU of the server for a request to operation `i`, in µs. */
async function measureRequest(server: ChildProcess, port: number, i: number): Promise<number> {
  const before = (await askReport(server)).cpu;
  const end = performance.now() + DURATION_MS;
  let calls = 0;
  const worker = async () => {
    while (performance.now() < end) {
      calls += 1;
      const response = await fetch(`http://localhost:${port}/items-${i}/7?limit=5`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Rex","tags":["a"]}',
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (((await askReport(server)).cpu - before) * 1000) / calls;
}
