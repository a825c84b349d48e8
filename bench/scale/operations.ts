/** What a request costs with few and with many operations in the contract: its price must not grow with them. */
import { compiled } from '../requests/compile.ts';
import type { Exchange } from '../requests/operations.ts';
import { withServers } from '../requests/servers/running-server.ts';
import type { ServerEntry } from '../requests/servers/servers.ts';

const COUNTS = [1, 34, 500, 845];
/** What V8 makes of the same code differs from process to process, by a tenth: the figure is that of the best of some. */
const PROCESSES = 5;
const ROUNDS = 25;
const WARM_UP = 5;
const BATCH = 2000;
const BODY = { name: 'Rex', tags: ['a'] };

export interface OperationsFigure {
  readonly operations: number;
  /** CPU of the server's process for a request to the last operation, in µs: the least of all rounds of all processes, and their median. */
  readonly cpu: number;
  readonly median: number;
}

const entryOf = (operations: number): ServerEntry => ({
  id: String(operations),
  title: `this server with ${operations} operations`,
  module: compiled('many-operations'),
  execArgv: [],
  env: { OPERATIONS: String(operations) },
  packages: [],
  harnesses: [],
});

function exchangeOf(operations: number): Exchange {
  const json = JSON.stringify(BODY);
  const head = [`POST /items-${operations - 1}/7?limit=5 HTTP/1.1`, 'Host: localhost:3000', 'Content-Type: application/json'];
  return { request: `${[...head, `Content-Length: ${json.length}`].join('\r\n')}\r\n\r\n${json}`, status: 200, body: BODY };
}

/** In memory, the servers in turn, so that whatever else the machine does affects them all. @param node the path of the executable. */
export async function measureOperations(node: string, show: (text: string) => void): Promise<OperationsFigure[]> {
  const entries = COUNTS.map(entryOf).flatMap((entry) => Array.from({ length: PROCESSES }, () => entry));
  return withServers(entries, { node, env: {} }, async (servers) => {
    const samples = new Map<string, number[]>(COUNTS.map((count) => [String(count), []]));
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      show(`operations: round ${round} of ${ROUNDS}`);
      for (const server of servers) {
        const cpu = await server.ask({ kind: 'batch', exchange: exchangeOf(Number(server.entry.id)), count: BATCH });
        if (round >= 0) samples.get(server.entry.id)?.push(cpu);
      }
    }
    return Array.from(samples, ([id, taken]) => {
      const sorted = taken.sort((a, b) => a - b);
      return { operations: Number(id), cpu: sorted[0] ?? NaN, median: sorted[Math.floor(sorted.length / 2)] ?? NaN };
    });
  });
}
