/** Finds out whether this version of Node writes responses as `writeText` does. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';

type WriteText = (response: ServerResponse, status: number, fields: string, text: string) => void;

/** Writes one response in both ways, in memory. @returns whether they are the same; `false` if `write` throws. */
export function isSameAsNode(write: WriteText): boolean {
  const body = '{"name":"Rex"}';
  const asParts = written((response) => response.writeHead(200, ['X-A', '1', 'Content-Length', String(body.length)]).end(body));
  try {
    return written((response) => write(response, 200, '\r\nX-A: 1', body)) === asParts && asParts.endsWith(`\r\n\r\n${body}`);
  } catch {
    // A version of Node without these internals.
    return false;
  }
}

function written(write: (response: ServerResponse) => void): string {
  let text = '';
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('latin1');
      done();
    },
  });
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { httpVersionMajor: 1, httpVersionMinor: 1 });
  const response = new ServerResponse(request);
  response.assignSocket(socket as unknown as Socket);
  write(response);
  return text.replace(/^Date: .*$/m, 'Date: now');
}
