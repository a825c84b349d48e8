/** One request, sent over and over on raw connections: so cheap that a machine can send ten times what its server does. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly ms: number;
  /** `Retry-After`, in s; NaN without it. */
  readonly retryAfter: number;
}

export interface RawClient {
  /** Sends the request on a connection that is free. @returns undefined if none is. */
  send(): Promise<RawAnswer> | undefined;
  close(): void;
}

interface Connection {
  readonly socket: Socket;
  received: string;
  sentAt: number;
  resolve: ((answer: RawAnswer) => void) | undefined;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: object;
}

/** The text of a request. */
export function formatRequest({ method, path, key, body }: RawRequest): string {
  const content = body === undefined ? '' : JSON.stringify(body);
  const fields = content === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n${content}`;
}

/** Opens the connections. @param count how many requests may be under way at once. */
export async function openRawClient(url: string, request: RawRequest, count: number): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const text = formatRequest(request);
  const free: Connection[] = [];
  const all: Connection[] = [];

  function end(connection: Connection, status: number, retryAfter = NaN): void {
    const { resolve, sentAt } = connection;
    connection.resolve = undefined;
    connection.received = '';
    if (status !== 0) free.push(connection);
    resolve?.({ status, ms: performance.now() - sentAt, retryAfter });
  }

  while (all.length < count) {
    const socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    const connection: Connection = { socket, received: '', sentAt: 0, resolve: undefined };
    all.push(connection);
    free.push(connection);
    socket.on('data', (bytes) => {
      const received = (connection.received += bytes.toString('latin1'));
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, headEnd))?.[1] ?? 0);
      if (received.length >= headEnd + 4 + length)
        end(connection, Number(received.slice(9, 12)), Number(/^retry-after: (\d+)/im.exec(received.slice(0, headEnd))?.[1] ?? NaN));
    });
    socket.on('error', () => undefined).on('close', () => end(connection, 0));
  }
  return {
    send() {
      const connection = free.pop();
      if (connection === undefined) return undefined;
      return new Promise((resolve) => {
        connection.resolve = resolve;
        connection.sentAt = performance.now();
        connection.socket.write(text);
      });
    },
    close: () => all.forEach(({ socket }) => socket.destroy()),
  };
}
