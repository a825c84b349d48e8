/** Writes a response whose head and body are text, as one text. */
import { STATUS_CODES, ServerResponse, type IncomingMessage } from 'node:http';

/** What `writeHead` and `end` do inside, in every version of Node so far. A test pins it. */
interface ResponseInternals {
  /** Adds what the connection needs (`Date`, `Connection`, `Keep-Alive`) to a head, after it has checked `fields`. */
  readonly _storeHeader: (head: string, fields: readonly string[]) => void;
  /** The head until it is sent, as text of Latin-1. */
  _header: string;
}

const hasInternals = '_storeHeader' in ServerResponse.prototype;
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
  hasInternals &&
  request.complete &&
  request.method !== 'HEAD' &&
  request.headers.expect === undefined &&
  status >= 200 &&
  status !== 204 &&
  status !== 304 &&
  !response.headersSent &&
  isUntouched(response);

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
