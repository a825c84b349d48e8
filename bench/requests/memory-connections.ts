/** Connections that exist only in memory: a server is sent requests without a system call, so that a busy machine hardly disturbs. */
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';
import { createResponseReader, type RawResponse } from '../support/response-reader.ts';

/** As many as a load generator would have under way on a busy core. */
const CONNECTIONS = 16;

type Callback = (error?: Error | null) => void;

/** What `node:http` needs of a socket. */
class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly remoteFamily = 'IPv4';
  readonly remotePort = 65_000;
  readonly #receive: (chunk: string) => void;

  constructor(receive: (chunk: string) => void) {
    // Strings are handed on as they are, as a real socket hands them to its write of Latin-1 or UTF-8.
    super({ decodeStrings: false });
    this.#receive = receive;
  }

  override _read(): void {
    // Requests are pushed by `send`.
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#receive(textOf(chunk));
    callback();
  }

  override _writev(chunks: { chunk: string | Buffer }[], callback: Callback): void {
    this.#receive(chunks.map(({ chunk }) => textOf(chunk)).join(''));
    callback();
  }

  setTimeout = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  destroySoon = (): this => this.destroy();
}

const textOf = (chunk: string | Buffer) => (typeof chunk === 'string' ? chunk : chunk.toString('latin1'));

export interface MemoryConnections {
  /** Sends the same request `count` times. @throws Error for a response that `accept` does not take. */
  send(request: Buffer, count: number, accept: (response: RawResponse) => boolean): Promise<void>;
}

export function openMemoryConnections(server: Server): MemoryConnections {
  let onResponse: (connection: MemorySocket, response: RawResponse) => void = () => undefined;
  const connections = Array.from({ length: CONNECTIONS }, () => {
    const socket: MemorySocket = new MemorySocket(createResponseReader((response) => onResponse(socket, response)));
    server.emit('connection', socket);
    return socket;
  });

  return {
    send: (request, count, accept) =>
      new Promise((resolve, reject) => {
        let sent = 0;
        let answered = 0;
        // One turn of the event loop for each request, as for each readable socket.
        const sendNext = (socket: MemorySocket): void => {
          if (sent === count) return;
          sent += 1;
          setImmediate(() => socket.push(request));
        };
        onResponse = (socket, response) => {
          if (!accept(response)) return reject(new Error(`answered ${response.status}: ${response.body}`));
          answered += 1;
          if (answered === count) resolve();
          else sendNext(socket);
        };
        for (const socket of connections) sendNext(socket);
      }),
  };
}
