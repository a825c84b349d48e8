/** A process with clients that write: each sends its next request as soon as its last one is answered. */
import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../requests/response-reader.ts';
import { requestOf, statusOf, type Requests } from './operations.ts';

export interface WriteLoad {
  readonly port: number;
  readonly requests: Requests;
  readonly connections: number;
  readonly ms: number;
}

/** The times of all answers, in ms, and how many requests were refused because too much was under way. */
export type WriteLoaded = { readonly times: readonly number[]; readonly refused: number; readonly ms: number } | { readonly error: string };

const PAUSE_MS = 20;

process.on('message', (load: WriteLoad) => {
  run(load).then(
    (loaded) => process.send?.(loaded satisfies WriteLoaded),
    (error: unknown) => process.send?.({ error: String(error) } satisfies WriteLoaded),
  );
});

function run({ port, requests, connections, ms }: WriteLoad): Promise<WriteLoaded> {
  return new Promise((resolve, reject) => {
    const status = statusOf(requests.write);
    const name = `${Date.now()}-${process.pid}`;
    const began = performance.now();
    const sockets: Socket[] = [];
    const times: number[] = [];
    let next = 0;
    let refused = 0;
    let open = connections;
    const fail = (error: Error): void => {
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    const end = (socket: Socket) => {
      socket.destroy();
      open -= 1;
      if (open === 0) resolve({ times, refused, ms: performance.now() - began });
    };
    for (let i = 0; i < connections; i++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      let sentAt = 0;
      const send = () => {
        const request = performance.now() - began < ms ? requestOf(requests, next++, name) : undefined;
        if (request === undefined) return end(socket);
        sentAt = performance.now();
        socket.write(request, 'latin1');
      };
      const read = createResponseReader((response) => {
        if (response.status === status) times.push(performance.now() - sentAt);
        else if (response.status === 503) {
          refused += 1;
          return void setTimeout(send, PAUSE_MS);
        } else return fail(new Error(`answered ${response.status}: ${response.body}`));
        send();
      });
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => read(chunk));
      socket.on('error', fail);
      socket.on('end', () => fail(new Error('the server closed a connection')));
      socket.on('connect', send);
    }
  });
}
