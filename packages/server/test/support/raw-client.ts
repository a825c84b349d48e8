/** A client on a plain socket, for requests that `fetch` does not send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from 'specwright/testing';

export interface RawClient {
  readonly socket: Socket;
  /** All that was received. */
  readonly received: () => string;
  readonly isClosed: () => boolean;
  readonly write: (data: string | Uint8Array) => void;
  /** Waits for the head and the body of the nth response, from 1. @returns its status. */
  readonly status: (nth?: number) => Promise<number>;
}

/** Connects to the server of a URL. */
export async function rawClient(url: string): Promise<RawClient> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  await once(socket, 'connect');
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map(([, status]) => Number(status));
  return {
    socket,
    received: () => received,
    isClosed: () => isClosed,
    write: (data) => void socket.write(data),
    async status(nth = 1) {
      await until(() => statuses().length >= nth);
      return statuses()[nth - 1] as number;
    },
  };
}

/** The head of a POST with a body of bytes. */
export const headOf = (path: string, headers: Readonly<Record<string, string | number>>, method = 'POST'): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries({ 'Content-Type': 'application/octet-stream', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
