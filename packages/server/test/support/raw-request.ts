/** Requests as bytes on a socket, and all bytes of the response: what a client library would hide. */
import { connect } from 'node:net';

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** Beside `Host`, `Connection: close` and `X-Request-Id`, which each request has. */
  readonly headers?: readonly string[];
  /** The parts of the body, each sent in a packet of its own. The first one is sent after `100 Continue` if the client expects it. */
  readonly body?: readonly string[];
}

/** The head of a request, as text. */
export const headOf = ({ method = 'GET', path, headers = [] }: RawRequest): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: example.test', 'Connection: close', 'X-Request-Id: fixed', ...headers, '', ''].join('\r\n');

/**
 * Sends a request on a connection of its own. @returns every byte of the response as Latin-1, with `Date` masked.
 */
export function sendRaw(url: string, request: RawRequest): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const chunks: Buffer[] = [];
    const rest = [...(request.body ?? [])];
    const sendNext = (): void => {
      const part = rest.shift();
      if (part !== undefined) socket.write(part, () => setImmediate(sendNext));
    };
    const isExpecting = request.headers?.includes('Expect: 100-continue');
    socket.write(headOf(request), () => {
      if (!isExpecting) setImmediate(sendNext);
    });
    socket.on('data', (chunk) => {
      if (chunks.length === 0 && isExpecting && chunk.includes('100 Continue')) sendNext();
      chunks.push(chunk);
    });
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replace(/^Date: .*/m, 'Date: *'),
      ),
    );
  });
}

/** Status, fields by their names in lower case, and body of such a response. */
export function parseRaw(text: string) {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    headers[name] = [headers[name], field.slice(colon + 2)].filter(Boolean).join(', ');
  }
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(end + 4) };
}
