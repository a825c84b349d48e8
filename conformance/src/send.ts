/** Sends the bytes of a request to a server, and reads its response without a library that would repair it. */
import { connect } from 'node:net';

export interface Response {
  readonly status: number;
  /** Names in lower case; the values of a field that was sent twice are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The response did not come, or is no HTTP. */
class NoResponse extends Error {
  override name = 'NoResponse';
}

/**
 * Sends a request over a connection of its own.
 *
 * @param bytes one character for each byte
 * @param timeoutMs how long the server may take, in milliseconds
 * @throws NoResponse if the connection ends or the time passes without a complete response
 */
export async function send(host: string, port: number, bytes: string, timeoutMs: number): Promise<Response> {
  const isHead = bytes.startsWith('HEAD ');
  const received = await exchange(host, port, Buffer.from(bytes, 'latin1'), timeoutMs, (bytes) => isEnough(bytes, isHead));
  const response = parse(received, isHead, true);
  if (response === undefined)
    throw new NoResponse(received.length === 0 ? 'the connection closed without a response' : 'the response is not complete');
  return response;
}

function exchange(host: string, port: number, request: Buffer, timeoutMs: number, isEnough: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((fulfil, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, host, () => socket.write(request));
    socket.setTimeout(timeoutMs, () => {
      socket.destroy();
      reject(new NoResponse(`no response within ${timeoutMs} ms`));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isEnough(Buffer.concat(chunks))) socket.destroy();
    });
    socket.on('error', (error) => (chunks.length > 0 ? socket.destroy() : reject(new NoResponse(error.message))));
    socket.on('close', () => fulfil(Buffer.concat(chunks)));
  });
}

/** Whether the response is complete, or can only be an error. */
export function isEnough(bytes: Buffer, isHead: boolean): boolean {
  try {
    return parse(bytes, isHead, false) !== undefined;
  } catch {
    return true;
  }
}

/** `undefined` if more bytes have to come. @throws NoResponse if the bytes are no response */
function parse(bytes: Buffer, isHead: boolean, isEnded: boolean): Response | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/u.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new NoResponse(`not a response: ${statusLine.slice(0, 80)}`);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parse(rest, isHead, isEnded);
  const headers = parseFields(lines);
  const body = isHead || status === 204 || status === 304 ? Buffer.alloc(0) : bodyOf(rest, headers, isEnded);
  return body === undefined ? undefined : { status, headers, body };
}

function parseFields(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function bodyOf(rest: Buffer, headers: Readonly<Record<string, string>>, isEnded: boolean): Buffer | undefined {
  if (headers['transfer-encoding']?.toLowerCase() === 'chunked') return joinChunks(rest);
  const length = headers['content-length'];
  if (length === undefined) return isEnded ? rest : undefined;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function joinChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = rest.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new NoResponse('a chunk without a size');
    if (size === 0) return Buffer.concat(chunks);
    if (rest.length < end + 2 + size + 2) return undefined;
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
