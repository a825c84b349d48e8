/** A process that keeps connections of a server busy: each sends its next request as soon as its last one is answered. */
import { connect, type Socket } from 'node:net';
import { createAcceptor, type Exchange } from '../requests/operations.ts';
import { createWrites, type WriteRequests } from '../writes/operations.ts';
import { createResponseReader, type RawResponse } from './response-reader.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** One request again and again, or writes, each another one. */
  readonly requests: Exchange | WriteRequests;
}

export interface Loaded {
  /** How many were answered. */
  readonly answered: number;
  /** How many were refused because too much was under way. */
  readonly refused: number;
  readonly ms: number;
  /** Latencies, in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Before the next request after one that was refused, in ms. */
const PAUSE_MS = 20;

process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.(loaded),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

/** The requests in turn, until there are no more; and whether a response is the expected one. */
interface Source {
  readonly next: () => string | undefined;
  readonly accept: (response: RawResponse) => boolean;
}

function sourceOf(requests: Exchange | WriteRequests): Source {
  if ('write' in requests) return createWrites(requests, `${Date.now()}-${process.pid}`);
  return { next: () => requests.request, accept: createAcceptor(requests) };
}

function run({ port, connections, ms, requests }: Load): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const { next, accept } = sourceOf(requests);
    const began = performance.now();
    const sockets: Socket[] = [];
    const times: number[] = [];
    let refused = 0;
    let open = connections;
    const fail = (error: Error): void => {
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    const end = (socket: Socket): void => {
      socket.destroy();
      open -= 1;
      if (open > 0) return;
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
      resolve({ answered: times.length, refused, ms: performance.now() - began, p50: at(0.5), p99: at(0.99) });
    };
    for (let i = 0; i < connections; i++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        const request = sentAt - began < ms ? next() : undefined;
        if (request === undefined) return end(socket);
        socket.write(request, 'latin1');
      };
      const read = createResponseReader((response) => {
        if (response.status === 503) {
          refused += 1;
          return void setTimeout(send, PAUSE_MS);
        }
        if (!accept(response)) return fail(new Error(`answered ${response.status}: ${response.body}`));
        times.push(performance.now() - sentAt);
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
