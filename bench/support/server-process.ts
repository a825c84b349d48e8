/** The process of a server that is measured, or of two that are compared: starts them, and does what the bench asks through the IPC channel. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measureHops, type Hops, type HopsRequest } from '../hops/measure.ts';
import { openMemoryConnections, type MemoryConnections } from '../requests/memory-connections.ts';
import { createAcceptor, type Exchange } from '../requests/operations.ts';

/** What the bench asks, and `Answers` what it gets. */
export type Command =
  | { readonly kind: 'batch'; readonly server?: number; readonly exchange: Exchange; readonly count: number }
  | { readonly kind: 'hops'; readonly requests: readonly HopsRequest[] }
  | { readonly kind: 'cpu' }
  | { readonly kind: 'memory' };

export interface Answers {
  /** CPU of a batch in memory, in µs for each request. */
  readonly batch: number;
  /** Of each request, in their order. */
  readonly hops: readonly Hops[];
  /** CPU of this process so far, in µs. */
  readonly cpu: number;
  /** Resident memory of this process, in bytes. */
  readonly memory: number;
}

export type Answer = { readonly value: unknown } | { readonly error: string };

/** The first message. */
export interface Started {
  /** Of each server. */
  readonly ports: readonly number[];
  readonly node: string;
}

/** What a module of a server exports. */
interface ServerModule {
  readonly createServer: () => Server | Promise<Server>;
}

const servers: Server[] = [];
for (const module of process.argv.slice(2).map((path) => pathToFileURL(path))) {
  const { createServer } = (await import(module.href)) as ServerModule;
  // The second one is that of another tree, with its own document.
  if (servers.length > 0) process.env['SPEC'] = fileURLToPath(new URL('../../generated/document.json', module));
  const server = await createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
}
const opened = new Map<Server | undefined, MemoryConnections>();
/** Opened with the first batch: Node closes a connection whose first request does not begin within a minute. */
const connectionsOf = (i = 0): MemoryConnections => {
  const server = servers[i] as Server;
  const connections = opened.get(server) ?? openMemoryConnections(server);
  opened.set(server, connections);
  return connections;
};

const cpuSince = (before?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

const commands: { [K in Command['kind']]: (command: Extract<Command, { kind: K }>) => Promise<Answers[K]> } = {
  batch: async ({ server, exchange, count }) => {
    const before = process.cpuUsage();
    await connectionsOf(server).send(Buffer.from(exchange.request), count, createAcceptor(exchange));
    return cpuSince(before) / count;
  },
  hops: ({ requests }) => measureHops(connectionsOf(), requests),
  cpu: async () => cpuSince(),
  memory: async () => process.memoryUsage.rss(),
};

process.on('message', (command: Command) => {
  const run = commands[command.kind] as (command: Command) => Promise<unknown>;
  run(command).then(
    (value) => process.send?.({ value } satisfies Answer),
    (error: unknown) => process.send?.({ error: String(error) } satisfies Answer),
  );
});
// Ends as the bench asks it to: Node then writes the profile, if it was started with `--cpu-prof`.
process.on('disconnect', () => process.exit());
process.send?.({ ports: servers.map((server) => (server.address() as AddressInfo).port), node: process.version } satisfies Started);
