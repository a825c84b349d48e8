/** Sends bytes as they are, for what no client library would send. */
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** What the server has sent. */
  readonly received: () => string;
  /** Waits until what was received matches. */
  readonly until: (enough: RegExp) => Promise<string>;
  readonly closed: Promise<string>;
}

export function openConnection(server: Server): RawConnection {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  // A connection that the server resets while it is written to is closed all the same.
  socket.on('data', (data) => void (received += data.toString('latin1'))).on('error', () => undefined);
  const until = (enough: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (enough.test(received)) resolve(received);
      };
      socket.on('data', look);
      void closed.then(() => reject(new Error(`the connection was closed after ${JSON.stringify(received)}`)));
      look();
    });
  return { socket, received: () => received, until, closed };
}

/** Sends bytes and reads until the server closes, or until what came satisfies `enough`. */
export async function sendRaw(server: Server, text: string, enough?: RegExp): Promise<string> {
  const connection = openConnection(server);
  connection.socket.write(text, 'latin1');
  const answer = await (enough === undefined ? connection.closed : connection.until(enough));
  connection.socket.destroy();
  return answer;
}

/** The body of the last response in `answer`. */
export const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4));

/** A header of the last response in `answer`. */
export const headerOf = (answer: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(answer.slice(answer.lastIndexOf('HTTP/1.1')))?.[1];
