/** A server of any contract whose handlers answer 501; whoever asks is let in. It reports its CPU, its heap and its longest slice. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, loadContract, notImplemented, type ContractTypes, type GeneratedContract, type Log } from '@specwright/server';

/** What the server answers to any message. */
export interface ServerReport {
  readonly port: number;
  /** CPU of the process so far, in ms. */
  readonly cpu: number;
  /** The longest slice of the event loop since the last report, and what CPU the process used in it, in ms. */
  readonly slice: number;
  readonly sliceCpu: number;
  /** After a garbage collection, in bytes, if the message was `heap`. */
  readonly heap: number;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const [spec = '', table = ''] = process.argv.slice(2);
const contract = await loadContract(spec, JSON.parse(readFileSync(table, 'utf8')) as GeneratedContract<ContractTypes>);
const ignore = () => undefined;
const log: Log = { info: ignore, warn: ignore, error: ignore, child: () => log };
const schemes = new Set(contract.operations.flatMap(({ security }) => security.flat()));
const server = createServer({
  contract,
  handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, async () => notImplemented(id)])),
  security: Object.fromEntries([...schemes].map((name) => [name, () => ({})])),
  log,
});

let longest = { slice: 0, sliceCpu: 0 };
server.listen(0, () => {
  report('');
  let [before, cpuBefore] = [performance.now(), cpu()];
  setInterval(() => {
    const [now, cpuNow] = [performance.now(), cpu()];
    if (now - before > longest.slice) longest = { slice: now - before, sliceCpu: cpuNow - cpuBefore };
    [before, cpuBefore] = [now, cpuNow];
  }, 1);
});
process.on('message', report);

function report(message: unknown): void {
  if (message === 'heap') globalThis.gc?.();
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, cpu: cpu(), heap: process.memoryUsage().heapUsed, ...longest } satisfies ServerReport);
  longest = { slice: 0, sliceCpu: 0 };
}
