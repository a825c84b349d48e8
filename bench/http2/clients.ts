/** Clients of a server, over HTTP/1.1 and over HTTP/2 without TLS: each sends one request, and resolves with the status. */
import { Agent, request } from 'node:http';
import { connect } from 'node:http2';

export interface Client {
  readonly send: () => Promise<number>;
  readonly close: () => void;
}

/** @param lane which of the requests under way it is. */
export type CreateClient = (options: {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Client;

/** A client with so many connections. */
export const http1 =
  (connections: number): CreateClient =>
  ({ port, path, headers }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    return {
      send: () =>
        new Promise((resolve, reject) => {
          const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          });
          sent.once('error', reject).end();
        }),
      close: () => agent.destroy(),
    };
  };

/** The same: requests take turns on the connections. */
export const http2 =
  (connections: number): CreateClient =>
  ({ port, path, headers }) => {
    const sessions = Array.from({ length: connections }, () => connect(`http://127.0.0.1:${port}`));
    const fields = { ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])), ':path': path };
    let sent = 0;
    return {
      send: () =>
        new Promise((resolve, reject) => {
          const session = sessions[sent++ % connections] as (typeof sessions)[number];
          const stream = session.request(fields, { endStream: true });
          let status = 0;
          stream.once('response', (received) => (status = received[':status'] ?? 0));
          stream.once('end', () => resolve(status)).once('error', reject);
          stream.resume();
        }),
      close: () => sessions.forEach((session) => session.destroy()),
    };
  };
