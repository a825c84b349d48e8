/** Writes a response whose head and body are text, as one text. */
import { IncomingMessage, STATUS_CODES, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';

/** What this file uses of `ServerResponse` inside: what `writeHead` and `end` do in every version of Node so far. A test pins it. */
interface ResponseInternals {
  /** Adds what the connection needs (`Date`, `Connection`, `Keep-Alive`) to a head, after it has checked `fields`. */
  readonly _storeHeader: (head: string, fields: readonly string[]) => void;
  /** The head until it is sent, as text of Latin-1. */
  _header: string;
}

/** Whether `writeText` writes what Node does. Not before it is asked for: nothing works when a module is loaded. */
let isSame: boolean | undefined;

const WRITERS = ['writeHead', 'write', 'end'] as const;
const [writeHead, write, end] = WRITERS.map((name): unknown => Reflect.get(ServerResponse.prototype, name));

/** Whether no middleware has set a header of the response, or replaced what writes it. */
export const isUntouched = (response: ServerResponse): boolean =>
  response.writeHead === writeHead && response.write === write && response.end === end && response.getHeaderNames().length === 0;

/**
 * Whether `writeText` writes what `writeHead` and `end` would write. They see to a body that was not read, or not asked for; to
 * statuses and methods without a body; to headers that were set on the response. What middleware has wrapped is written through it.
 */
export const canWriteText = (request: IncomingMessage, response: ServerResponse, status: number): boolean =>
  writesAsNode() &&
  request.complete &&
  request.method !== 'HEAD' &&
  request.headers.expect === undefined &&
  status >= 200 &&
  status !== 204 &&
  status !== 304 &&
  !response.headersSent &&
  isUntouched(response);

/** Found out once in a process. `writeText` is not used where it is false. */
export const writesAsNode = (): boolean => (isSame ??= isSameAsNode(writeText));

/** Writes one response in both ways, in memory. @returns whether they are the same; `false` if `write` throws. */
export function isSameAsNode(write: typeof writeText): boolean {
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

/**
 * `writeHead` checks and reads each field again, and `end` writes head and body as two parts: together a tenth of what a
 * request costs.
 *
 * @param fields valid ones, each after a line break; none that Node has to read.
 */
export function writeText(response: ServerResponse, status: number, fields: string, text: string): void {
  const length = Buffer.byteLength(text);
  const internals = response as ServerResponse & ResponseInternals;
  response.statusCode = status;
  response.statusMessage = STATUS_CODES[status] ?? 'unknown';
  internals._storeHeader(`HTTP/1.1 ${status} ${response.statusMessage}${fields}\r\n`, ['Content-Length', String(length)]);
  if (length !== text.length) return void response.end(text);
  // ASCII, so that it is the same in the encoding of heads.
  internals._header += text;
  response.end();
}
