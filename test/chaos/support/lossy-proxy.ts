/** An HTTP proxy that loses answers: the request was done, and its client does not learn it. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LossyProxy {
  readonly url: string;
  /** How many answers were lost. */
  readonly lost: number;
  /** Where requests are sent from now on. */
  forwardTo(url: string): void;
  close(): void;
}

/** @param share of the answers that are lost, such as 0.2. */
export async function startLossyProxy(url: string, share: number): Promise<LossyProxy> {
  let target = url;
  let lost = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '/', headers } = incoming;
    const forwarded = request(new URL(path, target), { method, headers }, (response) => {
      text(response)
        .then((body) => {
          if (Math.random() >= share) return void outgoing.writeHead(response.statusCode ?? 0, response.headers).end(body);
          lost++;
          outgoing.destroy();
        })
        .catch(() => outgoing.destroy());
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost;
    },
    forwardTo: (other) => void (target = other),
    close: () => server.close().closeAllConnections(),
  };
}
