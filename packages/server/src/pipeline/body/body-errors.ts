/** What a body is refused with. */
import type { IncomingMessage } from 'node:http';
import { type JsonPath, parseStrictJson } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';

export const bodyTooLarge = (maxBytes: number) => new FrameworkError('body_too_large', `the body is larger than ${maxBytes} bytes`);

export const bodiesTooLarge = () =>
  new FrameworkError('service_unavailable', 'too many bytes of bodies are under way; retry in 1 s', { headers: { 'Retry-After': '1' } });

export const bodyTooSlow = (leastBytesPerSecond: number) =>
  new FrameworkError('request_timeout', `the server is busy and the body arrived at less than ${leastBytesPerSecond} bytes a second`);

const TRUNCATED = 'body is shorter or longer than Content-Length says';

export const bodyTruncated = () => new FrameworkError('invalid_request', TRUNCATED);

/** The client was gone, or had ended its side of the connection, before its body was whole: nobody is answered, and nothing is its fault. */
export class ClientGoneError extends FrameworkError {
  constructor() {
    super('invalid_request', TRUNCATED);
  }
}

export const bodyRequired = () => new FrameworkError('invalid_request', 'body is required');

export const notDecompressed = (cause: unknown) =>
  new FrameworkError('invalid_request', `body cannot be decompressed: ${(cause as Error).message}`, { cause });

/**
 * Whether a body that has ended with so many bytes was cut off: a stream of HTTP/2 that is reset ends as a complete one does, so that one
 * without Content-Length cannot be told from it.
 */
export function wasCutOff({ headers }: IncomingMessage, bytes: number): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) !== bytes;
}

/**
 * The JSON of a body or of an item of it.
 *
 * @param isBigInteger whether integers at a place are `bigint`. @param location of the value: `body`, or that of an item.
 * @throws AppError invalid_json; invalid_request for a number that would be altered.
 */
export function parseJson(text: string, isBigInteger: (path: JsonPath) => boolean = () => false, location = 'body'): unknown {
  const { value, problem } = parseStrictJson(text, isBigInteger);
  if (problem === undefined) return value;
  const { kind, path, message, cause } = problem;
  const code = kind === 'depth' || kind === 'number' ? 'invalid_request' : 'invalid_json';
  throw new FrameworkError(code, `${[location, ...path].join('/').slice(0, MAX_LOCATION_LENGTH)} ${message}`, cause && { cause });
}

const MAX_LOCATION_LENGTH = 500;
