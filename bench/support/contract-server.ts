/** A server of any contract, which lets everybody in; it reports its CPU, its heap and its longest turn of the event loop. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import {
  createServer,
  HandlerResponse,
  loadContract,
  notImplemented,
  type ContractTypes,
  type GeneratedContract,
  type Log,
} from '@specwright/server';

/** What its handlers do: answer with the body of the request, or 501. */
export type Handlers = 'echo' | 'unimplemented';

/** What the server answers to any message. */
export interface ServerReport {
  readonly port: number;
  /** CPU of the process so far, in ms. */
  readonly cpu: number;
  /** The longest turn of the event loop since the last report, in ms. */
  readonly slice: number;
  /** After a garbage collection, in bytes, if the message was `heap`. */
  readonly heap: number;
}

const [spec = '', table = '', handlers] = process.argv.slice(2) as [string?, string?, Handlers?];
const contract = await loadContract(spec, JSON.parse(readFileSync(table, 'utf8')) as GeneratedContract<ContractTypes>);
const ignore = () => undefined;
const log: Log = { info: ignore, warn: ignore, error: ignore, child: () => log };
const schemes = new Set(contract.operations.flatMap(({ security }) => security.flat()));
const echo = async ({ body }: { body?: unknown }) => HandlerResponse.reply(200, { body });
const server = createServer({
  contract,
  handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, handlers === 'echo' ? echo : async () => notImplemented(id)])),
  security: Object.fromEntries([...schemes].map((name) => [name, () => ({})])),
  // The contract that is echoed does not declare the framework's own headers.
  responseValidation: handlers === 'echo' ? 'off' : 'strict',
  log,
});

let slice = 0;
server.listen(0, () => {
  report('');
  if (handlers === 'echo') return;
  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    slice = Math.max(slice, now - before);
    before = now;
  }, 1);
});
process.on('message', report);

function report(message: unknown): void {
  if (message === 'heap') globalThis.gc?.();
  const { port } = server.address() as AddressInfo;
  const { user, system } = process.cpuUsage();
  process.send?.({ port, cpu: (user + system) / 1000, heap: process.memoryUsage().heapUsed, slice } satisfies ServerReport);
  slice = 0;
}
