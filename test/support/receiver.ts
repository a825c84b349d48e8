/** The receiver of a webhook: an HTTP server on loopback that keeps what it gets and answers as it is told. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** What it answers: a status, with headers if there are any; `undefined` for no answer at all. */
export type Behave = (received: Received, count: number) => { status: number; headers?: Record<string, string> } | undefined;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  close(): Promise<void>;
}

export async function startReceiver(behave: Behave = () => ({ status: 204 })): Promise<Receiver> {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const one = { at: Date.now(), method: request.method, path: request.url, headers: request.headers, body };
    received.push(one);
    const answer = behave(one, received.length);
    if (answer !== undefined) response.writeHead(answer.status, answer.headers).end('ignored');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
