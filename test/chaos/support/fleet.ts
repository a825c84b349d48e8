/** Servers behind a balancer that asks each whether it is ready, and that are replaced one at a time, by another version too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, type LoadClient } from '../../support/tools/load-client.ts';
import { startServer, type Server } from './pet-store.ts';
import type { ScenarioContext } from './scenario.ts';

/** How a client uses its connections: a new one for each request, one that is kept, or one that is kept and rarely used. */
export const CONNECTIONS = ['fresh', 'busy', 'idle'] as const;
export type Connections = (typeof CONNECTIONS)[number];

interface Instance {
  server: Server;
  isReady: boolean;
  readonly clients: Readonly<Record<Connections, LoadClient>>;
}

export interface Fleet {
  /** A server that is ready; any of them if none is. */
  pick(connections: Connections): LoadClient;
  /** The address of a server that is ready. */
  url(): string;
  /** Ends a server by SIGTERM, starts another at its port, and waits until the balancer has noticed. @param checkout of another version. */
  replace(n: number, checkout?: string): Promise<void>;
  /** Ends all servers, has something done, and starts others. */
  stopAll(work: () => Promise<void>, checkout?: string): Promise<void>;
}

const PROBE_INTERVAL_MS = 200;
/** Longer than the balancer takes to notice. */
const DRAIN_DELAY_MS = 1500;

export async function openFleet(
  context: ScenarioContext,
  databaseUrl: string,
  { count, headers, env = {} }: { count: number; headers: Record<string, string>; env?: Readonly<Record<string, string>> },
): Promise<Fleet> {
  const start = (checkout: string | undefined, port = '0') =>
    startServer(context, databaseUrl, { DRAIN_DELAY: String(DRAIN_DELAY_MS), ...env, PORT: port }, checkout);
  const instances: Instance[] = [];
  while (instances.length < count) {
    const server = await start(context.checkout);
    const open = (connections: 'kept' | 'fresh') => createLoadClient(server.url, { headers, connections, timeoutMs: 20_000 });
    const clients = { fresh: open('fresh'), busy: open('kept'), idle: open('kept') };
    for (const client of Object.values(clients)) context.defer(() => client.close());
    instances.push({ server, isReady: true, clients });
  }
  const timer = setInterval(() => {
    for (const instance of instances) {
      fetch(`${instance.server.url}/readyz`, { headers: { Connection: 'close' } }).then(
        ({ status }) => (instance.isReady = status === 200),
        () => (instance.isReady = false),
      );
    }
  }, PROBE_INTERVAL_MS);
  context.defer(() => clearInterval(timer));

  let turn = 0;
  const pick = (): Instance => {
    const ready = instances.filter(({ isReady }) => isReady);
    const from = ready.length > 0 ? ready : instances;
    return from[turn++ % from.length] as Instance;
  };
  const stop = async ({ server }: Instance) => {
    server.process.child.kill('SIGTERM');
    await server.process.exited;
  };
  const restart = async (instance: Instance, checkout: string | undefined) => {
    instance.server = await start(checkout, new URL(instance.server.url).port);
    while (!instance.isReady && !context.signal.aborted) await sleep(50);
  };
  return {
    pick: (connections) => pick().clients[connections],
    url: () => pick().server.url,
    async replace(n, checkout) {
      const instance = instances[n] as Instance;
      await stop(instance);
      await restart(instance, checkout);
      await sleep(500);
    },
    async stopAll(work, checkout) {
      await Promise.all(instances.map(stop));
      await work();
      await Promise.all(instances.map((instance) => restart(instance, checkout)));
    },
  };
}
