/** The load generator in its process, and what a server takes of CPU while it is kept busy. */
import { fork } from 'node:child_process';
import { compiled } from './compile.ts';
import type { Load, Loaded } from './load-generator.ts';
import { nextMessage, type RunningServer } from './running-server.ts';

export interface LoadFigures extends Omit<Loaded, 'ms'> {
  /** CPU of the server's process for a request, in µs. */
  readonly cpu: number;
  readonly perSecond: number;
}

type LoadServer = (server: RunningServer, load: Omit<Load, 'port'>) => Promise<LoadFigures>;

/** @param use gets a function that keeps a server busy. @throws Error for a response that is not the expected one. */
export async function withLoadGenerator<T>(use: (load: LoadServer) => Promise<T>): Promise<T> {
  const generator = fork(compiled('load-generator'), [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  const failed = (what: string) => new Error(`the load generator: ${what}`);
  try {
    return await use(async (server, load) => {
      const before = await server.ask({ kind: 'cpu' });
      generator.send({ ...load, port: server.port } satisfies Load);
      const loaded = await nextMessage<Loaded | { readonly error: string }>(generator, failed);
      if ('error' in loaded) throw new Error(`${server.entry.title}: ${loaded.error}`);
      const cpu = (await server.ask({ kind: 'cpu' })) - before;
      const { ms, ...counts } = loaded;
      return { ...counts, cpu: cpu / counts.answered, perSecond: (counts.answered / ms) * 1000 };
    });
  } finally {
    generator.kill();
  }
}
