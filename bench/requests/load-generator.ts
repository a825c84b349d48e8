/** A process that keeps connections of a server busy: each sends its next request as soon as its last one is answered. */
import { connect, type Socket } from 'node:net';
import { createAcceptor, type Exchange } from './operations.ts';
import { createResponseReader } from './response-reader.ts';

export interface Load {
  readonly port: number;
  readonly exchange: Exchange;
  readonly connections: number;
  readonly ms: number;
}

/** How many requests were answered in how many ms, and how many refused because too much was under way. */
export type Loaded = { readonly requests: number; readonly refused: number; readonly ms: number } | { readonly error: string };

/** Before a request that was refused is sent again, in ms. */
const PAUSE_MS = 20;

process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.(loaded satisfies Loaded),
    (error: unknown) => process.send?.({ error: String(error) } satisfies Loaded),
  );
});

function run({ port, exchange, connections, ms }: Load): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const accept = createAcceptor(exchange);
    const began = performance.now();
    const sockets: Socket[] = [];
    let requests = 0;
    let refused = 0;
    let open = connections;
    const fail = (error: Error): void => {
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    for (let i = 0; i < connections; i++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      const read = createResponseReader((response) => {
        if (response.status === 503) {
          refused += 1;
          // One that refuses everything would be asked for ever.
          if (performance.now() - began > 3 * ms) return fail(new Error(`answered 503: ${response.body}`));
          return void setTimeout(() => socket.write(exchange.request, 'latin1'), PAUSE_MS);
        }
        if (!accept(response)) return fail(new Error(`answered ${response.status}: ${response.body}`));
        requests += 1;
        if (performance.now() - began < ms) return void socket.write(exchange.request, 'latin1');
        socket.destroy();
        open -= 1;
        if (open === 0) resolve({ requests, refused, ms: performance.now() - began });
      });
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => read(chunk));
      socket.on('error', fail);
      socket.on('end', () => fail(new Error('the server closed a connection')));
      socket.on('connect', () => socket.write(exchange.request, 'latin1'));
    }
  });
}
